"""Postings: what the bank writes down and carries out in one piece."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bj_server.bank.move import Entry, Move


class Kind(StrEnum):
    """The kinds that mean something to the bank; a table's records have their own."""

    JOURNAL = "journal"
    """The first line of a segment of the journal."""
    OPEN = "open"
    """A handle's account is opened."""
    CLOSE = "close"
    """A handle's account is closed, and its key forgotten."""
    GIFT = "gift"
    """The donor gives."""
    STAKE = "stake"
    """Money is put at risk by itself; a record may do the same."""
    SETTLE = "settle"
    """A round is paid out as a whole, and over."""
    REFUND = "refund"
    """Stakes go back while the table lives; the round may go on."""
    VOID = "void"
    """Stakes go back because the server stopped; the round is over."""
    KEY = "key"
    """A handle is claimed by a key, or its key is reset."""
    TOLD = "told"
    """A handle has been told its notices."""
    SEAL = "seal"
    """A table has finished a command; its lines up to here count, all or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Entries and data of one table and round, all of them or none.

    Raises:
        ValueError: if the round is not None or a whole number from 1.
    """

    kind: str
    table: str | None = None
    round: int | None = None
    entries: tuple[Entry, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what could not be read back."""
        if self.round is None:
            return
        if type(self.round) is not int or self.round < 1:
            raise ValueError("Rounds are whole numbers, counted from 1.")

    @property
    def moves(self) -> Iterator[Move]:
        """The moves of all entries, in their order."""
        return (move for entry in self.entries for move in entry.moves)
