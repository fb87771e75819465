"""Amounts: what a strategy wants to wager, made into cents that are legal."""

import math
import operator

from bj_client.bot.fault import STRATEGY_FAULTS
from bj_client.money import short
from bj_protocol.views import WagerRange


class NoAmount(ValueError):
    """Something is no amount of money; the first argument is a clause."""


def nearest_amount(asked: object, limits: WagerRange) -> tuple[int, str]:
    """Return the legal cents nearest to ``asked`` dollars, and why they are not those.

    The reason is a clause, empty where the wager is as asked. 0 dollars are no wager,
    and always legal; so is 0 where the limits allow nothing. Where they allow one
    amount alone, the house has decided, and a larger or smaller one is no mistake.

    Raises:
        NoAmount: if it is no number, or less than nothing.
    """
    dollars, flaw = _whole(asked)
    if dollars < 0:
        raise NoAmount("less than nothing")
    if dollars == 0 and not flaw:
        return 0, ""
    amount = _nearest(100 * dollars, limits)
    if limits.minimum == limits.maximum:
        return amount, flaw
    if 100 * dollars > limits.maximum:
        flaw = f"more than the most that is legal, {short(limits.maximum)}"
    elif 100 * dollars < limits.minimum:
        flaw = f"less than the least that is legal, {short(limits.minimum)}"
    elif amount != 100 * dollars:
        flaw = f"not a whole multiple of {short(limits.step)}"
    return amount, flaw


def _whole(asked: object) -> tuple[int, str]:
    """Return a number without its fraction, and what is to be said about it.

    A plain int in return, and no method of a subclass is trusted: it may do anything.
    """
    if type(asked) is bool:
        raise NoAmount("not a number of dollars")
    if isinstance(asked, float) and math.isfinite(amount := float.__float__(asked)):
        return math.floor(amount), "not a whole number of dollars, an int"
    try:
        # Whatever it is: that it has no index is one of the faults that are caught.
        return int.__index__(operator.index(asked)), ""  # type: ignore[arg-type]
    except STRATEGY_FAULTS:
        raise NoAmount("not a number of dollars") from None


def _nearest(amount: int, limits: WagerRange) -> int:
    """Return the wager nearest to ``amount`` from below, at least the minimum."""
    most = min(amount, limits.maximum)
    wager = max(most - most % limits.step, limits.minimum)
    return wager if wager <= limits.maximum else 0
