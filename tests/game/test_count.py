"""The count: what Hi-Lo says of a shoe, and from which count on a play changes."""

import pytest

from bj_game.card import PACK
from bj_game.play import Play
from bj_game.strategy import (
    best_of,
    index,
    likely_counts,
    running_count,
    true_count,
)
from game.transcript import load

STRIP = load("vegas-strip")


def test_a_whole_pack_counts_nothing() -> None:
    assert running_count(map(str, PACK)) == 0
    assert running_count([]) == 0


def test_a_true_count_is_for_each_pack_that_is_left() -> None:
    assert true_count(-3, 26) == -6
    assert true_count(5, 0) == 0


@pytest.mark.parametrize("true", [-10, -3, 0, 1, 10])
def test_the_likely_cards_have_the_count_that_they_are_for(true: int) -> None:
    counts = likely_counts(true)
    assert sum(counts) == 520
    # What is left has as much too many as what is out has too few.
    high, low = counts[0] + counts[9], sum(counts[1:6])
    assert high - low == 10 * true
    assert likely_counts(99) == likely_counts(10)


@pytest.mark.parametrize(
    ("cards", "upcard", "play", "true"),
    [
        ("Th 6d", "Ts", Play.STAND, 1),
        ("Th 5d", "Ts", Play.STAND, 4),
        ("Th 2d", "3s", Play.STAND, 2),
        ("5h 4d", "2s", Play.DOUBLE, 1),
        ("Th Td", "6s", Play.SPLIT, 5),
    ],
)
def test_the_indices_of_a_casino_are_those_of_the_books(
    cards: str, upcard: str, play: Play, true: int
) -> None:
    # Within one of the Illustrious 18, which are for other rules and floored otherwise.
    found = index(STRIP, cards.split(), upcard, play)
    assert found is not None
    assert abs(found - true) <= 1


@pytest.mark.parametrize(
    ("cards", "upcard", "play"),
    [("Th 9d", "6s", Play.STAND), ("Th 9d", "6s", Play.HIT)],
)
def test_a_play_that_no_count_changes_has_no_index(
    cards: str, upcard: str, play: Play
) -> None:
    assert index(STRIP, cards.split(), upcard, play) is None


def test_the_best_play_is_one_that_is_legal() -> None:
    eights = (STRIP, ["8h", "8d"], "6s", likely_counts(0))
    assert best_of(*eights, ["split", "hit", "stand"]) == "split"
    assert best_of(*eights, ["hit", "stand"]) == "stand"
    # With aces that count as their player has said, a soft 17 may be a 7.
    own = load("cs220")
    assert best_of(own, ["Ah", "6d"], "6s", None, ["hit", "stand"], 7) == "hit"
