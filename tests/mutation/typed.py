"""Mutants that the type checker notices: one run over all of them at once.

The checker is a part of ``make check``, so a mutant that it refuses is as dead as one
that a test does. What it says of a mutant counts where it says it of the original less.
"""

import ast
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict

from mutation.group import Group
from mutation.overlay import ROOT, Mutant, folder_of, original_of

_ERROR = re.compile(r"(?P<path>[^:]+):(?P<line>\d+): error: (?P<text>.*)")


def refused(group: Group, mutants: list[Mutant]) -> set[Mutant]:
    """Return the mutants of an overlay that have an error of types."""
    said = _said(group)
    return {
        mutant for mutant in mutants if said[mutant.key] - said[original_of(mutant.key)]
    }


def _said(group: Group) -> defaultdict[str, Counter[str]]:
    """Return what the checker says of each function, by its module and name."""
    folder = folder_of(group)
    files = [
        path
        for pattern in group.modules
        for path in sorted((folder / group.package).glob(pattern))
    ]
    cache = f"--cache-dir={folder / 'types'}"
    command = [sys.executable, "-m", "mypy", cache, "--no-error-summary"]
    checked = subprocess.run(
        [*command, *map(str, files)],
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    functions = {
        str(path.relative_to(ROOT)): _functions(path.read_text()) for path in files
    }
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for match in map(_ERROR.match, checked.stdout.splitlines()):
        if match and match["path"] in functions:
            name = functions[match["path"]].get(int(match["line"]), "")
            module = match["path"].removesuffix(".py").removesuffix("/__init__")
            words = module.split("/")[len(folder.relative_to(ROOT).parts) :]
            text = re.sub(r"__mutmut_\w+", "", match["text"])
            said[f"{'.'.join(words)}.{name}"][text] += 1
    return said


def _functions(code: str) -> dict[int, str]:
    """Return for each line of a mutant, or of an original, the name of its function."""
    found: dict[int, str] = {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            last = node.end_lineno or node.lineno
            if "__mutmut_" in node.name:
                found |= dict.fromkeys(range(node.lineno, last + 1), node.name)
    return found
