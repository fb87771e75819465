"""What the sources of the product may never do, whoever reads their files."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "protocol/bj_protocol",
    "server/bj_game",
    "server/bj_server",
    "client/bj_client",
)
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))

RUN_WHAT_THEY_READ = {
    "pickle",
    "cPickle",
    "dill",
    "marshal",
    "shelve",
    "yaml",
    "jsonpickle",
}
RUN_TEXT = {"eval", "exec", "compile", "__import__"}
GUESSABLE = {
    "random",
    "choice",
    "choices",
    "randint",
    "shuffle",
    "sample",
    "getrandbits",
}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def called(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def drawn_from_the_module(tree: ast.AST) -> Iterator[str]:
    """Yield the functions of the shared, guessable generator that are called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "random":
                yield node.func.attr


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_S7_S8_no_source_runs_what_it_reads_or_deals_by_a_guessable_generator(
    path: Path,
) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not RUN_WHAT_THEY_READ & set(imported(tree))
    assert not RUN_TEXT & set(called(tree))
    if "client" not in path.parts:
        assert not GUESSABLE & set(drawn_from_the_module(tree))


def test_S7_the_scan_finds_what_it_looks_for() -> None:
    bad = ast.parse(
        "import yaml.loader\nfrom pickle import load\nrandom.shuffle(eval(x))"
    )
    assert set(imported(bad)) == {"yaml", "pickle"}
    assert set(called(bad)) == {"eval"}
    assert set(drawn_from_the_module(bad)) == {"shuffle"}
