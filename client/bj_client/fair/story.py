"""The story: one chain of all updates of a table, and what the server signs of it.

Pure. What is due is known from the updates themselves: a call, an end and a void are
signed in the next message, and the start of a run to everyone who comes. A signature
covers all updates before it, since each head is made of the one before.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache

from bj_client.fair.finding import Finding
from bj_protocol import events
from bj_protocol.messages import Signed, Snapshot, Update
from bj_protocol.proof import StatementKind, first_head, next_head, statement

_KEPT = 4096


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
    """What one line knows of the story of its table."""

    def __init__(self, pinned: str | None = None) -> None:
        """Begin before the first picture; ``pinned`` is the key that is due."""
        self._pinned = pinned
        self._table = ""
        self.key: str | None = None
        """Who signs; None where nothing is proven."""
        self.run = ""
        self.head: str | None = None
        """That after the last update; None while it is not known."""
        self.is_broken = False
        """Whether a signature was not what it should be."""
        self._owed: list[_Owed] = []
        self._signed: OrderedDict[tuple[str, int], str] = OrderedDict()
        self.covered: dict[str, int] = {}
        """For each run, the last update that a signature covers."""

    @property
    def is_on(self) -> bool:
        """Whether the table says that it proves its rounds."""
        return self.key is not None

    @property
    def owed(self) -> str:
        """What the server has not signed and should have; "" for nothing."""
        return self._owed[0].kind.value if self._owed else ""

    def adopt(self, picture: Snapshot, number: int) -> list[Finding]:
        """Go on from a picture, or begin with it."""
        found = self.turn_to(picture, number)
        self.head = None if picture.story is None else picture.story.head
        return found

    def turn_to(self, picture: Snapshot, number: int) -> list[Finding]:
        """Take note of who signs, and in which run."""
        told, self._table = picture.story, picture.table
        if told is None:
            was_on, self.key = self.is_on, None
            self.head, self._owed = None, []
            what = "the server has proven its rounds, and does not any more"
            return [Finding(round=number, what=what, is_alone=True)] if was_on else []
        found = []
        due = self._pinned or self.key or told.key
        if told.key != due:
            self.is_broken = True
            what = "the server signs with another key"
            found.append(
                Finding(round=number, what=what, told=told.key, due=due, is_alone=True)
            )
        if told.run != self.run:
            self.head = None
            head = first_head(key=told.key, run=told.run, table=picture.table)
            self._owed = [_Owed(StatementKind.START, None, None, head)]
        self.key, self.run = told.key, told.run
        return found

    def fold(self, update: Update, text: str, number: int) -> list[Finding]:
        """Add an update, as it came, while round ``number`` is on."""
        if self.key is None:
            return []
        found = self._miss(number)
        if "\n" in text:
            what = "an update has more than one line, so that no record can keep it"
            found.append(Finding(round=number, what=what, is_alone=True))
        if self.head is None:
            return found
        self.head = next_head(self.head, text.encode())
        for event in update.events:
            match event:
                case events.BetsClosed(round=which):
                    self._owe(StatementKind.CALL, which, update.seq)
                case events.RoundEnded(round=which):
                    self._owe(StatementKind.END, which, update.seq)
                case events.RoundVoided(round=which):
                    self._owe(StatementKind.VOID, which, update.seq)
                case _:
                    pass
        return found

    def _owe(self, kind: StatementKind, number: int, seq: int) -> None:
        assert self.head is not None
        self._owed.append(_Owed(kind, number, seq, self.head))

    def lose(self) -> None:
        """Note that the line is lost, maybe with what is owed and not told again."""
        self._owed = [
            replace(due, is_lost=due.kind is not StatementKind.START)
            for due in self._owed
        ]

    def _miss(self, number: int) -> list[Finding]:
        """Say what is owed, since it is too late for it now."""
        owed, self._owed = [due for due in self._owed if not due.is_lost], []
        self.is_broken |= bool(owed)
        return [
            Finding(
                round=number if due.round is None else due.round,
                what=f"the server has not signed the {due.kind.value} of "
                + ("its run" if due.round is None else "the round"),
                is_alone=True,
            )
            for due in owed
        ]

    def hear(self, signed: Signed, seq: int) -> list[Finding]:
        """Take a signature; ``seq`` is the update that was heard last."""
        if self.key is None:
            return []
        if signed.table != self._table or not is_signed_by(self.key, self.run, signed):
            self.is_broken = True
            what = f"the signature of the {signed.kind.value} is not the server's"
            return [Finding(round=signed.round, what=what, is_alone=True)]
        found = self._compare(signed)
        is_start = signed.kind is StatementKind.START
        if signed.seq > seq and not is_start:
            return found  # of an update that comes once more, after what is missing
        is_other = signed.seq == seq and self.head not in (None, signed.head)
        for due in self._owed:
            if due.kind is signed.kind and due.round in (None, signed.round):
                is_other |= due.head != signed.head
                is_other |= due.seq not in (None, signed.seq)
                self._owed.remove(due)
                break
        if is_other:
            what = f"what is signed as the {signed.kind.value} is not what was told"
            told, wanted = signed.head, self.head or ""
            found.append(Finding(round=signed.round, what=what, told=told, due=wanted))
        if is_start and self.head is None and signed.seq == seq:
            self.head = signed.head
        self.is_broken |= bool(found)
        if not found:
            last = self.covered.get(self.run, 0)
            self.covered[self.run] = max(last, signed.seq)
        return found

    def _compare(self, signed: Signed) -> list[Finding]:
        """See that no two heads are signed for one update."""
        known = self._signed.setdefault((self.run, signed.seq), signed.head)
        if len(self._signed) > _KEPT:
            self._signed.popitem(last=False)
        if known == signed.head:
            return []
        self.covered[self.run] = max(self.covered.get(self.run, 0), signed.seq)
        what = f"the server has signed two stories up to update {signed.seq}"
        return [Finding(round=signed.round, what=what, told=signed.head, due=known)]


def is_signed_by(key: str, run: str, signed: Signed) -> bool:
    """Whether a statement of the run has the signature of ``key``."""
    try:
        message = statement(
            key=key,
            run=run,
            table=signed.table,
            seq=signed.seq,
            kind=signed.kind,
            round=signed.round,
            head=signed.head,
            note=signed.note,
        )
    except OverflowError:  # numbers that no story has
        return False
    return _verify(key, bytes.fromhex(signed.signature), message)


@lru_cache(maxsize=32)
def _verify(key: str, signature: bytes, message: bytes) -> bool:
    # Imported late: it takes a while, and who plays unproven does without.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
