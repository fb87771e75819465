"""The overlay: a copy of a package in which functions have their mutants beside them.

``mutmut`` writes the mutants. A mutant is known by its lines, which stay the same when
others are added: those that it takes from a function, and those that it gives instead.
"""

import ast
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.group import Group
from mutation.reach import ORIGINAL, statements_of
from mutation.survivor import lines_of

ROOT = Path(__file__).parents[2]
_TRAMPOLINE = (
    "from mutmut.mutation.trampoline import wrap_in_trampoline as _mutmut_mutated"
)
_SWITCH = "from mutation.switch import switch as _mutmut_mutated"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A mutant: its module, its name there, and what it changes."""

    module: str
    name: str
    taken: str
    given: str
    lines: frozenset[int]
    """Those of the original, in the overlay, by which a test comes to the change."""

    @property
    def key(self) -> str:
        """The name by which it is switched on."""
        return f"{self.module}.{self.name}"

    @property
    def function(self) -> str:
        """The name of its function, the same for all mutants of it."""
        return original_of(self.key)

    @property
    def what(self) -> str:
        """What it is, whatever other mutants there are."""
        function = self.name.partition("__mutmut_")[0]
        return f"{self.module}.{function}\n- {self.taken}\n+ {self.given}"


def original_of(name: str) -> str:
    """Return the name of the function of which something is a mutant."""
    return re.sub("__mutmut_.*", ORIGINAL, name)


def folder_of(group: Group) -> Path:
    """Return where the overlay of a group lies."""
    return ROOT / ".mutants" / group.name


def make_overlay(group: Group) -> list[Mutant]:
    """Write the overlay of a group, and return all its mutants in order."""
    # Only this needs the extra "mutants"; the daily tests import the module without it.
    from mutmut.mutation.file_mutation import mutate_file_contents

    package = folder_of(group) / group.package
    shutil.rmtree(package, ignore_errors=True)
    source = ROOT / "server" / group.package
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    found: list[Mutant] = []
    for pattern in group.modules:
        for path in sorted(package.glob(pattern)):
            parts = path.relative_to(package.parent).with_suffix("").parts
            module = ".".join(part for part in parts if part != "__init__")
            made = mutate_file_contents(str(path), undecorated(path.read_text()))
            path.write_text(made.code.replace(_TRAMPOLINE, _SWITCH))
            found += _mutants_in(module, made.code, list(made.mutant_names))
    return found


def undecorated(code: str) -> str:
    """Return code that decorates its functions in a line of its own, below each.

    ``mutmut`` leaves decorated functions alone, properties among them.
    """
    lines = code.splitlines()
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, _Function)]
    for node in sorted(nodes, key=lambda node: -node.lineno):
        if len(node.decorator_list) != 1 or node.end_lineno is None:
            continue
        text = ast.unparse(node.decorator_list[0])
        if not text.endswith(".setter") and text != "overload":
            indent = " " * node.col_offset
            below = f"{indent}{node.name} = {text}({node.name})"
            lines.insert(node.end_lineno, below)
            del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    return "\n".join(lines) + "\n"


def _mutants_in(module: str, code: str, names: list[str]) -> list[Mutant]:
    nodes = {
        node.name: node
        for node in ast.walk(ast.parse(code))
        if isinstance(node, _Function) and "__mutmut_" in node.name
    }
    sources = {name: _source(code.splitlines(), node) for name, node in nodes.items()}
    reached = {
        name: statements_of(nodes[original_of(name)], _numbers(sources, nodes, name))
        for name in names
    }
    lines = {name: lines_of(node) for name, node in nodes.items()}
    mutants = []
    for name in names:
        taken, given = different(lines[original_of(name)], lines[name])
        mutants.append(
            Mutant(
                module=module,
                name=name,
                taken="\n".join(lines[original_of(name)][slice(*taken)]),
                given="\n".join(lines[name][slice(*given)]),
                lines=reached[name],
            )
        )
    return mutants


def _source(code: list[str], node: _Function) -> list[str]:
    return code[node.body[0].lineno - 1 : node.end_lineno]


def _numbers(
    sources: dict[str, list[str]], nodes: dict[str, _Function], name: str
) -> range:
    """Return the numbers of the lines of the original that a mutant changes.

    Where its body stays, it is a default that is changed, in the line of its name.
    """
    original = original_of(name)
    if sources[original] == sources[name]:
        return range(nodes[original].lineno, nodes[original].lineno + 1)
    (first, end), _ = different(sources[original], sources[name])
    start = nodes[original].body[0].lineno
    return range(start + first, start + end)


def different(
    before: Sequence[str], after: Sequence[str]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where two texts differ: the bounds of the lines in each.

    >>> different(["a", "b", "c"], ["a", "x", "y", "c"])
    ((1, 2), (1, 3))
    """
    least = min(len(before), len(after))
    first = 0
    while first < least and before[first] == after[first]:
        first += 1
    last = 0
    while last < least - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return (first, len(before) - last), (first, len(after) - last)
