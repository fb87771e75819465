"""What is written down of surviving mutants is about the code as it is."""

from collections import Counter

import pytest

from mutation.survivor import Survivor, read_survivors


@pytest.mark.parametrize("survivor", read_survivors(), ids=lambda each: each.function)
def test_the_lines_of_a_survivor_are_still_there(survivor: Survivor) -> None:
    lines = Counter(survivor.lines())
    assert Counter(survivor.taken.splitlines()) <= lines
    assert survivor.given != survivor.taken
    assert len(survivor.why.split()) > 3


def test_no_survivor_is_written_down_twice() -> None:
    found = Counter(survivor.what for survivor in read_survivors())
    assert [what for what, times in found.items() if times > 1] == []


def test_a_survivor_of_other_lines_is_noticed() -> None:
    gone = Survivor(function="bj_game.hand.total_of", taken="gone", given="", why="")
    assert gone.taken not in gone.lines()
    with pytest.raises(LookupError):
        Survivor(function="bj_game.hand.gone", taken="", given="", why="").lines()
