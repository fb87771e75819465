"""One line of the journal, and its bytes.

A line is a JSON object with these fields in this order::

    {"seq":7,"time":"2024-05-01T12:30:00.000Z","kind":"stake","table":"main",
     "round":3,"entries":[{"reason":"bet","moves":[["player:ned21","stakes:main",
     5000]]}],"data":{},"synced":5,"prev":"<SHA-256 of the line before>",
     "crc":"<CRC-32>"}

``synced`` is the last line that was known to be on the disk when this one was made: it
vouches for all lines up to that one. ``prev`` is the hash of the whole line before,
without its newline, and 64 zeros in the first line. ``crc`` covers all bytes before
``,"crc"``. The first line of each segment is of kind ``journal`` and its data names the
format of the lines that follow. Data that is not plain JSON is refused by a
``LineError``.
"""

import re
import zlib
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as _quoted
from typing import cast

from bj_server.bank.error import IllegibleError, LineError, OtherFormatError
from bj_server.bank.move import Entry, Kind, Move, Posting, Reason
from bj_server.bank.plain_json import check_plain, read_plain, write_plain

FORMAT = 2
"""The format that is written and read here."""

_MOST_FORMAT = 1_000_000

NO_LINE = "0" * 64
"""The hash that the first line names as that of the line before."""

_TYPES: dict[str, tuple[type, ...]] = {
    "seq": (int,),
    "time": (str,),
    "kind": (str,),
    "table": (str, type(None)),
    "round": (int, type(None)),
    "entries": (list,),
    "data": (dict,),
    "synced": (int,),
    "prev": (str,),
}
_FIELDS = tuple(_TYPES)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_HASH = re.compile(r"[0-9a-f]{64}")
_CRC_LENGTH = len(',"crc":"00000000"}')


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Posting):
    """A posting in its place: numbered from 1, dated, tied to the line before."""

    seq: int
    time: str
    synced: int
    prev: str


def encode_as(
    posting: Posting, *, seq: int, time: str, synced: int, prev: str
) -> bytes:
    """Return the bytes of the line that a posting becomes, without a newline."""
    entries = [
        {
            "reason": entry.reason,
            "moves": [(move.source, move.target, move.amount) for move in entry.moves],
        }
        for entry in posting.entries
    ]
    data = dict(posting.data)
    table = "null" if posting.table is None else _quoted(posting.table)
    try:
        check_plain(data)
        # Put together by hand, since each bet waits for it.
        body = (
            f'{{"seq":{seq},"time":"{time}","kind":{_quoted(posting.kind)},'
            f'"table":{table},"round":{posting.round or "null"},'
            f'"entries":{write_plain(entries)},"data":{write_plain(data)},'
            f'"synced":{synced},"prev":"{prev}"'
        ).encode("ascii")
    except ValueError as error:
        raise LineError(f"it cannot be written, {error}") from None
    return body + _crc(body)


def decode(raw: bytes) -> Line:
    """Read the bytes of a line, without a newline.

    Raises:
        IllegibleError: if they are not the bytes that were written, by their checksum.
        LineError: if they are anything else than ``encode`` could have written.
    """
    body = raw[:-_CRC_LENGTH]
    if raw[-_CRC_LENGTH:] != _crc(body):
        raise IllegibleError("its checksum is wrong")
    try:
        value = read_plain(body.decode("ascii") + "}")
    except ValueError as error:
        raise LineError(f"it is not plain JSON, {error}") from None
    return _line_from_json(value)


def _crc(body: bytes) -> bytes:
    return b',"crc":"%08x"}' % zlib.crc32(body)


def _line_from_json(value: object) -> Line:
    # The text ended in a brace.
    assert isinstance(value, dict)
    _check_format(value)
    _check_fields(value)
    entries = tuple(_entry_from_json(entry) for entry in value["entries"])
    try:
        return Line(**{**value, "entries": entries})
    except ValueError as error:
        raise LineError(f"its round is wrong: {error}") from None


def _check_format(value: dict[str, object]) -> None:
    """Refuse a newer format before anything else about it can look wrong."""
    if value.get("kind") != Kind.JOURNAL:
        return
    data = value.get("data")
    named = data.get("format") if isinstance(data, dict) else None
    if type(named) is int and 0 < named < _MOST_FORMAT and named != FORMAT:
        raise OtherFormatError(named, FORMAT)
    if type(named) is not int or data != {"format": FORMAT}:
        raise LineError("it names no format that this server knows")


def _check_fields(value: dict[str, object]) -> None:
    if tuple(value) != _FIELDS:
        raise LineError(f"its fields are not {', '.join(_FIELDS)} and crc")
    for name, types in _TYPES.items():
        # The exact type: True is an int too.
        if type(value[name]) not in types:
            raise LineError(f"its field {name} is of the wrong type")
    if not _TIME.fullmatch(str(value["time"])):
        raise LineError("its time is not UTC to the millisecond")
    if not _HASH.fullmatch(str(value["prev"])):
        raise LineError("its field prev is not a SHA-256")


def _entry_from_json(value: object) -> Entry:
    if not isinstance(value, dict) or tuple(value) != ("reason", "moves"):
        raise LineError("an entry is not a reason and its moves")
    moves = value["moves"]
    if not isinstance(moves, list):
        raise LineError("an entry has no list of moves")
    try:
        reason = Reason(cast("str", value["reason"]))
    except ValueError:
        raise LineError(
            f"an entry gives the unknown reason {value['reason']!r}"
        ) from None
    return Entry(reason=reason, moves=tuple(_move_from_json(move) for move in moves))


def _move_from_json(value: object) -> Move:
    match value:
        case [str(source), str(target), int(amount)]:
            try:
                return Move(source=source, target=target, amount=amount)
            except ValueError as error:
                raise LineError(f"a move is wrong: {error}") from None
        case _:
            raise LineError("a move is not a source, a target and a number of cents")
