"""The pending records of a table: all that it needs to go on where it was.

They are the last records of the table, from which its running round can be played
again, and the state in which the last command left the table. The bank keeps them, and
reads only the secret, which the end of a round tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from bj_server.bank.error import MispostedError
from bj_server.bank.move import Kind, Posting


def record_of(posting: Posting) -> Posting:
    """Return a table's record in its own right, without its money and its place."""
    return Posting(kind=posting.kind, round=posting.round, data=posting.data)


def changed(
    state: Mapping[str, object] | None, change: Mapping[str, Any]
) -> Mapping[str, object]:
    """Return the state of a table after a change of it.

    A change with a list of seats is a whole state. Another one has only the fields that
    differ, of the table and of each seat by its number: null for a field that is at its
    default again, and for a seat that is free.

    >>> state = {"seq": 1, "seats": [{"seat": 2, "handle": "ned21", "rung": 5}]}
    >>> changed(state, {"seq": 2, "seats": {"2": {"rung": None, "missed": 1}}})
    {'seq': 2, 'seats': [{'seat': 2, 'handle': 'ned21', 'missed': 1}]}

    Raises:
        MispostedError: if it fits no such state.
    """
    seats = change.get("seats")
    if isinstance(seats, list):
        return change
    merged = {**(state or {}), **change}
    if seats is None:
        return merged
    try:
        kept: Any = () if state is None else state["seats"]
        by_number = {seat["seat"]: seat for seat in kept}
        for place, fields in seats.items():
            number = int(place)
            if fields is None:
                by_number.pop(number, None)
                continue
            seat = {**by_number.get(number, {"seat": number}), **fields}
            for name, value in fields.items():
                if value is None:
                    del seat[name]
            if seat["seat"] != number or not isinstance(seat["handle"], str):
                raise ValueError
            by_number[number] = seat
        merged["seats"] = [by_number[number] for number in sorted(by_number)]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise MispostedError("The change fits no state of the table.") from None
    return merged


@dataclass(slots=True, kw_only=True)
class PendingRound:
    """The pending records of one table, as of its last command.

    It is never changed: who has it has the records as they were.
    """

    house: Posting | None = None
    """The last house that the table named."""
    draw: Posting | None = None
    """The secret of the last round that was to come, and its shoe."""
    deal: Posting | None = None
    """The deal of the running round; None between rounds."""
    answers: tuple[Posting, ...] = ()
    """The decisions in the running round, in their order."""
    state: Mapping[str, object] | None = None
    """The state in which the last command left the table; None before the first."""

    @property
    def told(self) -> dict[str, object]:
        """The data of the line that ends a round that cannot go on."""
        record = self.deal or self.draw
        secret = None if record is None else record.data.get("secret")
        return {} if secret is None else {"secret": secret}

    def after(self, posting: Posting) -> Self:
        """Return the records as they are after a posting of the table."""
        house, draw, deal = self.house, self.draw, self.deal
        answers = self.answers
        match posting.kind:
            case Kind.SEAL:
                return self.sealed(posting.data)
            case "answer":
                answers = (*answers, record_of(posting))
            case "deal":
                deal, answers = record_of(posting), ()
            case "draw":
                draw = record_of(posting)
            case "house":
                house = record_of(posting)
            case _:
                return self
        # As ``replace`` would, which takes many times as long.
        return type(self)(
            house=house, draw=draw, deal=deal, answers=answers, state=self.state
        )

    def sealed(self, change: Mapping[str, object]) -> Self:
        """Return the records after a command, which has changed the state so."""
        state = changed(self.state, change)
        house, draw, deal = self.house, self.draw, self.deal
        return type(self)(
            house=house, draw=draw, deal=deal, answers=self.answers, state=state
        )

    def between(self) -> Self:
        """Return the records as they are once no round runs."""
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
    """The pending records of each table, the secret of its shoe too."""
