"""Visits: a player of a fleet brings money here, plays, and takes all of it home.

In between the account, its key and its notices are here as in any folder. The money
comes from the account ``vault``, and goes back there, so that a folder of a fleet sums
to zero, too. What the fleet knows of all this is for ``bj_server.fleet``.
"""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bj_server.bank.error import BankUnusableError, MispostedError
from bj_server.bank.key import check_digest
from bj_server.bank.line import decode
from bj_server.bank.move import PLAYER, VAULT, Kind, Posting, Reason, moved
from bj_server.bank.segment import find_segments, load, packed, segment_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A player comes, with an account that has been nowhere else since."""

    id: str
    """The visit, of which there is no other."""
    handle: str
    sha256: str
    """The hash of the player's key."""
    cents: int
    """The money that comes along; it may be 0."""
    gift: tuple[str, int] | None = None
    """The id and the cents of what the fleet's donor gave with this arrival."""
    notices: tuple[str, ...] = ()
    """Sentences that the player has not been told yet."""

    @property
    def posting(self) -> Posting:
        """The posting of the arrival."""
        data = {"visit": self.id, "handle": self.handle, "sha256": self.sha256}
        told: dict[str, object] = {**data, "notices": list(self.notices)}
        told["gift"] = self.gift and list(self.gift)
        way = (Reason.BUY_IN, VAULT, PLAYER + self.handle)
        entries = (moved(*way, self.cents),) if self.cents else ()
        return Posting(kind=Kind.ARRIVE, entries=entries, data=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """A player goes, with all that the account holds."""

    id: str
    handle: str
    cents: int
    notices: tuple[str, ...] = ()
    """Sentences that the player has not been told here."""

    @property
    def posting(self) -> Posting:
        """The posting of the departure."""
        told = {"visit": self.id, "handle": self.handle, "notices": list(self.notices)}
        way = (Reason.CASH_OUT, PLAYER + self.handle, VAULT)
        entries = (moved(*way, self.cents),) if self.cents else ()
        return Posting(kind=Kind.DEPART, entries=entries, data=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Whose folder it is: that of one server in one fleet."""

    fleet: str
    name: str
    """The name of the server."""
    journal: str
    """The id of the journal, by which a copy is not told from its source."""
    epoch: int
    """The epoch that this start of the server claims; each is above all before it."""

    @property
    def posting(self) -> Posting:
        """The posting of the mark."""
        return Posting(kind=Kind.FLEET, data=asdict(self))


def stay_in(posting: Posting) -> Arrival | Departure:
    """Return the arrival or departure that a posting of that kind is.

    Raises:
        MispostedError: if it is not written as those are.
    """
    data: dict[str, Any] = dict(posting.data)
    try:
        cents = sum(move.amount for move in posting.moves)
        known = {"id": data["visit"], "handle": data["handle"], "cents": cents}
        known["notices"] = tuple(data["notices"])
        if posting.kind == Kind.ARRIVE:
            known["sha256"] = check_digest(data["sha256"])
            gift = data["gift"] and tuple(data["gift"])
            stay: Arrival | Departure = Arrival(**known, gift=gift)
        else:
            stay = Departure(**known)
    except (KeyError, TypeError, ValueError):
        raise MispostedError("A visit is not written as visits are.") from None
    # A journal that is read back has lists where one that is written has tuples.
    if posting.entries != stay.posting.entries or data != stay.posting.data:
        raise MispostedError(f"The money of visit {stay.id!r:.80} goes another way.")
    return stay


def membership_in(posting: Posting, known: Membership | None) -> Membership:
    """Return whose folder it is from this posting on.

    Raises:
        MispostedError: if it was another's, or would belong to an earlier start.
    """
    try:
        found = Membership(**posting.data)  # type: ignore[arg-type]
        is_next = known is None or (
            (found.fleet, found.name, found.journal)
            == (known.fleet, known.name, known.journal)
            and found.epoch > known.epoch
        )
    except TypeError:
        raise MispostedError("A mark of a fleet is not written as those are.") from None
    if not is_next:
        raise MispostedError("The folder would change its fleet, name or journal.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Stays:
    """All that the journal has about visits after one line of it."""

    digest: str | None
    """The hash of that line; None if the journal is too short to have it."""
    after: list[Arrival | Departure]
    """Those who came and went after it, in order."""


def read_stays(folder: Path, seq: int, last: int) -> Stays:
    """Return what lines after ``seq``, up to ``last``, say of visits.

    Raises:
        JournalDamagedError: if a segment cannot be read.
        BankUnusableError: likewise.
    """
    numbers, first, lines = find_segments(folder), 0, list[bytes]()
    after, digest = list[Arrival | Departure](), None
    while numbers and (not lines or first > seq):
        plain = segment_path(folder, numbers.pop())
        try:
            content, _ = load(plain)
        except BankUnusableError:  # it is packed, perhaps since a moment ago
            content, _ = load(packed(plain))
        lines = content.split(b"\n")[:-1]
        header = decode(lines[0])[0]
        first, here = header.seq, list[Arrival | Departure]()
        for place, raw in enumerate(lines, first):
            if seq < place <= last and (b'"arrive"' in raw or b'"depart"' in raw):
                kept = [p for p in decode(raw) if p.kind in (Kind.ARRIVE, Kind.DEPART)]
                here += map(stay_in, kept)
        after = here + after
        if first - 1 == seq:
            digest = header.prev
        elif first <= seq < first + len(lines) and seq <= last:
            digest = hashlib.sha256(lines[seq - first]).hexdigest()
    return Stays(digest=digest, after=after)
