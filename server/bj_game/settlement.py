"""Settlement: the result of a hand or an insurance, once the dealer has played."""

from bj_game.hand import Hand, HandState, Outcome, SettleReason
from bj_game.house import House

_ENDS: dict[SettleReason, tuple[Outcome, int | None]] = {
    SettleReason.BUSTED: (Outcome.LOSE, 0),
    SettleReason.BOTH_BUSTED: (Outcome.PUSH, 2),
    SettleReason.SURRENDERED: (Outcome.LOSE, 1),
    SettleReason.GIVEN_UP: (Outcome.LOSE, 0),
    SettleReason.NATURAL: (Outcome.WIN, None),
    SettleReason.EVEN_MONEY: (Outcome.WIN, 4),
    SettleReason.CHARLIE: (Outcome.WIN, 4),
    SettleReason.DEALER_BUSTED: (Outcome.WIN, 4),
    SettleReason.HIGHER_TOTAL: (Outcome.WIN, 4),
    SettleReason.LOWER_TOTAL: (Outcome.LOSE, 0),
    SettleReason.SAME_TOTAL: (Outcome.PUSH, 2),
    SettleReason.TIE_TO_DEALER: (Outcome.LOSE, 0),
    SettleReason.DEALER_BLACKJACK: (Outcome.LOSE, 0),
    SettleReason.TWENTY_ONE_TIES_BLACKJACK: (Outcome.PUSH, 2),
}
"""What each reason comes to, and the halves of the stake that are handed back.

A natural is paid as the house says.
"""

_ODDS = {"plain": (1, 1), "1:1": (1, 1), "6:5": (6, 5), "3:2": (3, 2), "2:1": (2, 1)}

_DECIDED = {
    HandState.SURRENDERED: SettleReason.SURRENDERED,
    HandState.GIVEN_UP: SettleReason.GIVEN_UP,
    HandState.CHARLIE: SettleReason.CHARLIE,
}
"""Hands whose result no card of the dealer can change."""


def settle_hand(
    house: House, hand: Hand, dealer: Hand
) -> tuple[Outcome, SettleReason, int]:
    """Return the end of ``hand`` against the dealer's, why, and the cents handed back.

    A win pays even money, a natural as the house says, a push returns the stake, and a
    surrender half of it; odd payouts are rounded down to the cent.
    """
    reason = _rule(house, hand, dealer)
    outcome, halves = _ENDS[reason]
    if halves is None:
        return outcome, reason, hand.stake + _won(hand.stake, house.natural)
    return outcome, reason, hand.stake * halves // 2


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
    points, against = hand.total.points, dealer.total.points
    if points > 21:
        is_tie = house.both_bust == "push" and against > 21
        return SettleReason.BOTH_BUSTED if is_tie else SettleReason.BUSTED
    if 21 in (points, against) and house.knows_blackjack:
        special = _rule_naturals(house, hand, dealer)
        if special is not None:
            return special
    if against > 21:
        return SettleReason.DEALER_BUSTED
    if points != against:
        is_higher = points > against
        return SettleReason.HIGHER_TOTAL if is_higher else SettleReason.LOWER_TOTAL
    is_push = house.tie == "push"
    return SettleReason.SAME_TOTAL if is_push else SettleReason.TIE_TO_DEALER


def _rule_naturals(house: House, hand: Hand, dealer: Hand) -> SettleReason | None:
    if hand.is_at_even_money:
        return SettleReason.EVEN_MONEY
    if hand.is_natural:
        pays_more = house.natural != "plain" and not dealer.is_natural
        return SettleReason.NATURAL if pays_more else None
    if not dealer.is_natural:
        return None
    if hand.total.points == 21 and not house.blackjack_beats_21:
        return SettleReason.TWENTY_ONE_TIES_BLACKJACK
    return SettleReason.DEALER_BLACKJACK
