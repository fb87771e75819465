"""Reach: which lines of the functions that have mutants does a test run?

A mutant can only be noticed by a test that comes to the lines that it changes.
"""

import ast
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

ORIGINAL = "__mutmut_orig"
"""The end of the name of a function that has mutants beside it."""

Line = tuple[str, int]
"""A module and the number of a line in it."""


class Reach:
    """The lines of originals that were run since it was cleared."""

    def __init__(self) -> None:
        """Begin with none."""
        self.lines: set[Line] = set()

    @contextmanager
    def watched(self) -> Iterator[set[Line]]:
        """Note the lines that are run in here, by any thread that starts here."""
        self.lines = set()
        before, of_threads = sys.gettrace(), threading.gettrace()
        sys.settrace(self._enter)
        threading.settrace(self._enter)
        try:
            yield self.lines
        finally:
            sys.settrace(before)
            threading.settrace(of_threads)

    def _enter(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        return self._run if ORIGINAL in frame.f_code.co_qualname else None

    def _run(self, frame: FrameType, event: str, _arg: Any) -> Any:
        if event == "line":
            self.lines.add((frame.f_globals["__name__"], frame.f_lineno))
        return self._run


def statements_of(function: ast.AST, changed: range) -> frozenset[int]:
    """Return the lines of the statements in a function of which some lines change.

    Of a statement that has others inside it only the head counts. Where a change is in
    none, all lines of the function are returned.
    """
    found: set[int] = set()
    for line in changed:
        heads = [head for head in _heads(function) if line in head]
        if not heads:
            return frozenset(line for head in _heads(function) for line in head)
        smallest = min(heads, key=len)
        found.update(smallest)
    return frozenset(found)


def _heads(function: ast.AST) -> Iterator[range]:
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            body: Sequence[ast.stmt] = getattr(node, "body", ())
            end = body[0].lineno if body else (node.end_lineno or node.lineno) + 1
            yield range(node.lineno, max(end, node.lineno + 1))
