"""Settlement: the result of a hand or an insurance, once the dealer has played."""

from dataclasses import dataclass
from enum import StrEnum

from bj_game.hand import Hand, Stage
from bj_game.house import House


class Outcome(StrEnum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class Ruling(StrEnum):
    """The rule that decided a hand."""

    BUSTED = "busted"
    BOTH_BUSTED = "both_busted"
    SURRENDERED = "surrendered"
    GIVEN_UP = "given_up"
    NATURAL = "natural"
    EVEN_MONEY = "even_money"
    CHARLIE = "charlie"
    DEALER_BUSTED = "dealer_busted"
    HIGHER_TOTAL = "higher_total"
    LOWER_TOTAL = "lower_total"
    SAME_TOTAL = "same_total"
    TIE_TO_DEALER = "tie_to_dealer"
    DEALER_BLACKJACK = "dealer_blackjack"
    TWENTY_ONE_TIES_BLACKJACK = "twenty_one_ties_blackjack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The end of one hand; ``payout`` is cents handed back, the stake included."""

    outcome: Outcome
    ruling: Ruling
    payout: int


_OUTCOMES = {
    Ruling.BUSTED: Outcome.LOSE,
    Ruling.BOTH_BUSTED: Outcome.PUSH,
    Ruling.SURRENDERED: Outcome.LOSE,
    Ruling.GIVEN_UP: Outcome.LOSE,
    Ruling.NATURAL: Outcome.WIN,
    Ruling.EVEN_MONEY: Outcome.WIN,
    Ruling.CHARLIE: Outcome.WIN,
    Ruling.DEALER_BUSTED: Outcome.WIN,
    Ruling.HIGHER_TOTAL: Outcome.WIN,
    Ruling.LOWER_TOTAL: Outcome.LOSE,
    Ruling.SAME_TOTAL: Outcome.PUSH,
    Ruling.TIE_TO_DEALER: Outcome.LOSE,
    Ruling.DEALER_BLACKJACK: Outcome.LOSE,
    Ruling.TWENTY_ONE_TIES_BLACKJACK: Outcome.PUSH,
}

_EVEN = {Outcome.WIN: 2, Outcome.PUSH: 1, Outcome.LOSE: 0}

_ODDS = {"plain": (1, 1), "1:1": (1, 1), "6:5": (6, 5), "3:2": (3, 2), "2:1": (2, 1)}


_DECIDED = {
    Stage.SURRENDERED: Ruling.SURRENDERED,
    Stage.GIVEN_UP: Ruling.GIVEN_UP,
    Stage.CHARLIE: Ruling.CHARLIE,
}
"""Hands whose result no card of the dealer can change."""


def settle_hand(house: House, hand: Hand, dealer: Hand) -> Result:
    """Return the result of ``hand`` against the dealer's finished hand.

    A win pays even money, a natural as the house says, a push returns the stake, and a
    surrender half of it; odd payouts are rounded down to the cent.
    """
    ruling = _rule(house, hand, dealer)
    outcome = _OUTCOMES[ruling]
    if ruling is Ruling.SURRENDERED:
        payout = hand.stake // 2
    elif ruling is Ruling.NATURAL:
        payout = hand.stake + _won(hand.stake, house.natural)
    else:
        payout = {Outcome.WIN: 2, Outcome.PUSH: 1, Outcome.LOSE: 0}[
            outcome
        ] * hand.stake
    return Result(outcome=outcome, ruling=ruling, payout=payout)


def settle_insurance(house: House, amount: int, dealer: Hand) -> tuple[Outcome, int]:
    """Return the outcome and payout of an insurance of ``amount`` cents.

    It is a wager of its own: it wins only against a blackjack, whatever becomes of the
    hand.
    """
    if dealer.is_natural:
        return Outcome.WIN, amount + _won(amount, house.insurance_pays)
    return Outcome.LOSE, 0


def _won(wager: int, odds: str) -> int:
    times, over = _ODDS[odds]
    return wager * times // over


def _rule(house: House, hand: Hand, dealer: Hand) -> Ruling:
    if hand.stage in _DECIDED:
        return _DECIDED[hand.stage]
    if hand.is_busted:
        is_tie = house.both_bust == "push" and dealer.is_busted
        return Ruling.BOTH_BUSTED if is_tie else Ruling.BUSTED
    if house.knows_blackjack and (hand.is_natural or dealer.is_natural):
        special = _rule_naturals(house, hand, dealer)
        if special is not None:
            return special
    if dealer.is_busted:
        return Ruling.DEALER_BUSTED
    return _compare(house, hand, dealer)


def _rule_naturals(house: House, hand: Hand, dealer: Hand) -> Ruling | None:
    if hand.is_at_even_money:
        return Ruling.EVEN_MONEY
    if hand.is_natural:
        pays_more = house.natural != "plain" and not dealer.is_natural
        return Ruling.NATURAL if pays_more else None
    if hand.total.points == 21 and not house.blackjack_beats_21:
        return Ruling.TWENTY_ONE_TIES_BLACKJACK
    return Ruling.DEALER_BLACKJACK


def _compare(house: House, hand: Hand, dealer: Hand) -> Ruling:
    difference = hand.total.points - dealer.total.points
    if difference == 0:
        return Ruling.SAME_TOTAL if house.tie == "push" else Ruling.TIE_TO_DEALER
    return Ruling.HIGHER_TOTAL if difference > 0 else Ruling.LOWER_TOTAL
