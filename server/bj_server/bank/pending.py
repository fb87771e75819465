"""The docket: what a table needs in order to go on where it was.

In a court the docket is the list of what is pending. This one holds the last records
of one table from which its running round can be played again, and the state that the
table itself put into its last seal. The bank keeps it, and reads nothing but the secret
that the end of a round tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from bj_server.bank.move import Kind, Posting


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a table wrote down with ``Till.record``, without the money that it moved."""

    kind: str
    round: int | None
    data: Mapping[str, object]

    @classmethod
    def of(cls, posting: Posting) -> Self:
        """Take down the record in a posting."""
        return cls(kind=posting.kind, round=posting.round, data=posting.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRound:
    """The pending records of one table, as of its last seal."""

    house: Record | None = None
    """The last house that the table named."""
    draw: Record | None = None
    """The secret of the last round that was to come, and its shoe."""
    deal: Record | None = None
    """The deal of the running round; None between rounds."""
    answers: tuple[Record, ...] = ()
    """The decisions in the running round, in their order."""
    state: Mapping[str, object] | None = None
    """What the table put into its last seal; None before the first."""

    @property
    def told(self) -> dict[str, object]:
        """What is to be told, once it is over, of a round that cannot go on."""
        record = self.deal or self.draw
        secret = None if record is None else record.data.get("secret")
        return {} if secret is None else {"secret": secret}

    def after(self, posting: Posting) -> Self:
        """Return the docket as it is after a posting of its table."""
        match posting.kind:
            case Kind.SEAL:
                return replace(self, state=posting.data)
            case "answer":
                return replace(self, answers=(*self.answers, Record.of(posting)))
            case "deal":
                return replace(self, deal=Record.of(posting), answers=())
            case "draw":
                return replace(self, draw=Record.of(posting))
            case "house":
                return replace(self, house=Record.of(posting))
            case _:
                return self

    def cleared(self) -> Self:
        """Return the docket without the round, which is over."""
        return replace(self, deal=None, answers=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """A place between two commands, for somebody who asks about one handle."""

    folder: Path
    number: int
    """The segment in which the place is."""
    size: int
    """The bytes of the segment up to the place."""
    synced: int
    """The last line that is on the disk, so that people may be told of it."""
    handle: str
    balance: int
    """The free cents of the handle."""
    pending_rounds: Mapping[str, PendingRound] = field(repr=False)
    """What each table has pending, the secret of its shoe too."""
