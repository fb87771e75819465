"""Settlement: the result of a hand or an insurance, once the dealer has played."""

from dataclasses import dataclass

from bj_game.hand import Hand, HandState, Outcome, SettleReason
from bj_game.house import House


@dataclass(slots=True)
class Result:
    """The end of one hand; ``payout`` is cents handed back, the stake included."""

    outcome: Outcome
    ruling: SettleReason
    payout: int


_OUTCOMES = {
    SettleReason.BUSTED: Outcome.LOSE,
    SettleReason.BOTH_BUSTED: Outcome.PUSH,
    SettleReason.SURRENDERED: Outcome.LOSE,
    SettleReason.GIVEN_UP: Outcome.LOSE,
    SettleReason.NATURAL: Outcome.WIN,
    SettleReason.EVEN_MONEY: Outcome.WIN,
    SettleReason.CHARLIE: Outcome.WIN,
    SettleReason.DEALER_BUSTED: Outcome.WIN,
    SettleReason.HIGHER_TOTAL: Outcome.WIN,
    SettleReason.LOWER_TOTAL: Outcome.LOSE,
    SettleReason.SAME_TOTAL: Outcome.PUSH,
    SettleReason.TIE_TO_DEALER: Outcome.LOSE,
    SettleReason.DEALER_BLACKJACK: Outcome.LOSE,
    SettleReason.TWENTY_ONE_TIES_BLACKJACK: Outcome.PUSH,
}

_EVEN = {Outcome.WIN: 2, Outcome.PUSH: 1, Outcome.LOSE: 0}

_ODDS = {"plain": (1, 1), "1:1": (1, 1), "6:5": (6, 5), "3:2": (3, 2), "2:1": (2, 1)}


_DECIDED = {
    HandState.SURRENDERED: SettleReason.SURRENDERED,
    HandState.GIVEN_UP: SettleReason.GIVEN_UP,
    HandState.CHARLIE: SettleReason.CHARLIE,
}
"""Hands whose result no card of the dealer can change."""


def settle_hand(house: House, hand: Hand, dealer: Hand) -> Result:
    """Return the result of ``hand`` against the dealer's finished hand.

    A win pays even money, a natural as the house says, a push returns the stake, and a
    surrender half of it; odd payouts are rounded down to the cent.
    """
    ruling = _rule(house, hand, dealer)
    outcome = _OUTCOMES[ruling]
    if ruling is SettleReason.SURRENDERED:
        payout = hand.stake // 2
    elif ruling is SettleReason.NATURAL:
        payout = hand.stake + _won(hand.stake, house.natural)
    else:
        payout = _EVEN[outcome] * hand.stake
    return Result(outcome, ruling, payout)


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


def _rule(house: House, hand: Hand, dealer: Hand) -> SettleReason:
    if decided := _DECIDED.get(hand.state):
        return decided
    if hand.is_busted:
        is_tie = house.both_bust == "push" and dealer.is_busted
        return SettleReason.BOTH_BUSTED if is_tie else SettleReason.BUSTED
    if house.knows_blackjack and (hand.is_natural or dealer.is_natural):
        special = _rule_naturals(house, hand, dealer)
        if special is not None:
            return special
    if dealer.is_busted:
        return SettleReason.DEALER_BUSTED
    return _compare(house, hand, dealer)


def _rule_naturals(house: House, hand: Hand, dealer: Hand) -> SettleReason | None:
    if hand.is_at_even_money:
        return SettleReason.EVEN_MONEY
    if hand.is_natural:
        pays_more = house.natural != "plain" and not dealer.is_natural
        return SettleReason.NATURAL if pays_more else None
    if hand.total.points == 21 and not house.blackjack_beats_21:
        return SettleReason.TWENTY_ONE_TIES_BLACKJACK
    return SettleReason.DEALER_BLACKJACK


def _compare(house: House, hand: Hand, dealer: Hand) -> SettleReason:
    difference = hand.total.points - dealer.total.points
    if difference == 0:
        is_push = house.tie == "push"
        return SettleReason.SAME_TOTAL if is_push else SettleReason.TIE_TO_DEALER
    return SettleReason.HIGHER_TOTAL if difference > 0 else SettleReason.LOWER_TOTAL
