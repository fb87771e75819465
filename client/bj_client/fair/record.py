"""The record: a visit as lines of JSON, one for each message and command.

``docs/fairness.md`` has the form. A line is written whole or taken back, and only its
owner can read the file where files have modes: the links of a running round are in it.
"""

import contextlib
import json
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import Field, TypeAdapter

from bj_client.error import ClientError, Exit
from bj_client.system import IS_UNIX, OPENED
from bj_protocol.codec import decode_message
from bj_protocol.commands import Command
from bj_protocol.messages import Message
from bj_protocol.model import Model

LONGEST = 2**21
"""The most bytes of a line; no message that is heard has more than half of them."""
_MOST_HANDLES = 100
_HEARD = b', "heard": '
_FORM = 2
_START = b'{"record": '
_OLD = b'{"record": 1,'
_FASTEST = 1
_PART_BYTES = 4 * 2**20
"""Packed bytes of a part, some fifteen times as many unpacked."""
_MODE = 0o600


def header(server: str, table: str) -> str:
    """Return the first line of a visit."""
    return json.dumps({"record": _FORM, "server": server, "table": table}) + "\n"


def entry(handle: str | None, at: float, kind: str, text: str) -> str:
    """Return the line of a player for what is ``heard`` or ``sent``, as JSON.

    A ``line`` is "lost" or "back". ``at`` is seconds since the visit began.
    """
    return f'{{"handle": {json.dumps(handle)}, "at": {at:.3f}, "{kind}": {text}}}\n'


class Recorder:
    """A file to which lines are added."""

    def __init__(self, path: Path) -> None:
        """Open ``path``, and make it if it is not there.

        A last line that was cut short, as by a power cut, is taken off.

        Raises:
            RecordUnusableError: if it cannot be written.
        """
        self.path, self._descriptor = path, -1
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | OPENED
        try:
            self._descriptor = os.open(path, flags, _MODE)
            self._prepare()
        except OSError as error:
            self.close()
            raise RecordUnusableError(path, error.strerror or "it is no file") from None

    def write(self, line: str) -> None:
        """Add a line, which ends with a newline.

        Raises:
            OSError: if there is no room; the part that was written is taken back.
        """
        rest = memoryview(line.encode())
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            os.ftruncate(self._descriptor, self._size)
            raise
        self._size += len(line.encode())

    def close(self) -> None:
        """Close the file; harmless when it is closed already."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _prepare(self) -> None:
        found = os.fstat(self._descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(None, "it is no file")
        head = os.read(self._descriptor, len(_START))
        start = max(0, found.st_size - LONGEST)
        os.lseek(self._descriptor, start, os.SEEK_SET)
        tail = os.read(self._descriptor, LONGEST)
        if head not in (b"", _START) or (start and b"\n" not in tail):
            raise OSError(None, "it is something else than a record")
        if IS_UNIX:
            os.fchmod(self._descriptor, _MODE)
        self._size = start + tail.rfind(b"\n") + 1
        os.ftruncate(self._descriptor, self._size)


class RecordUnusableError(ClientError):
    """The visit cannot be recorded."""

    exit = Exit.RECORD
    sentence = (
        "The record {} cannot be written ({}): name another file with --record, or "
        "leave it out."
    )

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(path, why)


class RecordError(ValueError):
    """A file that is no record, or is damaged; the message is a sentence."""


class Header(Model):
    """The beginning of a visit."""

    record: int = Field(ge=_FORM, le=_FORM, strict=True)
    server: str
    table: str | None


class Entry(Model):
    """Something that was heard or sent on the line of a player."""

    handle: str | None
    at: float = Field(ge=0, allow_inf_nan=False)
    heard: Message | None = None
    text: str = ""
    """The message exactly as it came; it is no field of a line."""
    sent: Command | None = None
    line: Literal["lost", "back"] | None = None


_LINE: TypeAdapter[Header | Entry] = TypeAdapter(Header | Entry)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Return the lines of a file; a line that is too long ends the reading."""
    return iter(lambda: file.readline(LONGEST + 1), b"")


def read(lines: Iterable[bytes]) -> Iterator[tuple[int, Header | Entry]]:
    """Read the lines of a record, with their numbers.

    Raises:
        RecordError: at the first line that is none of a record.
    """
    is_headed = False
    handles: set[str | None] = set()
    for number, text in enumerate(lines, start=1):
        if len(text) > LONGEST:
            raise RecordError(f"Line {number} is longer than any message can be.")
        if not text.endswith(b"\n"):
            raise RecordError(f"Line {number} is cut short, and the record with it.")
        line = _read_line(number, text)
        is_headed = is_headed or isinstance(line, Header)
        if not is_headed:
            raise RecordError(f"Line {number} comes before the beginning of a visit.")
        if isinstance(line, Entry) and (
            [line.heard, line.sent, line.line].count(None) != 2
        ):
            raise RecordError(f"Line {number} is neither heard nor sent.")
        if isinstance(line, Header):
            handles.clear()
        else:
            handles.add(line.handle)
        if len(handles) > _MOST_HANDLES:
            raise RecordError(f"Line {number} is of one handle more than a visit has.")
        yield number, line
    if not is_headed:
        raise RecordError("There is nothing in it.")


def _read_line(number: int, text: bytes) -> Header | Entry:
    """Read a line; the text of a message is kept for the chain of the story."""
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
            raise RecordError(
                f"Line {number} begins a record of an older bj-client, which proves "
                "another scheme: check it with the version that has written it."
            ) from None
        raise RecordError(
            f"Line {number} is damaged, or no line of a record."
        ) from None


def _now() -> datetime:
    return datetime.now(UTC)


class Evidence:
    """The lines of a visit, in the form of a record."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        """Have the file go to ``folder``, named by the time ``now``, if ever."""
        self._folder = folder
        self._now = now
        self._packer = zlib.compressobj(_FASTEST)
        self._packed = bytearray()
        self._parts: list[bytes] = []
        """Packed each by itself: the first one, and the last two."""
        self._recorder: Recorder | None = None
        self.is_lost = False
        """Whether it could not be written."""

    @property
    def path(self) -> Path | None:
        """The file; None as long as there is none."""
        return None if self._recorder is None else self._recorder.path

    def add(self, line: str) -> None:
        """Keep a line."""
        if self._recorder is None:
            self._packed += self._packer.compress(line.encode())
            if len(self._packed) > _PART_BYTES:
                self._close_part()
        elif not self.is_lost:
            self._write(line)

    def save(self) -> None:
        """Write everything to a file, unless that was done."""
        if self._recorder is not None or self.is_lost:
            return
        self._close_part()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._recorder = Recorder(next(self._free_paths()))
        except (OSError, RecordUnusableError):
            self.is_lost = True
            return
        for part in self._parts:
            self._write(zlib.decompress(part).decode())
        self._parts.clear()

    def _close_part(self) -> None:
        self._parts.append(bytes(self._packed + self._packer.flush()))
        self._packer, self._packed = zlib.compressobj(_FASTEST), bytearray()
        del self._parts[1:-2]

    def close(self) -> None:
        """Close the file."""
        if self._recorder is not None:
            self._recorder.close()

    def _write(self, text: str) -> None:
        assert self._recorder is not None
        try:
            self._recorder.write(text)
        except OSError:
            self.is_lost = True

    def _free_paths(self) -> Iterator[Path]:
        stem = f"evidence-{self._now():%Y%m%d-%H%M%S}"
        for number in range(1, 1000):
            suffix = "" if number == 1 else f"-{number}"
            path = self._folder / f"{stem}{suffix}.jsonl"
            with contextlib.suppress(FileExistsError):
                path.touch(0o600, exist_ok=False)
                yield path
