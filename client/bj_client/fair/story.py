"""The story: one chain of all updates of a table, and the server's signatures.

Pure. The updates themselves tell which signatures are due: those of a call, an end and
a void in the next message, and that of the start of a run to every newcomer. A
signature covers all updates before it in its chain, since each head is made of the one
before. A picture is not signed: a chain begins anew with each that is gone on from, and
what is found there is proven to others only once a secret has shown that the key, the
table and the rules are those that the server has sealed.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bj_client.fair.finding import Finding, Remark, Report
from bj_protocol import events
from bj_protocol.messages import Signed, Snapshot, Update
from bj_protocol.proof import (
    StatementKind,
    first_head,
    member,
    next_head,
    run_in_fleet,
    statement,
    successor,
)
from bj_protocol.views import FleetView, PastKey, StoryView

_KEPT = 4096
_PRIME = 2**255 - 19
_EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_WEAK = frozenset({0, 1, _PRIME - 1, _EIGHTH, _PRIME - _EIGHTH})
"""The coordinates of keys of small order, for which anyone can sign anything."""


Heads = OrderedDict[tuple[str, str, int], str]
"""The heads after the updates of tables, by the runs of a server."""


@dataclass(frozen=True, slots=True)
class _Owed:
    """A signature that is due; the round and the seq of a start are not known."""

    kind: StatementKind
    round: int | None
    seq: int | None
    head: str
    is_lost: bool = False
    """Whether it may have come, and was lost with a line."""


class Story:
    """The story of a table, as one line knows it."""

    def __init__(self, report: Report, pinned: str | None = None) -> None:
        """Begin before the first picture; ``pinned`` is the key that is due."""
        self._report = report
        self._pinned = pinned
        self.table = ""
        self.key: str | None = None
        """The key that signs; None where nothing is proven."""
        self._known: str | None = None
        """The key by which the server is known: its own, or that of its fleet."""
        self.run = ""
        self.head: str | None = None
        """That after the last update; None while it is not known."""
        self.is_broken = False
        """Whether a signature was not what it should be."""
        self._owed: list[_Owed] = []
        self.signed = Heads()
        """The heads that the server has signed, which other lines may have heard."""
        self._heads: OrderedDict[int, str] = OrderedDict()
        """The heads of this run after the last updates."""
        self._chain = 0
        """How many chains of updates there were: a picture begins a new one."""
        self._since = 0
        """The update before the first one of the chain."""
        self._is_opened = self._is_grounded = False
        """Whether a round was opened in the chain, and its secret the sealed one."""
        self._covered: dict[int, int] = {}
        """For each chain, the last update that a signature covers."""
        self._places: dict[str, tuple[int, int]] = {}
        """For each finding that may be for anyone, its chain and its update."""

    @property
    def is_on(self) -> bool:
        """Whether the table says that it proves its rounds."""
        return self.key is not None

    @property
    def owed(self) -> str:
        """The signature that the server owes, as a clause; "" for none."""
        return self._owed[0].kind.value if self._owed else ""

    def place(self, remarks: Sequence[Remark], seq: int) -> None:
        """Note the update in which findings were told that signatures can prove."""
        for remark in remarks if self.is_on and self._is_grounded else ():
            if isinstance(remark, Finding) and not remark.is_alone:
                self._places.setdefault(str(remark), (self._chain, seq))

    def is_for_anyone(self, finding: str) -> bool:
        """Whether the server's signatures prove a finding."""
        chain, seq = self._places.get(finding, (0, 0))
        return self._covered.get(chain, -1) >= seq

    def ground(self) -> None:
        """Note that a secret was the sealed one, for the key and rules that we know."""
        self._is_grounded |= self._is_opened

    def _begin_chain(self, seq: int) -> None:
        self._chain += 1
        self._since = seq
        self._is_opened = self._is_grounded = False

    def adopt(self, picture: Snapshot) -> None:
        """Go on from a picture, or begin with it."""
        self.turn_to(picture)
        self._begin_chain(picture.seq)
        self.head = None if picture.story is None else picture.story.head

    def turn_to(self, picture: Snapshot) -> None:
        """Note the key that signs, and the run."""
        told, self.table = picture.story, picture.table
        if told is None:
            was_on, self.key, self._known = self.is_on, None, None
            self.head, self._owed = None, []
            if was_on:
                what = "the server has proven its rounds, and does not any more"
                self._report.find(what)
            return
        name, past_keys = known_by(told.key, told.past_keys, told.fleet)
        due = self._pinned or self._known or name
        if name != due and is_heir(name, due, past_keys):
            self._pinned = self._pinned and name
        elif name != due:
            self.is_broken = True
            self._report.find("the server signs with another key", name, due)
        if told.run != self.run and not _names_run(told):
            self.is_broken = True
            what = "the run does not name the server, its journal and its epoch"
            self._report.find(what, told.run)
        if told.run != self.run:
            self.head = None
            self._heads.clear()
            self._begin_chain(0)
            head = first_head(key=told.key, run=told.run, table=picture.table)
            self._owed = [_Owed(StatementKind.START, None, None, head)]
        self.key, self.run, self._known = told.key, told.run, name

    def fold(self, update: Update, text: str) -> None:
        """Add an update, as it came."""
        if self.key is None:
            return
        self._miss()
        if "\n" in text:
            what = "an update has more than one line, so that no record can keep it"
            self._report.find(what)
        if self.head is None:
            return
        self.head = self._heads[update.seq] = next_head(self.head, text.encode())
        if len(self._heads) > _KEPT:
            self._heads.popitem(last=False)
        for event in update.events:
            match event:
                case events.BettingOpened():
                    self._is_opened = True
                case events.BetsClosed(round=which):
                    self._owe(StatementKind.CALL, which, update.seq)
                case events.RoundEnded(round=which):
                    self._owe(StatementKind.END, which, update.seq)
                case events.RoundVoided(round=which):
                    self._owe(StatementKind.VOID, which, update.seq)
                case _:
                    pass

    def _owe(self, kind: StatementKind, number: int, seq: int) -> None:
        assert self.head is not None
        self._owed.append(_Owed(kind, number, seq, self.head))

    def lose(self) -> None:
        """Note that the line is lost, maybe with a due signature."""
        self._owed = [
            replace(due, is_lost=due.kind is not StatementKind.START)
            for due in self._owed
        ]

    def _miss(self) -> None:
        """Report the owed signature, since it is too late for it now."""
        owed, self._owed = [due for due in self._owed if not due.is_lost], []
        self.is_broken |= bool(owed)
        for due in owed:
            of = "its run" if due.round is None else "the round"
            what = f"the server has not signed the {due.kind.value} of {of}"
            self._report.find(what, number=due.round)

    def hear(self, signed: Signed, seq: int) -> None:
        """Take a signature; ``seq`` is the update that was heard last."""
        if self.key is None:
            return
        number, kind = signed.round, signed.kind
        if signed.table != self.table or not is_signed_by(self.key, self.run, signed):
            self.is_broken = True
            what = f"the signature of the {kind.value} is not the server's"
            self._report.find(what, number=number)
            return
        place = self.run, self.table, signed.seq
        known = self.signed.setdefault(place, signed.head)
        if len(self.signed) > _KEPT:
            self.signed.popitem(last=False)
        if known != signed.head:
            what = f"the server has signed two stories up to update {signed.seq}"
            two = Finding(round=number, what=what, told=signed.head, due=known)
            self._places[str(two)] = self._chain, -1  # the two signatures prove it
            self._report.add(two)
        is_start = signed.kind is StatementKind.START
        if signed.seq > seq and not is_start:
            return  # of an update that comes once more, after what is missing
        is_other = self._heads.get(signed.seq, signed.head) != signed.head
        is_other |= not self._is_due(signed)
        if is_other:
            what = f"the signed {kind.value} does not fit the story that was told"
            told, due = signed.head, self.head or ""
            self._report.find(what, told, due, number=number)
        if is_start and self.head is None and signed.seq == seq:
            self.head = signed.head
        is_right = known == signed.head and not is_other
        self.is_broken |= not is_right
        if is_right and signed.seq > self._since and signed.seq in self._heads:
            last = self._covered.get(self._chain, 0)
            self._covered[self._chain] = max(last, signed.seq)

    def _is_due(self, signed: Signed) -> bool:
        """Whether a statement is the owed one, if one of its kind is owed."""
        for due in self._owed:
            if due.kind is signed.kind and due.round in (None, signed.round):
                self._owed.remove(due)
                return due.head == signed.head and due.seq in (None, signed.seq)
        return True


def is_signed_by(key: str, run: str, signed: Signed) -> bool:
    """Whether a statement of the run has the signature of ``key``."""
    said = signed.model_dump(exclude={"type", "signature"})
    try:
        message = statement(key=key, run=run, **said)
    except OverflowError:  # numbers that no story has
        return False
    return _verify(key, signed.signature, message)


def is_heir(key: str, known: str, past_keys: Sequence[PastKey]) -> bool:
    """Whether a key is signed by the one that is known, or by one that it signed."""
    keys = [*(past.key for past in past_keys), key]
    if known not in keys[:-1] or len(set(keys)) < len(keys):
        return False
    start = keys.index(known)
    return all(
        _verify(past.key, past.signature, successor(key=past.key, heir=heir))
        for past, heir in zip(past_keys[start:], keys[start + 1 :], strict=True)
    )


def is_member(key: str, fleet: FleetView) -> bool:
    """Whether a fleet has signed that the server with a key is one of its own."""
    said = fleet.model_dump(include={"name", "address", "doors"})
    signed = member(fleet=fleet.key, key=key, **said)
    return _verify(fleet.key, fleet.signature, signed)


def _names_run(story: StoryView) -> bool:
    """Whether a run is that of a named start, which only servers of a fleet have."""
    fleet, start = story.fleet, story.start
    if fleet is None or start is None:
        return fleet is None and start is None
    return story.run == run_in_fleet(name=fleet.name, **start.model_dump())


def known_by(
    key: str, past_keys: Sequence[PastKey], fleet: FleetView | None
) -> tuple[str, Sequence[PastKey]]:
    """Return the key by which a server is known, and those before it.

    A server that its fleet has signed is known by the fleet's key.
    """
    if fleet is not None and is_member(key, fleet):
        return fleet.key, fleet.past_keys
    return key, past_keys


@lru_cache(maxsize=32)
def _verify(key: str, signature: str, message: bytes) -> bool:
    # Imported late: it takes a while, and unproven play does without.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    place = int.from_bytes(bytes.fromhex(key), "little") % 2**255
    if place % _PRIME in _WEAK:
        return False
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True
