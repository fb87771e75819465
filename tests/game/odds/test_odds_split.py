"""Splits, against every order in which the second cards can come."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bj_game import odds
from bj_game.house import House
from bj_game.odds.dealer import distribution
from bj_game.odds.hand import result
from bj_game.odds.ranks import whole_shoe, without
from bj_game.play import Play
from game.transcript import load

# Nobody draws, so that no half can be played by the cards of another.
STILL = replace(
    load("iipp6"),
    hit=False,
    give_up=False,
    complete_at_21=True,
    tie="push",
    split="value",
    max_hands=4,
    dealer_draws="needed",
)


def cards_of(counts: tuple[int, ...]) -> Iterator[tuple[int, float]]:
    """Yield each card that may come, and how likely it is."""
    for rank, n in enumerate(counts, start=1):
        if n:
            yield rank, n / sum(counts)


class Walk:
    """Every second card that every half can get."""

    def __init__(self, house: House, rank: int, upcard: int) -> None:
        self.house, self.rank, self.upcard = house, rank, upcard
        self.worths: dict[tuple[int, ...], dict[int, float]] = {}

    def worth(self) -> float:
        pair = (self.upcard, self.rank, self.rank)
        return self.of(2, 2, without(whole_shoe(self.house), pair), ())

    def of(
        self, waiting: int, hands: int, left: tuple[int, ...], seconds: tuple[int, ...]
    ) -> float:
        """Return what all halves win, however the dealer ends."""
        if not waiting:
            return sum(self.stand(left, self.rank + second) for second in seconds)
        worth = 0.0
        for card, share in cards_of(left):
            rest = without(left, [card])
            if card == self.rank and hands < self.house.max_hands:
                worth += share * self.of(waiting + 1, hands + 1, rest, seconds)
            else:
                worth += share * self.of(waiting - 1, hands, rest, (*seconds, card))
        return worth

    def stand(self, left: tuple[int, ...], points: int) -> float:
        if left not in self.worths:
            ends = distribution(self.house, self.upcard, left, is_endless=False)
            self.worths[left] = {
                points: sum(
                    chance * result(self.house, points, end)
                    for end, chance in ends.items()
                )
                for points in range(2, 22)
            }
        return self.worths[left][points]


@pytest.mark.parametrize("hands", [2, 3])
def test_20_1_a_split_is_worth_what_every_order_brings(hands: int) -> None:
    house = replace(STILL, max_hands=hands, ace="one")
    found = odds.values(house, ["8s", "8h"], "6d")[Play.SPLIT]
    assert found == pytest.approx(Walk(house, 8, 6).worth(), abs=1e-12)


@pytest.mark.torture
@pytest.mark.parametrize(("decks", "error"), [(1, 1e-12), (2, 1e-6), (4, 2e-6)])
def test_20_1_a_split_into_four_is_worth_what_every_order_brings(
    decks: int, error: float
) -> None:
    house = replace(STILL, ace="one", decks=decks)
    found = odds.values(house, ["8s", "8h"], "6d")[Play.SPLIT]
    assert found == pytest.approx(Walk(house, 8, 6).worth(), abs=error)


def test_20_1_two_decks_split_better_than_one() -> None:
    values = [
        odds.values(replace(STILL, decks=decks), ["8s", "8h"], "6d")[Play.SPLIT]
        for decks in (1, 2)
    ]
    assert values == sorted(values)


def test_20_1_more_hands_are_worth_more_and_aces_are_split_once() -> None:
    house = replace(load("vegas-strip"), hole_card="no_peek", even_money=False)
    values = [
        odds.values(replace(house, max_hands=most), ["8s", "8h"], "Td")[Play.SPLIT]
        for most in (2, 3, 4)
    ]
    assert values == sorted(values)
    aces = [
        odds.values(replace(house, resplit_aces=again), ["As", "Ah"], "Td")[Play.SPLIT]
        for again in (False, True)
    ]
    assert aces == sorted(aces)


def test_20_1_tens_are_split_by_rank_or_by_value() -> None:
    endless = replace(load("vegas-strip"), shoe="endless")
    for house in (endless, load("vegas-strip")):
        by_rank = replace(house, split="rank")
        assert Play.SPLIT not in odds.values(by_rank, ["Ts", "Kh"], "9d")
        assert Play.SPLIT in odds.values(house, ["Ts", "Kh"], "9d")
        # Nobody splits tens again, so it is all the same how many of a rank there are.
        by_value = odds.values(house, ["Ts", "Th"], "9d")[Play.SPLIT]
        found = odds.values(by_rank, ["Ts", "Th"], "9d")[Play.SPLIT]
        assert found == pytest.approx(by_value, abs=1e-5)


def test_20_1_a_pair_of_the_last_cards_of_its_rank_is_split_once() -> None:
    house = load("vegas-strip")
    counts = [16] * 7 + [0, 16, 64]
    eights = ["8s", "8h"]
    often = odds.values(house, eights, "9d", counts)[Play.SPLIT]
    once = odds.values(replace(house, max_hands=2), eights, "9d", counts)[Play.SPLIT]
    assert often == pytest.approx(once, abs=1e-12)
