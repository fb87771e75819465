"""The dealer against figures from outside, order of cards for order of cards.

No statistics here: every order of ranks that the dealer can draw is dealt in a round of
its own, which says by itself when it wants another card, and counts as often as the
pack has it. What the players hold is not taken out of the pack, as in the tables.
"""

import tomllib
from functools import cache
from itertools import product

import pytest

from bj_game.event import InsuranceSettled
from bj_game.play import Play, Reply
from bj_game.round import Round
from bj_game.shoe import ShoeEmptyError
from game.simulation import RANKS, TRUTH, begin, finish, net_of, outcome_of, stand_on
from game.transcript import load

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

DEALER = tomllib.loads((TRUTH / "dealer.toml").read_text())
NATURAL = tomllib.loads((TRUTH / "natural.toml").read_text())
STAND = tomllib.loads((TRUTH / "play.toml").read_text())["stand"]

PACKS = {"endless": 0, "1 deck": 1, "6 decks": 6, "8 decks": 8, "endless, ace one": 0}


@cache
def rounds_of(name: str, upcard: str) -> list[tuple[str, int]]:
    """Return each order of ranks of the dealer, and what it ends on.

    The player stands on 18, so that the dealer has to play.
    """
    house, found, orders = load(name), [], [upcard]
    while orders:
        order = orders.pop()
        try:
            played = finish(begin(house, "T8", order), [stand_on(4)])
            found.append((order, outcome_of(played)))
        except ShoeEmptyError:
            orders += [order + rank for rank in RANKS]
    return found


def chance(order: str, decks: int) -> float:
    """Return how likely the cards after the first of ``order`` follow it."""
    if not decks:
        return float(4 ** order[1:].count("T") / 13 ** len(order[1:]))
    left = {rank: 16 * decks if rank == "T" else 4 * decks for rank in RANKS}
    left[order[0]] -= 1
    result = 1.0
    for taken, rank in enumerate(order[1:], start=1):
        result *= left[rank] / (52 * decks - taken)
        left[rank] -= 1
    return result


def shares(name: str, upcard: str, decks: int) -> list[float]:
    """Return how often the dealer ends on 17 to 21, a bust and a blackjack."""
    result = [0.0] * 7
    for order, outcome in rounds_of(name, upcard):
        result[outcome] += chance(order, decks)
    return result


def case_of(name: str, upcard: str) -> object:
    """Return a case; one with many orders is for ``make torture`` alone."""
    is_short = upcard in ("6789T" if name == "atlantic-city" else "9T")
    marks = () if is_short else (pytest.mark.torture,)
    return pytest.param(name, upcard, marks=marks)


STANDS_ON_17 = [
    "atlantic-city",
    "cpsc386",
    "cs1114",
    "cs220",
    "european",
    "iipp6",
    "vegas-strip",
]


@pytest.mark.parametrize(
    ("name", "upcard"), [case_of(*case) for case in product(STANDS_ON_17, RANKS)]
)
def test_the_dealer_ends_as_often_on_each_total_as_it_must(
    name: str, upcard: str
) -> None:
    row = upcard.replace("T", "10")
    for table, margin in (("exact", 1e-9), ("printed", 1.5e-6)):
        for pack, rows in DEALER[table].items():
            if ("ace one" in pack) == (load(name).ace == "one"):
                found = shares(name, upcard, PACKS[pack])
                assert found == pytest.approx(rows[row], abs=margin), pack


HANDS = {"16": "T6", "17": "T7", "18": "T8", "19": "T9", "20": "TT", "21": "56T"}


@pytest.mark.parametrize(
    ("name", "upcard"), [case_of("atlantic-city", upcard) for upcard in RANKS]
)
def test_standing_is_worth_what_it_must_be(name: str, upcard: str) -> None:
    house, orders, odds = load(name), rounds_of(name, upcard), shares(name, upcard, 0)
    for total, cards in HANDS.items():
        worth = 0.0
        for outcome in range(6):
            order = next((o for o, ends in orders if ends == outcome), None)
            if order is not None:
                played = finish(begin(house, cards, order), [stand_on(12)])
                worth += odds[outcome] * net_of(played)
        worth /= 1 - odds[6]
        known = STAND[total]["23456789TA".index(upcard)]
        assert worth == pytest.approx(known, abs=1.5e-6), total


def naturals(name: str, decks: int) -> dict[str, float]:
    """Return how often naturals come, and what insuring for a cent brings on average.

    Every deal of four cards is dealt, where a nine stands for all that count 2 to 9.
    """
    counts = {"A": 4 * decks, "T": 16 * decks, "9": 32 * decks}
    sums: dict[str, float] = {}
    for deal in product("AT9", repeat=4):
        weight, left = 1.0, dict(counts)
        for taken, rank in enumerate(deal):
            weight *= left[rank] / (52 * decks - taken)
            left[rank] -= 1
        played = begin(load(name), deal[0] + deal[2], deal[1] + deal[3] + "9")
        insured = insure(played)
        hand, dealer = played.players[0].hands[0], played.dealer
        for key, value in (
            ("player", hand.is_natural),
            ("both", hand.is_natural and dealer.is_natural),
            (f"{deal[1]} up", True),
            (f"{deal[1]} up, natural", dealer.is_natural),
            (f"{deal[1]} up, insured", insured),
        ):
            sums[key] = sums.get(key, 0.0) + weight * value
    return sums


def insure(played: Round) -> float:
    """Insure where it is offered, play the round out, and return the gain per cent."""
    while (prompt := played.prompt) is not None:
        reply = Reply(play=prompt.default)
        if prompt.insurance is not None:
            reply = Reply(play=Play.INSURE, amount=100)
        played.answer(1, reply)
    settled = [e for e in played.take_events() if isinstance(e, InsuranceSettled)]
    return sum((event.payout - event.amount) / event.amount for event in settled)


@pytest.mark.parametrize(
    "name", ["cpsc386", "vegas-strip", "downtown", "european", "atlantic-city"]
)
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_naturals_come_as_often_and_insurance_pays_as_it_must(
    name: str, decks: int
) -> None:
    house, known, found = load(name), NATURAL[str(decks)], naturals(name, decks)
    assert found["player"] == pytest.approx(known["P_player_natural"])
    assert found["both"] == pytest.approx(known["P_both_natural"])
    odds = house.insurance_pays.replace(":", "to")
    for upcard, word in (("A", "ace"), ("T", "ten")):
        share = found[f"{upcard} up, natural"] / found[f"{upcard} up"]
        assert share == pytest.approx(known[f"P_natural_given_{word}_up"])
        worth = found[f"{upcard} up, insured"] / found[f"{upcard} up"]
        is_offered = word == "ace" or house.insurance == "ace_or_ten"
        assert worth == pytest.approx(is_offered * known[f"ev_{odds}_{word}_up"])
