"""What each play of two cards is worth against each upcard, as published."""

import tomllib

import pytest

from bj_game.card import parse_cards
from bj_game.hand import total_of
from game.simulation import TRUTH

PLAY = tomllib.loads((TRUTH / "play.toml").read_text())

UPCARDS = "23456789TA"
"""The columns of the figures."""


def values_of(cards: str, column: int) -> dict[str, float]:
    """Return what each play is published to be worth for two cards."""
    points, soft = total_of(parse_cards(" ".join(rank + "s" for rank in cards)))
    name = f"S{points}" if soft else str(points)
    values = {
        "stand": PLAY["stand"][str(max(points, 16))][column],
        "hit": PLAY["hit"][name][column],
        "double": doubled(points, soft, column),
    }
    if name in PLAY["double"]:
        printed = PLAY["double"][name][column]
        assert values["double"] == pytest.approx(printed, abs=3e-6)
    if cards[0] == cards[1]:
        rank = cards[0].replace("T", "10")
        values["split"] = PLAY["split"][rank][column]
    return values


def doubled(points: int, soft: bool, column: int) -> float:
    """Return what one more card and standing is worth, for twice the bet.

    The page leaves out some soft hands; this fills them in.
    """
    worth = 0.0
    for value in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10):
        total = points + value
        if total > 21 and soft:
            total -= 10
        elif value == 1 and total <= 11:
            total += 10
        standing = PLAY["stand"][str(max(total, 16))][column] if total <= 21 else -1
        worth += 2 * standing / 13
    return worth
