"""What is kept of mutants and tests is true until something changes that it needs."""

from pathlib import Path

import pytest

from mutation import kept, overlay
from mutation.group import Group
from mutation.kept import MISTYPED, Kept, Reached, Result
from mutation.overlay import Mutant

GROUP = Group(
    name="some", package="some", modules=("*.py",), tests=("tests/some",), goal=90
)
ONE, OTHER = "tests/some/test_one.py", "tests/some/test_other.py"
STATUS = {
    "refused": Result(MISTYPED),
    "dead": Result("killed", f"{ONE}::test_a"),
    "dead too": Result("killed", f"{OTHER}::test_b"),
    "alive": Result("survived"),
}


def mutant(given: str) -> Mutant:
    return Mutant(module="m", name="x_f", taken="", given=given, lines=frozenset())


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    monkeypatch.setattr(overlay, "ROOT", tmp_path)
    for name in (ONE, OTHER, "tests/some/conftest.py", "server/some/rule.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".mutants" / "some").mkdir(parents=True)
    found = Kept(GROUP)
    assert found.is_new
    found.put({mutant(name): result for name, result in STATUS.items()})
    found.put_reach(f"{ONE}::test_a", Reached(0.5, {("m", 3), ("m", 1), ("n", 2)}))
    return tmp_path


def names() -> set[str]:
    return {what.rpartition("+ ")[2] for what in Kept(GROUP).results()}


def test_what_came_of_a_mutant_is_kept_while_all_stays_the_same(root: Path) -> None:
    assert names() == set(STATUS)
    assert not Kept(GROUP).is_new
    reached = Kept(GROUP).reach()
    assert reached == {f"{ONE}::test_a": Reached(0.5, {("m", 1), ("m", 3), ("n", 2)})}


def test_a_death_is_kept_until_the_file_of_its_test_changes(root: Path) -> None:
    (root / OTHER).write_text("changed")
    assert names() == {"refused", "dead"}
    assert Kept(GROUP).reach()
    (root / ONE).unlink()
    assert names() == {"refused"}
    assert not Kept(GROUP).reach()


@pytest.mark.parametrize("name", ["tests/some/conftest.py", "server/some/rule.py"])
def test_of_other_sources_only_the_killers_are_kept(root: Path, name: str) -> None:
    (root / name).write_text("changed")
    found = Kept(GROUP)
    assert found.is_new
    assert not found.results()
    assert not found.reach()
    assert set(found.killers().values()) == {f"{ONE}::test_a", f"{OTHER}::test_b"}
