"""Purses: the free money of every seat, as the told wagers move it."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Self

from bj_client.fair.bets import own_seat_in
from bj_client.fair.finding import Finding, Note, short_number
from bj_client.fair.ways_out import Ways
from bj_client.words.money import dollars
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.recall import PastRound
from bj_protocol.views import Phase


class Purses:
    """Balances in cents, which only told events move."""

    def __init__(self, had: int | None = None) -> None:
        """Know nobody's money yet, but what we ``had`` where we come from."""
        self._cents: dict[int, int] = {}
        self._before: dict[int, int] = {}
        """The cents of each seat before its stake on this round."""
        self._floors: dict[int, int] = {}
        """The least cents of seats whose money is not known."""
        self.gone: dict[str, int] = {}
        """The cents of players when they left, by handle."""
        self._left_with: dict[str, int] = {}
        """The least cents of players who left while their money was not known."""
        self._is_doubtful = False
        """Whether money may have been given while the server was stopped."""
        self._is_void = False
        """Whether all stakes of the round have to come back."""
        self._pictured: set[int] = set()
        """The seats of whose money a picture alone has told."""
        self.had = had
        """Our cents, beside what lay on the table, until a picture has them again."""
        self._is_elsewhere = False
        """Whether we have a stake that this client has not sent."""

    def cents(self, seat: int | None) -> int | None:
        """Return the free money of a seat; None if it is not known."""
        if seat is None or self._is_doubtful:
            return None
        cents = self._cents.get(seat)
        return self._before.get(seat, cents) if self._is_void else cents

    def told(self, seat: int | None) -> int | None:
        """Return the cents of our seat before its stake, as they were told at least.

        They may not follow from what was known before; None if that is not certain.
        """
        if seat is None or self._is_elsewhere:
            return None
        return self._before.get(seat, self._floors.get(seat))

    def compare_stake(self, picture: Snapshot, *, is_ours: bool) -> list[Note]:
        """Tell of a stake of ours on the table, if this client has not sent it."""
        notes = [] if is_ours else foreign_stake(picture)
        self._is_elsewhere = bool(notes)
        return notes

    def follow(self, event: events.Event, seat: int | None) -> None:
        """Move the cents that we had by an event about our seat."""
        if self.had is None or getattr(event, "seat", 0) != seat:
            return
        if isinstance(event, events.BetPlaced):
            self.had -= event.amount * event.spots
        elif isinstance(event, events.HandSettled | events.InsuranceSettled):
            self.had = event.balance

    def keep(self, seat: int | None) -> int | None:
        """Remember our money before all known amounts become doubtful; return it."""
        cents = self.cents(seat)
        if cents is None and self.had is None:
            cents = self._floors.get(seat or 0)
        self.had = self.had if cents is None else cents
        return self.had

    def least(self, seat: int | None) -> int | None:
        """Return the cents that we have at least; None if nothing is known."""
        cents = self.keep(seat)
        return self.told(seat) if cents is None else cents

    def compare_move(self, picture: Snapshot) -> list[Note]:
        """See how many cents we have at a table to which we were moved."""
        now = cents_in(picture)
        if self.had is None or now is None or now >= self.had:
            return []
        less = dollars(self.had - now)
        what = f"you have {less} less than at the table that you come from"
        return [Note(round=picture.round, what=what)]

    def compare_restart(self, picture: Snapshot) -> list[Finding]:
        """See that a restart after which nothing was played has cost us nothing."""
        now = cents_in(picture)
        if self.had is None or now is None:
            return []
        what = "your balance is lower after a restart, and no round was played"
        return _compare(picture.round, what, now, self.had)

    def of_handle(self, handle: str, seat: int | None) -> int | None:
        """Return the free money of a player who sits on ``seat``, or has left."""
        cents = self.cents(seat)
        return self.gone.get(handle) if cents is None else cents

    def due(self, handle: str, seat: int | None, told: str) -> int | None:
        """Return the cents that a good-bye should have ``told``; None if it is right.

        Where the money is not known for certain, it should be no less than at least.
        """
        cents = self.of_handle(handle, seat)
        if cents is not None:
            return None if told == str(cents) else cents
        least = self._floors.get(seat or 0, self._left_with.get(handle, 0))
        return least if told.isdecimal() and int(told[:40]) < least else None

    def reset(self, picture: Snapshot) -> None:
        """Begin with the balances of a picture.

        In a round they are no help: a picture knows of money that was given while the
        server was stopped, and the events of the round may not.
        """
        if picture.phase is Phase.PLAYING:
            self.forget()
            self._floors = {seat.seat: seat.balance for seat in picture.seats}
            return
        self._is_doubtful = self._is_void = False
        self._cents = {seat.seat: seat.balance for seat in picture.seats}
        self._pictured = set(self._cents)
        self._before = {s.seat: s.balance + s.bet * s.spots for s in picture.seats}

    def forget(self) -> None:
        """Know nobody's money any more, since the line was lost."""
        self._cents.clear()
        self._before.clear()
        self._floors.clear()
        self.gone.clear()
        self._left_with.clear()
        self._is_doubtful, self._is_void = True, False

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture has the balances that are known, or no less than due."""
        told = {seat.seat: seat.balance for seat in picture.seats}
        if any(told.get(seat, least) < least for seat, least in self._floors.items()):
            return False
        return self._is_doubtful or all(
            told.get(seat) == cents for seat, cents in self._cents.items()
        )

    def fold(self, event: events.Event, number: int) -> Finding | None:
        """Fold an event of round ``number`` in."""
        match event:
            case events.PlayerJoined(seat=seat, balance=balance):
                self._cents[seat] = self._before[seat] = balance
                self._pictured.discard(seat)
                self._floors.pop(seat, None)
            case events.PlayerLeft(seat=seat, handle=handle):
                cents = self._cents.pop(seat, None)
                self._before.pop(seat, None)
                self._left_with[handle] = self._floors.pop(seat, 0)
                if cents is not None and not self._is_doubtful:
                    self.gone[handle] = cents
            case events.BettingOpened():
                if self._is_doubtful:
                    floors = dict(self._floors)
                    self.forget()
                    self._floors, self._is_doubtful = floors, False
                self._before, self._is_void = dict(self._cents), False
            case events.RoundVoided():
                self._is_void = True
            case _:
                change = _change(event)
                return None if change is None else self._move(event, change, number)
        return None

    def _move(self, event: events.Event, change: int, number: int) -> Finding | None:
        seat: int = getattr(event, "seat", 0)
        told: int = getattr(event, "balance", 0)
        known = self._cents.get(seat)
        due = None if known is None else known + change
        before = self._before.get(seat)
        if isinstance(event, events.GiftGiven) and before is not None:
            self._before[seat] = before + event.amount
        is_pictured = seat in self._pictured or seat in self._floors
        if isinstance(event, events.BetPlaced) and (before is None or is_pictured):
            self._before[seat] = told - change
        if isinstance(event, events.BetReturned) and before is not None:
            due = before  # money that was risked unseen comes back as well
        self._cents[seat] = told
        self._pictured.discard(seat)
        floor = self._floors.pop(seat, None)
        if floor is not None:
            floor += change
            if self._is_doubtful:
                self._floors[seat] = max(floor, told)
            elif due is None and told < floor:
                due = floor
        if due is None or due == told:
            return None
        return Finding(
            round=number,
            what=f"the balance of seat {seat} is wrong after {event.type}",
            told=f"{short_number(told)} cents",
            due=f"{short_number(due)} cents",
            is_alone=is_pictured,
        )


def _change(event: events.Event) -> int | None:
    """Return the cents by which an event moves a balance; None if it moves none."""
    match event:
        case events.BetPlaced(amount=amount, spots=spots):
            return -amount * spots
        case events.BetReturned(amount=amount) | events.GiftGiven(amount=amount):
            return amount
        case events.HandSplit(stake=stake):
            return -stake
        case events.HandInsured(amount=amount):
            return -amount
        case events.HandDoubled(stake=stake):
            return -(stake // 2)
        case events.InsuranceSettled(payout=payout) | events.HandSettled(payout=payout):
            return payout
        case _:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """A balance that fell in a gap, until a recall tells why."""

    since: int
    """The round that was on before."""
    before: int
    """The round that was on when we were back."""
    cents: int
    """The cents that we had."""
    lost: int
    """How much less that is now."""
    is_restarted: bool
    """Whether the server was started anew meanwhile."""

    @classmethod
    def after(cls, past: PastRound, before: int, now: int | None) -> Self | None:
        """Return the fall from what a round has left us; None if there is none."""
        had = past.balance_after
        if now is None or now >= had:
            return None
        since, lost = past.round + 1, had - now
        return cls(since=since, before=before, cents=had, lost=lost, is_restarted=False)

    def compare(
        self, table: str, rounds: Sequence[PastRound], ours: Container[int], ways: Ways
    ) -> list[Finding | Note]:
        """See that it follows from the rounds in the gap, as they are recalled.

        Only ``ours``, in which we have bet, are known to have cost us anything. Others,
        and those at other tables, are made up, or the player has bet with another
        client meanwhile.
        """
        gap = [
            past
            for past in rounds
            if past.table != table or self.since <= past.round < self.before
        ]
        is_ours = [past.table == table and past.round in ours for past in gap]
        pairs = zip(reversed(gap), reversed(is_ours), strict=True)
        known = (past.balance_after for past, is_known in pairs if is_known)
        due, now = next(known, self.cents), self.cents - self.lost
        if gap and not is_ours[-1] and gap[-1].balance_after <= now < due:
            what = f"you have {dollars(due - now)} less, and your client has not bet it"
            return [ways.lack(self.since, what)]
        what = "your balance fell while nothing was told"
        return [*_compare(self.since, what, now, due)]


def cents_in(picture: Snapshot) -> int | None:
    """Return our cents in a picture, in the purse and on the table."""
    seat = own_seat_in(picture)
    view = next((view for view in picture.seats if view.seat == seat), None)
    return None if view is None else view.balance + _staked_in(picture)


def _staked_in(picture: Snapshot) -> int:
    """Return our cents on the table in a picture; 0 for none."""
    ours = [view for view in picture.seats if view.seat == own_seat_in(picture)]
    bets = sum(view.bet * view.spots for view in ours)
    hands = (hand for view in ours for hand in view.hands)
    return bets + sum(hand.stake + hand.insurance for hand in hands)


def foreign_stake(picture: Snapshot) -> list[Note]:
    """Tell of our stake on the table, which this client has not bet."""
    staked = 0 if picture.story is None else _staked_in(picture)
    what = f"you have {dollars(staked)} on the table, and your client has not bet it"
    return [Note(round=picture.round, what=what)] if staked else []


def compare_goodbye(had: int | None, picture: Snapshot) -> list[Note]:
    """See that we have at least the cents that we had at the end of the last visit."""
    now = cents_in(picture)
    if had is None or now is None or now >= had:
        return []
    what = (
        f"you have {dollars(had - now)} less than at the end of your last visit: "
        "unless you have played elsewhere since, or another server of a fleet has the "
        "rest, the books were put back from a backup, or are wrong"
    )
    return [Note(round=picture.round, what=what)]


def _compare(number: int, what: str, now: int, due: int) -> list[Finding]:
    if now >= due:
        return []
    told, wanted = f"{short_number(now)} cents", f"{short_number(due)} cents"
    return [Finding(round=number, what=what, told=told, due=wanted, is_alone=True)]
