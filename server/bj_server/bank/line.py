"""One line of the journal, and its bytes.

All that one command to a table does is one line, a JSON object with these fields in
this order::

    {"seq":7,"time":"2024-05-01T12:30:00.000Z","table":"main","acts":[{"kind":"stake",
     "round":3,"entries":[["bet",["player:ned21","stakes:main",5000]]],"data":{}}],
     "state":{"seq":41},"synced":5,"prev":"<SHA-256 of the line before>",
     "crc":"<CRC-32>"}

An act is a posting; of its fields, those that say nothing are left out. ``state`` is
what the command has changed in the state of the table; what happens at no table has
one act and no state. ``synced`` is the last line that was known to be on the disk when
this one was made: it vouches for all lines up to that one. ``prev`` is the hash of the
whole line before, without its newline, and 64 zeros in the first line. ``crc`` covers
all bytes before ``,"crc"``.

The first line of each segment is of kind ``journal`` and its data names the format of
the lines that follow. It has the form of format 2, in which each posting was a line by
itself, and one of kind ``seal`` with the whole state ended a command.
"""

import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

from bj_server.bank.error import IllegibleError, LineError, OtherFormatError
from bj_server.bank.move import Entry, Kind, Move, Posting, Reason
from bj_server.bank.plain_json import read_plain, write_plain

FORMAT = 3
"""The format that is written here."""

FORMATS = (2, FORMAT)
"""The formats that are read here."""

_MOST_FORMAT = 1_000_000

HEADER = (
    f'"kind":"{Kind.JOURNAL}","table":null,"round":null,"entries":[],'
    f'"data":{{"format":{FORMAT}}}'
)
"""What the first line of each segment says."""

NO_LINE = "0" * 64
"""The hash that the first line names as that of the line before."""

_Types = dict[str, tuple[type, ...]]

_PLACE: _Types = {"seq": (int,), "time": (str,)}
_CHAIN: _Types = {"synced": (int,), "prev": (str,)}
_ACT: _Types = {"kind": (str,), "round": (int,), "entries": (list,), "data": (dict,)}
_TYPES: _Types = {
    **_PLACE,
    "table": (str, type(None)),
    "acts": (list,),
    "state": (dict, type(None)),
    **_CHAIN,
}
_OLD_TYPES: _Types = {
    **_PLACE,
    "kind": (str,),
    "table": (str, type(None)),
    "round": (int, type(None)),
    "entries": (list,),
    "data": (dict,),
    **_CHAIN,
}
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_HASH = re.compile(r"[0-9a-f]{64}")
_CRC = b',"crc":"%08x"}'
_CRC_LENGTH = len(_CRC % 0)


@dataclass(slots=True, kw_only=True)
class Line(Posting):
    """A posting in its line: numbered from 1, dated, tied to the line before."""

    seq: int
    time: str
    synced: int
    prev: str

    @property
    def ends_command(self) -> bool:
        """Whether it is the last posting of a command."""
        return self.table is None or self.kind == Kind.SEAL


def act(posting: Posting) -> str:
    """Return the text of a posting among the acts of a line."""
    fields: dict[str, object] = {"kind": posting.kind}
    if posting.round is not None:
        fields["round"] = posting.round
    if posting.entries:
        fields["entries"] = [
            (entry.reason, *[(m.source, m.target, m.amount) for m in entry.moves])
            for entry in posting.entries
        ]
    if posting.data:
        fields["data"] = posting.data
    try:
        return write_plain(fields)
    except (TypeError, ValueError) as error:
        raise LineError(f"it cannot be written, {error}") from None


def command(
    table: str | None, acts: Iterable[str], state: Mapping[str, object] | None
) -> str:
    """Return what the line of a command says; acts are in the texts of ``act``."""
    name = "null" if table is None else _quoted(table)
    return f'"table":{name},"acts":[{",".join(acts)}],"state":{write_plain(state)}'


def encode(says: str, *, seq: int, time: str, synced: int, prev: str) -> bytes:
    """Return the bytes of a line, without a newline."""
    text = f'{{"seq":{seq},"time":"{time}",{says},"synced":{synced},"prev":"{prev}"'
    body = text.encode("ascii")
    return body + _CRC % zlib.crc32(body)


def decode(raw: bytes, format: int | None = None) -> tuple[Line, ...]:
    """Read the bytes of a line, without a newline; return all postings in it.

    The state of a table comes last, as a posting of kind ``seal``. Where ``format`` is
    given, the line must be of that one, or a header.

    Raises:
        IllegibleError: if they are not the bytes that were written, by their checksum.
        LineError: if they are anything else than ``encode`` could have written.
    """
    body = raw[:-_CRC_LENGTH]
    if raw[-_CRC_LENGTH:] != _CRC % zlib.crc32(body):
        raise IllegibleError("its checksum is wrong")
    try:
        value = read_plain(body.decode("ascii") + "}")
    except ValueError as error:
        raise LineError(f"it is not plain JSON, {error}") from None
    # The text ended in a brace.
    assert isinstance(value, dict)
    is_old = "kind" in value
    if format and is_old != (format < FORMAT) and value.get("kind") != Kind.JOURNAL:
        raise LineError(f"it is no line of format {format}, which its file has")
    try:
        return (_posting_of_old(value),) if is_old else _postings(value)
    except ValueError as error:
        raise LineError(f"its round is wrong: {error}") from None


def _postings(value: dict[str, Any]) -> tuple[Line, ...]:
    _check_fields(value, _TYPES)
    acts, table, state = value["acts"], value["table"], value["state"]
    if (table is None) != (state is None) or (table is None and len(acts) != 1):
        raise LineError("its acts and its state are not those of one command")
    place = {name: value[name] for name in (*_PLACE, "table", *_CHAIN)}
    lines = [Line(**place, **_act_from_json(each)) for each in acts]
    if table is not None:
        lines.append(Line(**place, kind=Kind.SEAL, data=state))
    return tuple(lines)


def _act_from_json(value: object) -> dict[str, Any]:
    if not isinstance(value, dict) or "kind" not in value:
        raise LineError("an act has no kind")
    types = {name: types for name, types in _ACT.items() if name in value}
    _check_types(value, types)
    if value["kind"] in (Kind.JOURNAL, Kind.SEAL):
        raise LineError(f"an act is of kind {value['kind']}")
    return {**value, "entries": tuple(map(_entry_from_json, value.get("entries", ())))}


def _posting_of_old(value: dict[str, Any]) -> Line:
    """Return the posting of a line of format 2, or of a header."""
    _check_format(value)
    _check_fields(value, _OLD_TYPES)
    if value["kind"] == Kind.SEAL:  # which had the whole state, and never a change
        value["data"].setdefault("seats", [])
    entries = tuple(map(_old_entry_from_json, value["entries"]))
    return Line(**{**value, "entries": entries})


def _check_format(value: dict[str, object]) -> None:
    """Refuse a newer format before anything else about it can look wrong."""
    if value.get("kind") != Kind.JOURNAL:
        return
    data = value.get("data")
    named = data.get("format") if isinstance(data, dict) else None
    if type(named) is int and 0 < named < _MOST_FORMAT and named not in FORMATS:
        raise OtherFormatError(named, FORMATS)
    if type(named) is not int or data != {"format": named} or named not in FORMATS:
        raise LineError("it names no format that this server knows")


def _check_types(value: dict[str, Any], types: _Types) -> None:
    if tuple(value) != tuple(types):
        raise LineError(f"its fields are not {', '.join(types)}")
    for name, allowed in types.items():
        # The exact type: True is an int too.
        if type(value[name]) not in allowed:
            raise LineError(f"its field {name} is of the wrong type")


def _check_fields(value: dict[str, Any], types: _Types) -> None:
    _check_types(value, types)
    if not _TIME.fullmatch(str(value["time"])):
        raise LineError("its time is not UTC to the millisecond")
    if not _HASH.fullmatch(str(value["prev"])):
        raise LineError("its field prev is not a SHA-256")


def _old_entry_from_json(value: object) -> Entry:
    if not isinstance(value, dict) or tuple(value) != ("reason", "moves"):
        raise LineError("an entry is not a reason and its moves")
    moves = value["moves"]
    if not isinstance(moves, list):
        raise LineError("an entry has no list of moves")
    return _entry_from_json([value["reason"], *moves])


def _entry_from_json(value: object) -> Entry:
    if not isinstance(value, list) or not value:
        raise LineError("an entry is not a reason and its moves")
    try:
        reason = Reason(value[0])
    except ValueError:
        raise LineError(f"an entry gives the unknown reason {value[0]!r}") from None
    return Entry(reason=reason, moves=tuple(map(_move_from_json, value[1:])))


def _move_from_json(value: object) -> Move:
    match value:
        case [str(source), str(target), int(amount)]:
            try:
                return Move(source=source, target=target, amount=amount)
            except ValueError as error:
                raise LineError(f"a move is wrong: {error}") from None
        case _:
            raise LineError("a move is not a source, a target and a number of cents")
