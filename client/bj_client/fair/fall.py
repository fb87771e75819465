"""Falls: money that we had before we missed something, and have no more after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bj_client.fair.due import short_number
from bj_client.fair.finding import Finding
from bj_protocol.messages import Snapshot
from bj_protocol.recall import PastRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """A balance that fell in a gap, until a recall tells why."""

    since: int
    """The round that was on before."""
    before: int
    """The round that was on when we were back."""
    cents: int
    """What we had."""
    lost: int
    """How much less that is now."""

    def compare(self, table: str, rounds: Sequence[PastRound]) -> list[Finding]:
        """See that it follows from the rounds in the gap, as they are recalled."""
        balances = [
            past.balance_after
            for past in rounds
            if past.table == table and self.since <= past.round < self.before
        ]
        due = balances[-1] if balances else self.cents
        what = "your balance fell while nothing was told"
        return _compare(self.since, what, self.cents - self.lost, due)


def cents_in(picture: Snapshot) -> int | None:
    """Return what we have in a picture, in the purse and on the table."""
    seat = None if picture.you is None else picture.you.seat
    view = next((view for view in picture.seats if view.seat == seat), None)
    if view is None:
        return None
    dealt = sum(hand.stake + hand.insurance for hand in view.hands)
    return view.balance + view.bet * view.spots + dealt


def compare_cents(had: int | None, picture: Snapshot) -> list[Finding]:
    """See that a restart after which nothing was played has cost us nothing."""
    now = cents_in(picture)
    if had is None or now is None:
        return []
    what = "your balance is lower after a restart, and no round was played"
    return _compare(picture.round, what, now, had)


def _compare(number: int, what: str, now: int, due: int) -> list[Finding]:
    if now >= due:
        return []
    told, wanted = f"{short_number(now)} cents", f"{short_number(due)} cents"
    return [Finding(round=number, what=what, told=told, due=wanted, is_alone=True)]
