"""The chart of basic strategy, play for play, against figures from outside.

Once by what it takes, and once by what that brings: in an endless deck every order of
cards that the player can draw is dealt in a round of its own, and nothing is left to
chance.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

import pytest

from bj_game.shoe import ShoeEmptyError
from bj_game.strategy import basic_play
from game.simulation import RANKS, TRUTH, basic, begin, finish, net_of, outcome_of
from game.transcript import load
from game.worth import PLAY, UPCARDS, values_of

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

DEALER = tomllib.loads((TRUTH / "dealer.toml").read_text())["exact"]["endless"]
STRIP = load("vegas-strip")
ENDLESS = replace(STRIP, shoe="endless")
BASIC = basic(ENDLESS)


def two_cards() -> Iterator[str]:
    """Yield the hands of two cards that are asked anything, by rank."""
    for first, second in combinations_with_replacement(UPCARDS, 2):
        if first + second != "TA":
            yield first + second


def choice(cards: str, upcard: str) -> str | None:
    """Return what the chart does with two cards."""
    legal = list(values_of(cards, UPCARDS.index(upcard)))
    return basic_play(ENDLESS, [rank + "s" for rank in cards], upcard + "h", legal)


@pytest.mark.parametrize("upcard", UPCARDS)
def test_the_chart_takes_the_play_that_is_worth_most(upcard: str) -> None:
    for cards in two_cards():
        values = values_of(cards, UPCARDS.index(upcard))
        best = max(values, key=lambda play: values[play])
        taken = choice(cards, upcard)
        assert taken == best, cards


@pytest.mark.parametrize("upcard", UPCARDS)
def test_the_chart_takes_the_better_play_for_more_than_two_cards(upcard: str) -> None:
    column = UPCARDS.index(upcard)
    for points in range(12, 21):
        stand = PLAY["stand"][str(max(points, 16))][column]
        for cards, name in (
            (["Ts", "2s"] + ["As"] * (points - 12), str(points)),
            (["As"] * (points - 10), f"S{points}"),
        ):
            best = "hit" if PLAY["hit"][name][column] > stand else "stand"
            assert basic_play(ENDLESS, cards, upcard + "h", ["hit", "stand"]) == best, (
                cards
            )


def dealers(upcard: str) -> list[str]:
    """Return an order of the dealer's cards for each end but a blackjack."""
    found: dict[int, str] = {}
    for length in (1, 2, 3, 4):
        for drawn in product(RANKS, repeat=length):
            order = upcard + "".join(drawn)
            try:
                played = finish(begin(STRIP, "T8", order), [BASIC])
            except ShoeEmptyError:
                continue
            if len(played.dealer.cards) == len(order):
                found.setdefault(outcome_of(played), order)
        if all(outcome in found for outcome in range(6)):
            break
    return [found[outcome] for outcome in range(6)]


def worth(cards: str, upcard: str, orders: list[str]) -> float:
    """Return what the chart brings with two cards, where the dealer has no natural."""
    row = DEALER[upcard.replace("T", "10")]
    known: dict[tuple[int, int], float] = {}
    result, drawn = 0.0, [""]
    while drawn:
        draws = drawn.pop()
        try:
            played = finish(begin(STRIP, cards + draws, orders[0]), [BASIC])
        except ShoeEmptyError:
            played = None
        hand = played.players[0].hands[0] if played else None
        if hand is None or len(hand.cards) > len(cards + draws):
            drawn += [draws + rank for rank in RANKS]
            continue
        ends = (min(hand.total.points, 22), hand.stake)
        if ends not in known:
            nets = [
                net_of(finish(begin(STRIP, cards + draws, order), [BASIC]))
                for order in orders
            ]
            shares = zip(nets, row, strict=False)
            known[ends] = sum(net * share for net, share in shares) / (1 - row[6])
        result += known[ends] * 4 ** draws.count("T") / 13 ** len(draws)
    return result


def case_of(upcard: str) -> object:
    """Return a case; where the player draws much, it is for ``make torture`` alone."""
    is_long = upcard in "789TA"
    return pytest.param(upcard, marks=(pytest.mark.torture,) if is_long else ())


@pytest.mark.parametrize("upcard", [case_of(upcard) for upcard in UPCARDS])
def test_the_chart_brings_what_its_play_is_worth(upcard: str) -> None:
    orders = dealers(upcard)
    for cards in two_cards():
        taken = choice(cards, upcard)
        if taken is not None and taken != "split":
            known = values_of(cards, UPCARDS.index(upcard))[taken]
            assert worth(cards, upcard, orders) == pytest.approx(known, abs=3e-6), cards
