"""Verdicts: who won what, and by which rule; the rule is always named."""

from bj_client.money import dollars
from bj_client.table import Table
from bj_protocol.events import HandSettled, InsuranceSettled, SettleReason
from bj_protocol.views import Outcome

__all__ = ["hand_verdict", "insurance_verdict", "player"]


def player(table: Table, seat: int, hand: int) -> str:
    """Return who a hand belongs to, and which hand it is where there are several."""
    if seat == 0:
        return "The dealer"
    taken = table.seat(seat)
    return f"{taken.handle} (hand {hand + 1})" if len(taken.hands) > 1 else taken.handle


def hand_verdict(event: HandSettled, table: Table) -> str:
    """Return the result of a hand as one sentence that names the rule."""
    who = player(table, event.seat, event.hand)
    total = table.hand(event.seat, event.hand).total
    rule = _rule(event, table)
    match event.outcome:
        case Outcome.WIN:
            won = dollars(event.payout - event.stake)
            return f"{who} wins {won} with {total}: {rule}."
        case Outcome.LOSE:
            lost = dollars(event.stake - event.payout)
            return f"{who} loses {lost} with {total}: {rule}."
        case Outcome.PUSH:
            back = dollars(event.payout)
            return f"{who} pushes with {total}: {rule}; {back} comes back."


def _rule(event: HandSettled, table: Table) -> str:
    dealer = table.dealer.total
    match event.reason:
        case SettleReason.BUSTED:
            return "more than 21 is bust"
        case SettleReason.DEALER_BUSTED:
            return f"the dealer is bust with {dealer}"
        case SettleReason.HIGHER_TOTAL:
            return f"the dealer has only {dealer}"
        case SettleReason.LOWER_TOTAL:
            return f"the dealer has {dealer}"
        case SettleReason.SAME_TOTAL:
            return _TIES[event.outcome]
        case SettleReason.DEALER_BLACKJACK:
            return "the dealer has a blackjack"
        case SettleReason.TWENTY_ONE_TIES_BLACKJACK:
            return "a 21 does not lose to a blackjack here"


_TIES = {
    Outcome.WIN: "the player wins equal totals here",
    Outcome.LOSE: "the dealer wins equal totals here",
    Outcome.PUSH: "equal totals move no money here",
}


def insurance_verdict(event: InsuranceSettled, table: Table) -> str:
    """Return the result of an insurance as one sentence."""
    who = player(table, event.seat, event.hand)
    match event.outcome:
        case Outcome.WIN:
            won = dollars(event.payout - event.amount)
            return f"The insurance of {who} wins {won}: the dealer has a blackjack."
        case Outcome.LOSE:
            lost = dollars(event.amount - event.payout)
            return f"The insurance of {who} loses {lost}: the dealer has no blackjack."
        case Outcome.PUSH:
            back = dollars(event.payout)
            return f"The insurance of {who} is void: {back} comes back."
