"""Recordings: a record read back, line by line, and strictly.

A line that is not exactly as it was written is named by its number, and nothing after
it is believed.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Literal

from pydantic import Field, TypeAdapter

from bj_protocol.codec import decode_message
from bj_protocol.commands import Command
from bj_protocol.messages import Message
from bj_protocol.model import Model

LONGEST = 2**21
"""The most bytes of a line; no message that is heard has more than half of them."""
_MOST_HANDLES = 100
_HEARD = b', "heard": '
_OLD = b'{"record": 1,'


class BadRecord(ValueError):
    """A file that is no record, or is damaged; the message is a sentence."""


class Header(Model):
    """The beginning of a visit."""

    record: Literal[2]
    server: str
    table: str | None


class Entry(Model):
    """Something that was heard or sent on the line of a player."""

    handle: str | None
    at: float = Field(ge=0, allow_inf_nan=False)
    heard: Message | None = None
    text: str = ""
    """What was heard, exactly as it came; it is no field of a line."""
    sent: Command | None = None
    line: Literal["lost", "back"] | None = None


_LINE: TypeAdapter[Header | Entry] = TypeAdapter(Header | Entry)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Return the lines of a file; what is longer than any can be is not read on."""
    return iter(lambda: file.readline(LONGEST + 1), b"")


def read(lines: Iterable[bytes]) -> Iterator[tuple[int, Header | Entry]]:
    """Read the lines of a record, with their numbers.

    Raises:
        BadRecord: at the first line that is none of a record.
    """
    is_headed = False
    handles: set[str | None] = set()
    for number, text in enumerate(lines, start=1):
        if len(text) > LONGEST:
            raise BadRecord(f"Line {number} is longer than any message can be.")
        if not text.endswith(b"\n"):
            raise BadRecord(f"Line {number} is cut short, and the record with it.")
        line = _read_line(number, text)
        is_headed = is_headed or isinstance(line, Header)
        if not is_headed:
            raise BadRecord(f"Line {number} comes before the beginning of a visit.")
        if isinstance(line, Entry) and (
            [line.heard, line.sent, line.line].count(None) != 2
        ):
            raise BadRecord(f"Line {number} is neither heard nor sent.")
        if isinstance(line, Header):
            handles.clear()
        else:
            handles.add(line.handle)
        if len(handles) > _MOST_HANDLES:
            raise BadRecord(f"Line {number} is of one handle more than a visit has.")
        yield number, line
    if not is_headed:
        raise BadRecord("There is nothing in it.")


def _read_line(number: int, text: bytes) -> Header | Entry:
    """Read a line; the text of a message is kept, since the story is chained of it."""
    start, is_heard, rest = text.partition(_HEARD)
    try:
        if not is_heard:
            line = _LINE.validate_json(text)
            if isinstance(line, Header) or not (line.heard or line.text):
                return line
            raise ValueError  # it was not written so
        entry = Entry.model_validate_json(start + b"}")
        if entry.sent or entry.line or entry.text or not rest.endswith(b"}\n"):
            raise ValueError
        exact = rest[:-2].decode()
        return entry.model_copy(update={"heard": decode_message(exact), "text": exact})
    except ValueError:  # pydantic's is one, and so is that of a bad message
        if _OLD in text:
            raise BadRecord(
                f"Line {number} begins a record of an older bj-client, which proves "
                "another scheme: check it with the version that has written it."
            ) from None
        raise BadRecord(f"Line {number} is damaged, or no line of a record.") from None
