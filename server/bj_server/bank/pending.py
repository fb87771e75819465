"""The pending records of a table: all that it needs to go on where it was.

They are the last records of the table, from which its running round can be played
again, and the state that the table put into its last seal. The bank keeps them, and
reads only the secret, which the end of a round tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from bj_server.bank.move import Kind, Posting


def record_of(posting: Posting) -> Posting:
    """Return a table's record in its own right, without its money and its place."""
    return Posting(kind=posting.kind, round=posting.round, data=posting.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRound:
    """The pending records of one table, as of its last seal."""

    house: Posting | None = None
    """The last house that the table named."""
    draw: Posting | None = None
    """The secret of the last round that was to come, and its shoe."""
    deal: Posting | None = None
    """The deal of the running round; None between rounds."""
    answers: tuple[Posting, ...] = ()
    """The decisions in the running round, in their order."""
    state: Mapping[str, object] | None = None
    """The state that the table put into its last seal; None before the first."""

    @property
    def told(self) -> dict[str, object]:
        """The data of the line that ends a round that cannot go on."""
        record = self.deal or self.draw
        secret = None if record is None else record.data.get("secret")
        return {} if secret is None else {"secret": secret}

    def after(self, posting: Posting) -> Self:
        """Return the records as they are after a posting of the table."""
        match posting.kind:
            case Kind.SEAL:
                return replace(self, state=posting.data)
            case "answer":
                return replace(self, answers=(*self.answers, record_of(posting)))
            case "deal":
                return replace(self, deal=record_of(posting), answers=())
            case "draw":
                return replace(self, draw=record_of(posting))
            case "house":
                return replace(self, house=record_of(posting))
            case _:
                return self


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
    """The pending records of each table, the secret of its shoe too."""
