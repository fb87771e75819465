"""Verdicts: the result of each wager, with the rule that decided it."""

from bj_client.model.table import Table
from bj_client.words.money import dollars
from bj_protocol.action import SettleReason
from bj_protocol.events import HandSettled, InsuranceSettled
from bj_protocol.views import Outcome


def player(table: Table, seat: int, hand: int) -> str:
    """Return the player of a hand, and the number of the hand if there are several."""
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
    return _RULES[event.reason].format(
        dealer=table.dealer.total,
        cards=len(table.hand(event.seat, event.hand).cards),
        won=dollars(event.payout - event.stake),
        stake=dollars(event.stake),
    )


_RULES = {
    SettleReason.BUSTED: "more than 21 is bust",
    SettleReason.BOTH_BUSTED: "the dealer is bust too, which is a tie here",
    SettleReason.SURRENDERED: "half of the stake comes back for a surrender",
    SettleReason.GIVEN_UP: "it was given up",
    SettleReason.NATURAL: "a blackjack pays {won} on {stake} here",
    SettleReason.EVEN_MONEY: "even money was taken",
    SettleReason.CHARLIE: "{cards} cards without a bust win here",
    SettleReason.DEALER_BUSTED: "the dealer is bust with {dealer}",
    SettleReason.HIGHER_TOTAL: "the dealer has only {dealer}",
    SettleReason.LOWER_TOTAL: "the dealer has {dealer}",
    SettleReason.SAME_TOTAL: "equal totals move no money here",
    SettleReason.TIE_TO_DEALER: "the dealer wins equal totals here",
    SettleReason.DEALER_BLACKJACK: "the dealer has a blackjack",
    SettleReason.TWENTY_ONE_TIES_BLACKJACK: "a 21 does not lose to a blackjack here",
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
