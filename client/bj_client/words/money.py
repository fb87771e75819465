"""Money as people write and read it; inside it is always whole cents."""

import re

from bj_protocol.model import MAX_WAGER
from bj_protocol.views import WagerRange

ANY_WAGER = WagerRange(minimum=1, maximum=MAX_WAGER, step=1)
"""The wagers where an ask does not say which."""
_LONGEST = 40
_amount = re.compile(
    r"\$? ?(?P<dollars>[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.(?P<cents>[0-9]{1,2}))?"
)


class WagerError(ValueError):
    """A text that is no possible wager; the first argument is a clause."""


def dollars(cents: int) -> str:
    """Return an amount in full.

    >>> dollars(1_000_000), dollars(-5)
    ('$10,000.00', '-$0.05')
    """
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02}"


def short(cents: int) -> str:
    """Return an amount without cents where there are none.

    >>> short(1_000_000), short(995_050)
    ('$10,000', '$9,950.50')
    """
    return dollars(cents).removesuffix(".00")


def span(wager: WagerRange) -> str:
    """Return the range of a wager, such as ``$1 to $500``, or the one amount there is.

    >>> span(WagerRange(minimum=500, maximum=500, step=500))
    '$5'
    """
    least, most = short(wager.minimum), short(wager.maximum)
    return least if least == most else f"{least} to {most}"


def largest(wager: WagerRange) -> int:
    """Return the largest amount that is allowed, in cents."""
    return wager.maximum // wager.step * wager.step


def amounts(wager: WagerRange) -> str:
    """Return the amounts that may be typed, as a part of a sentence."""
    if wager.minimum == wager.maximum:
        return span(wager)
    if wager.step == 100:
        return f"whole dollars from {span(wager)}"
    steps = "" if wager.step == 1 else f" in steps of {short(wager.step)}"
    return f"an amount from {span(wager)}{steps}"


def rough(cents: int, room: int) -> str:
    """Return an amount in at most ``room`` characters if 5 are enough.

    If the whole amount does not fit, it is in thousands, millions or more, rounded
    down.

    >>> rough(123_400, 6), rough(123_400, 5), rough(99_999_999, 7), rough(10**14, 9)
    ('$1,234', '$1.2k', '$999k', '$1T')
    """
    text = short(cents)
    if len(text) <= room or abs(cents) < 1_000_00:
        return text
    sign, whole, power = "-" if cents < 0 else "", abs(cents) // 100, 0
    while whole >= 1_000_000:
        whole, power = whole // 1000, power + 1
    figure, rest = divmod(whole, 1000)
    part = f".{rest // 100}" if figure < 10 and rest >= 100 else ""
    return f"{sign}${figure}{part}{'kMBTQ'[min(power, 4)]}"


def plain(cents: int) -> str:
    """Return an amount as the published texts print theirs: no sign, no commas.

    >>> plain(1_000_000), plain(995_050)
    ('10000', '9950.50')
    """
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}" if rest else str(whole)


def read_wager(text: str, limits: WagerRange) -> int:
    """Read a typed amount of dollars that ``limits`` allow, in cents.

    Only ASCII digits count, with an optional ``$`` and thousands commas. The length
    is checked before anything is converted.

    Raises:
        WagerError: with a clause that says what is wrong.
    """
    if not text:
        raise WagerError("Nothing was typed")
    too_much = f"That is more than {short(limits.maximum)}"
    if len(text) > _LONGEST and text.isascii() and text.isdigit():
        raise WagerError(too_much)
    match = _amount.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise WagerError("That is not an amount")
    whole = int(match["dollars"].replace(",", ""))
    amount = whole * 100 + int((match["cents"] or "").ljust(2, "0"))
    if amount > limits.maximum:
        raise WagerError(too_much)
    if amount % limits.step:
        step = "dollars" if limits.step == 100 else f"steps of {short(limits.step)}"
        raise WagerError(f"Only whole {step} count")
    if amount < limits.minimum:
        raise WagerError(f"That is less than {short(limits.minimum)}")
    return amount
