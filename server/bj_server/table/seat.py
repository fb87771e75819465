"""Seats: the players of a table, with their lines and their open questions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bj_protocol.action import Action
from bj_protocol.messages import Answered
from bj_protocol.views import Ask, Presence
from bj_server.bank.key import is_same
from bj_server.bank.till import Till


class LastAnswer(NamedTuple):
    """The last accepted answer of a seat, for one that is sent again."""

    prompt: int
    action: Action
    seq: int
    """The update that shows its effect."""

    @property
    def message(self) -> Answered:
        """The reply to the same answer, if it comes once more."""
        return Answered(prompt=self.prompt, answer=self.action, seq=self.seq)


@dataclass(slots=True, kw_only=True)
class Seat:
    """A taken seat. It belongs to the handle; the line comes and goes."""

    number: int
    handle: str
    line: int | None = None
    presence: Presence = Presence.HERE
    away_since: float = 0.0
    """When the line of an away seat was lost, in seconds of the table's clock."""
    bet: int = 0
    """Cents staked on each spot in the coming or running round."""
    spots: int = 1
    """The spots that are bet on."""
    has_passed: bool = False
    """Whether the seat lets the coming round pass."""
    rounds_broke: int = 0
    """One more than the rounds that the table has played since the seat could not bet
    any more; 0 for one that can."""
    missed_bets: int = 0
    """Calls for bets in a row that the player, though here, has not answered."""
    rung: int = 0
    """The place of the seat on the ladder of bets: cents over the minimum."""
    ask: Ask | None = None
    """The open question to the seat."""
    last_answer: LastAnswer | None = None
    commitment: str | None = None
    """The hash that binds the player to a link for the round; None without one."""
    sits_out: int = 0
    """The rounds of others that the seat still sits out, for a link that was late."""
    notice: str = ""
    """A sentence that the player is to be told with the next snapshot."""

    @property
    def has_decided(self) -> bool:
        """Whether the seat has a bet on the coming round, or lets it pass."""
        return self.bet > 0 or self.has_passed

    @property
    def is_here(self) -> bool:
        """Whether the player can answer."""
        return self.presence is Presence.HERE

    @property
    def is_missed(self) -> bool:
        """Whether the table waits for an answer from a player who is not there."""
        return self.ask is not None and (self.line is None or not self.is_here)


class Seats:
    """The seats of a table, numbered from 1 in the order of play."""

    def __init__(self, count: int) -> None:
        """Set ``count`` free seats."""
        self.count = count
        self.taken: tuple[Seat, ...] = ()
        """The taken seats in order, as they are now: another tuple once one is freed.

        Each command goes through it many times, so it is made at each change.
        """
        self._by_number: dict[int, Seat] = {}
        self._kept: set[str] = set()
        """Handles for which a seat is kept until their money is here."""

    def keep(self, handle: str) -> bool:
        """Keep a seat for a handle until ``take`` or ``give_up``; tell if there is one.

        >>> Seats(1).keep("ned21")
        True
        """
        has_room = len(self.taken) + len(self._kept) < self.count
        if has_room:
            self._kept.add(handle)
        return has_room

    def give_up(self, handle: str) -> None:
        """Keep no seat for a handle."""
        self._kept.discard(handle)

    def __iter__(self) -> Iterator[Seat]:
        """Go through the taken seats in order; they may be freed meanwhile."""
        return iter(self.taken)

    def __getitem__(self, number: int) -> Seat:
        """Return the taken seat of that number."""
        return self._by_number[number]

    @property
    def here(self) -> list[Seat]:
        """The seats whose players can answer."""
        return [seat for seat in self.taken if seat.presence is Presence.HERE]

    @property
    def asked(self) -> list[Seat]:
        """The seats with an open question."""
        return [seat for seat in self.taken if seat.ask]

    def of_handle(self, handle: str) -> Seat | None:
        """Return the seat of a player."""
        return next((seat for seat in self.taken if seat.handle == handle), None)

    def of_line(self, line: int) -> Seat | None:
        """Return the seat that a line speaks for."""
        for seat in self.taken:
            if seat.line == line:
                return seat
        return None

    def take(self, handle: str, line: int) -> Seat | None:
        """Give the lowest free seat to ``handle``; None if there is none."""
        self._kept.discard(handle)
        if len(self.taken) + len(self._kept) >= self.count:
            return None
        free = (n for n in range(1, self.count + 1) if n not in self._by_number)
        seat = Seat(number=next(free), handle=handle, line=line)
        self.restore(seat)
        return seat

    def restore(self, seat: Seat) -> None:
        """Set a seat, such as one that was taken before the server stopped."""
        self._by_number[seat.number] = seat
        self.taken = tuple(seat for _, seat in sorted(self._by_number.items()))

    def free(self, seat: Seat) -> None:
        """Make the seat free for another."""
        del self._by_number[seat.number]
        self.taken = tuple(other for other in self.taken if other is not seat)


def has_key(till: Till, handle: str, sha256: str) -> bool:
    """Whether a handle has this key, or none yet."""
    known = till.key_of(handle)
    return known is None or is_same(known, sha256)
