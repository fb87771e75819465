"""Payout: the money and the records that follow from the events of a round.

``handles`` are those of the round's seats. The results are written down when the round
is played, and made once more when somebody audits it.
"""

from collections.abc import Iterable, Mapping

from bj_game import event as game
from bj_game.hand import Outcome, SettleReason
from bj_server.bank import move
from bj_server.bank.move import Payment, Stake

Settled = game.HandSettled | game.InsuranceSettled

_HAND_REASONS = {
    Outcome.WIN: move.Reason.HAND_WON,
    Outcome.LOSE: move.Reason.HAND_LOST,
    Outcome.PUSH: move.Reason.PUSH,
}

_INSURANCE_REASONS = {
    Outcome.WIN: move.Reason.INSURANCE_WON,
    Outcome.LOSE: move.Reason.INSURANCE_LOST,
}


def wagers_of(handle: str, happened: Iterable[game.RoundEvent]) -> list[Stake]:
    """Return the new money that the events after a decision of ``handle`` risk."""
    wagers: list[tuple[int, move.Reason]] = []
    for event in happened:
        match event:
            case game.HandSplit(stake=stake):
                wagers.append((stake, move.Reason.SPLIT))
            case game.HandDoubled(stake=stake):
                wagers.append((stake // 2, move.Reason.DOUBLE))
            case game.HandInsured(amount=amount):
                wagers.append((amount, move.Reason.INSURANCE))
            case _:
                pass
    return [Stake(handle=handle, amount=a, reason=r) for a, r in wagers]


def settled_among(happened: Iterable[game.RoundEvent]) -> list[Settled]:
    """Return the events that pay something out, or do not."""
    return [event for event in happened if isinstance(event, Settled)]


def payment_of(event: Settled, handles: Mapping[int, str]) -> Payment:
    """Return the payment of a wager."""
    if isinstance(event, game.InsuranceSettled):
        reason, stake = _INSURANCE_REASONS[event.outcome], event.amount
    elif event.reason is SettleReason.SURRENDERED:
        reason, stake = move.Reason.HAND_SURRENDERED, event.stake
    else:
        reason, stake = _HAND_REASONS[event.outcome], event.stake
    handle = handles[event.seat]
    return Payment(handle=handle, reason=reason, stake=stake, payout=event.payout)


def result_of(event: Settled, handles: Mapping[int, str]) -> dict[str, object]:
    """Return the record of the end of a wager, as plain JSON."""
    result: dict[str, object] = {
        "handle": handles[event.seat],
        "seat": event.seat,
        "hand": event.hand,
        "outcome": str(event.outcome),
        "payout": event.payout,
    }
    if isinstance(event, game.HandSettled):
        return result | {"stake": event.stake, "ruling": str(event.reason)}
    return result | {"insurance": event.amount}
