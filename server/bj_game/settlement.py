"""Settlement: what a hand or an insurance brings, once the dealer has played."""

from dataclasses import dataclass
from enum import StrEnum

from bj_game.hand import Hand

__all__ = ["Outcome", "Result", "Ruling", "settle_hand", "settle_insurance"]


class Outcome(StrEnum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class Ruling(StrEnum):
    """The rule that decided a hand."""

    BUSTED = "busted"
    DEALER_BUSTED = "dealer_busted"
    HIGHER_TOTAL = "higher_total"
    LOWER_TOTAL = "lower_total"
    SAME_TOTAL = "same_total"
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
    Ruling.DEALER_BUSTED: Outcome.WIN,
    Ruling.HIGHER_TOTAL: Outcome.WIN,
    Ruling.LOWER_TOTAL: Outcome.LOSE,
    Ruling.SAME_TOTAL: Outcome.PUSH,
    Ruling.DEALER_BLACKJACK: Outcome.LOSE,
    Ruling.TWENTY_ONE_TIES_BLACKJACK: Outcome.PUSH,
}


def settle_hand(hand: Hand, dealer: Hand) -> Result:
    """Return the result of ``hand`` against the dealer's finished hand.

    Every win pays even money, a push returns the stake, and a 21 of any kind does not
    lose to a blackjack (``specs/cpsc386.txt``, "Rules" and its insurance paragraph).
    """
    ruling = _rule(hand, dealer)
    outcome = _OUTCOMES[ruling]
    return Result(outcome=outcome, ruling=ruling, payout=_payout(outcome, hand.stake))


def settle_insurance(amount: int, dealer: Hand) -> tuple[Outcome, int]:
    """Return the outcome and payout of an insurance of ``amount`` cents.

    It is a wager of its own: it wins, at even money, only against a blackjack,
    whatever becomes of the hand.
    """
    outcome = Outcome.WIN if dealer.is_natural else Outcome.LOSE
    return outcome, _payout(outcome, amount)


def _payout(outcome: Outcome, wager: int) -> int:
    return {Outcome.WIN: 2 * wager, Outcome.PUSH: wager, Outcome.LOSE: 0}[outcome]


def _rule(hand: Hand, dealer: Hand) -> Ruling:
    if hand.is_busted:
        return Ruling.BUSTED
    if dealer.is_natural and not hand.is_natural:
        is_21 = hand.total.points == 21
        return Ruling.TWENTY_ONE_TIES_BLACKJACK if is_21 else Ruling.DEALER_BLACKJACK
    if dealer.is_busted:
        return Ruling.DEALER_BUSTED
    difference = hand.total.points - dealer.total.points
    if difference == 0:
        return Ruling.SAME_TOTAL
    return Ruling.HIGHER_TOTAL if difference > 0 else Ruling.LOWER_TOTAL
