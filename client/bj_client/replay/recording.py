"""The recording: the visits in a file that ``--record`` has written.

``docs/fairness.md`` has the form. The reading is strict: the first line that is not as
it must be is named, and nothing is played of a file that has one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field, TypeAdapter, ValidationError

from bj_protocol.commands import Command
from bj_protocol.messages import Message
from bj_protocol.model import Model

__all__ = ["BadRecording", "Entry", "Header", "Recording", "read_recording"]


class BadRecording(Exception):
    """A file that cannot be played; ``str`` is a sentence."""


class Header(Model):
    """The first line of a visit."""

    record: Literal[1]
    server: str
    table: str | None


class Entry(Model):
    """What was heard or sent on one player's line, or what became of the line."""

    handle: str | None
    """Whose line it was; None for one who watches."""
    at: float = Field(ge=0, allow_inf_nan=False)
    """Seconds since the visit began."""
    heard: Message | None = None
    sent: Command | None = None
    line: Literal["lost", "back"] | None = None


@dataclass(slots=True)
class Recording:
    """One visit."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    @property
    def handles(self) -> list[str | None]:
        """Who was there, in the order in which they are first heard of."""
        return list(dict.fromkeys(entry.handle for entry in self.entries))


_LINE: TypeAdapter[Header | Entry] = TypeAdapter(Header | Entry)


def read_recording(path: Path) -> list[Recording]:
    """Return the visits of a file, in their order.

    Raises:
        BadRecording: if it cannot be read, or any line of it is damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadRecording(f"{path} cannot be read: {error.strerror}.") from None
    visits: list[Recording] = []
    for number, text in enumerate(content.splitlines(keepends=True), 1):
        try:
            _take(text, visits)
        except ValueError as error:
            raise BadRecording(
                f"Line {number} of {path} {error}, so nothing of it is played; take a "
                "whole copy of the record."
            ) from None
    if not visits:
        raise BadRecording(f"{path} is empty, and no record; name another file.")
    return visits


def _take(text: bytes, visits: list[Recording]) -> None:
    """Take a line.

    Raises:
        ValueError: with what is wrong with it.
    """
    if not text.endswith(b"\n"):
        raise ValueError("is cut short")
    try:
        line = _LINE.validate_json(text)
    except ValidationError:
        raise ValueError("is damaged, or no line of a record") from None
    if isinstance(line, Header):
        visits.append(Recording(line))
        return
    if not visits:
        raise ValueError("comes before the first line of a visit")
    if sum(1 for _ in _said(line)) != 1:
        raise ValueError("says not exactly one thing")
    visits[-1].entries.append(line)


def _said(entry: Entry) -> Iterator[object]:
    return (x for x in (entry.heard, entry.sent, entry.line) if x is not None)
