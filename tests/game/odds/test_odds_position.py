"""The worth of plays at one position."""

from dataclasses import replace

import pytest

from bj_game import odds
from bj_game.house import House
from bj_game.play import Play
from game.exact import Exact
from game.simulation import RANKS
from game.transcript import load
from game.worth import UPCARDS, values_of

STRIP = load("vegas-strip")
ENDLESS = replace(STRIP, shoe="endless")
FULL = (Play.HIT, Play.STAND, Play.DOUBLE, Play.SPLIT)


def worths(house: House, cards: str, upcard: str, **more: object) -> dict[str, float]:
    shown = [rank + suit for rank, suit in zip(cards, "shdcsh", strict=False)]
    found = odds.values(house, shown, upcard + "h", **more)  # type: ignore[arg-type]
    return {play.value: value for play, value in found.items()}


@pytest.mark.parametrize("upcard", UPCARDS)
def test_20_1_each_play_is_worth_what_is_published(upcard: str) -> None:
    for first in RANKS:
        for second in RANKS[RANKS.index(first) :]:
            if first + second == "AT":
                continue
            known = values_of(first + second, UPCARDS.index(upcard))
            found = worths(ENDLESS, first + second, upcard)
            if first == second and known["split"] < max(known.values()):
                # The page goes on splitting where that is worse than to play on.
                split = found.pop("split")
                assert known.pop("split") - 3e-6 < split < max(found.values())
            assert found == pytest.approx(known, abs=3e-6), first + second


TORTURE = pytest.mark.torture


@pytest.mark.parametrize(
    ("name", "cards", "upcard"),
    [
        ("european", (6, 10), 10),
        pytest.param("vegas-strip", (8, 8), 10, marks=TORTURE),
        pytest.param("vegas-strip", (1, 6), 1, marks=TORTURE),
        pytest.param("downtown", (7, 9), 9, marks=TORTURE),
        pytest.param("downtown", (2, 10), 3, marks=TORTURE),
    ],
)
def test_20_1_each_card_that_is_out_is_reckoned_with(
    name: str, cards: tuple[int, int], upcard: int
) -> None:
    house = load(name)
    known = Exact(house, upcard).values(*cards)
    known.pop("split", None)
    shown = "".join(RANKS[card - 1] for card in cards)
    found = worths(house, shown, RANKS[upcard - 1])
    found.pop("split", None)
    assert found == pytest.approx(known, abs=1e-12)


@pytest.mark.torture
@pytest.mark.parametrize("card", [6, 7, 8, 9])
def test_20_1_a_split_into_two_is_exact(card: int) -> None:
    house = load("cpsc386")
    known = Exact(house, 10).values(card, card)["split"]
    found = worths(house, 2 * str(card), "T")["split"]
    assert found == pytest.approx(known, abs=1e-12)
