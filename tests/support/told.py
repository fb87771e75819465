"""Rounds as a client hears of them, written as text for its tests.

One line is one event, in the words of the transcripts in ``tests/game``. Money is in
dollars, and ``1b`` is the second hand of seat 1:

    round 4 opens
    2 bets 50 -> 9950               what is left after ``->``
    round 4 begins: 1 2
    2a 8s = 8
    dealer ?? = soft 11
    2a stands 17
    2a busts 22
    dealer turns 8h = 18
    dealer stands 18
    dealer busts 24
    2a win 50 -> 100 = 10050: dealer_busted
    round 4 ends: 400 left, cut in 330
"""

import re
from collections.abc import Callable
from typing import Any

from bj_protocol import events
from bj_protocol.action import By, SettleReason
from bj_protocol.events import Event
from bj_protocol.views import Outcome

_HAND = r"(?P<seat>\d)(?P<hand>[a-z])"
_WHO = rf"(?:dealer|{_HAND})"
_TOTAL = r"(?P<total>\d+)"
_SCORE = rf"= (?P<soft>soft )?{_TOTAL}"
_ROUND = r"round (?P<round>\d+)"
_SETTLED = (
    rf"{_HAND} (?P<outcome>\w+) (?P<stake>\S+) -> (?P<payout>\S+)"
    r" = (?P<balance>\S+): (?P<reason>\w+)"
)


def told(text: str) -> tuple[Event, ...]:
    """Return the events that a text tells, one a line."""
    return tuple(_event(line.strip()) for line in text.strip().splitlines())


def _event(line: str) -> Event:
    for pattern, make in _LINES:
        found = re.fullmatch(pattern, line)
        if found is not None:
            return make(found)
    raise AssertionError(f"this tells of no event: {line!r}")


def _cents(dollars: str) -> int:
    whole, _, cents = dollars.partition(".")
    return 100 * int(whole) + int(cents or 0)


def _hand(found: re.Match[str]) -> dict[str, Any]:
    """Return seat and hand; the dealer has the first hand of seat 0."""
    seat, hand = found["seat"] or "0", found["hand"] or "a"
    return {"seat": int(seat), "hand": ord(hand) - ord("a")}


def _score(found: re.Match[str]) -> dict[str, Any]:
    return {"total": int(found["total"]), "soft": bool(found["soft"])}


def _count(number: str | None) -> int | None:
    return None if number is None else int(number)


_LINES: tuple[tuple[str, Callable[[re.Match[str]], Event]], ...] = (
    (rf"{_ROUND} opens", lambda m: events.BettingOpened(round=int(m["round"]))),
    (
        rf"{_ROUND} begins: (?P<seats>[\d ]+)",
        lambda m: events.RoundBegan(
            round=int(m["round"]), seats=tuple(map(int, m["seats"].split()))
        ),
    ),
    (
        rf"{_ROUND} ends(?:: (?P<left>\d+) left)?(?:, cut in (?P<cut>-?\d+))?",
        lambda m: events.RoundEnded(
            round=int(m["round"]),
            cards_left=_count(m["left"]),
            until_cut=_count(m["cut"]),
        ),
    ),
    (
        r"(?P<seat>\d) bets (?P<amount>\S+) -> (?P<balance>\S+)",
        lambda m: events.BetPlaced(
            seat=int(m["seat"]),
            amount=_cents(m["amount"]),
            balance=_cents(m["balance"]),
        ),
    ),
    (
        rf"{_WHO} (?P<card>\S\S) {_SCORE}",
        lambda m: events.CardDealt(**_hand(m), card=m["card"], **_score(m)),
    ),
    (
        rf"dealer turns (?P<card>\S\S) {_SCORE}",
        lambda m: events.HoleRevealed(card=m["card"], **_score(m)),
    ),
    (
        rf"dealer stands {_TOTAL}",
        lambda m: events.DealerStood(total=int(m["total"]), blackjack=False),
    ),
    (
        rf"dealer busts {_TOTAL}",
        lambda m: events.DealerBusted(total=int(m["total"])),
    ),
    (
        rf"{_HAND} stands {_TOTAL}",
        lambda m: events.HandStood(**_hand(m), total=int(m["total"]), by=By.PLAYER),
    ),
    (
        rf"{_HAND} busts {_TOTAL}",
        lambda m: events.HandBusted(**_hand(m), total=int(m["total"])),
    ),
    (
        _SETTLED,
        lambda m: events.HandSettled(
            **_hand(m),
            outcome=Outcome(m["outcome"]),
            reason=SettleReason(m["reason"]),
            stake=_cents(m["stake"]),
            payout=_cents(m["payout"]),
            balance=_cents(m["balance"]),
        ),
    ),
)
