"""The snapshot, ``bank.json``: the books as of one place in the journal.

A start reads it, and then only the lines after its place. The bytes before are
compared with its hashes, so that damage there is found all the same. Its own checksum
shows whether a digit of it was changed. People may read it.
"""

import hashlib
import json
import threading
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

from bj_server.bank.books import Books
from bj_server.bank.disk import naming, read_file, replace_file
from bj_server.bank.error import BankDamagedError, OtherFormatError, UnknownFormatError
from bj_server.bank.key import check_digest
from bj_server.bank.ledger import Ledger, in_order
from bj_server.bank.line import FORMAT, FORMATS
from bj_server.bank.move import Posting
from bj_server.bank.pending import PendingRound
from bj_server.bank.plain_json import NotPlainError, read_plain
from bj_server.bank.reader import Position
from bj_server.bank.segment import Closed
from bj_server.bank.visit import Membership


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The contents of one file."""

    path: Path
    content: bytes
    fields: dict[str, Any]
    remedy: str
    """The remedy for a damaged file; empty for that of ``bank.json``."""

    @classmethod
    def read(cls, path: Path, remedy: str) -> Self | None:
        """Read a file; None where there is none.

        Raises:
            BankDamagedError: if it is not one object of plain JSON.
        """
        with naming(path):
            try:
                content = read_file(path)
            except FileNotFoundError:
                return None
        try:
            fields = read_plain(content.decode("utf-8-sig"))
        except NotPlainError as error:
            reason = f"is not plain JSON: {error}"
            raise BankDamagedError(path, reason, remedy) from None
        except ValueError:
            reason = "is not plain JSON, or not all of it"
            raise BankDamagedError(path, reason, remedy) from None
        if not isinstance(fields, dict):
            raise BankDamagedError(path, "is not a JSON object", remedy)
        return cls(path=path, content=content, fields=fields, remedy=remedy)

    def damaged(self, reason: str) -> BankDamagedError:
        """Return the error about what the file holds; the reason completes "it ..."."""
        return BankDamagedError(self.path, reason, self.remedy)


FIELDS = ("accounts", "rounds", "over", "held", "notices", "dockets", "keys")
"""The parts of a statement."""

_OF_FLEET = ("visits", "fleet")
"""The parts that the statement of a fleet's folder has beside them."""


def state(books: Books) -> dict[str, object]:
    """Return all that the books know, as plain JSON, in the order of the names."""
    held: dict[str, dict[str, dict[str, int]]] = {}
    for table, round in books.live_rounds:
        held.setdefault(table, {})[str(round)] = books.held(table, round)
    dockets = {name: _pending_to_json(d) for name, d in books.pending_rounds.items()}
    of_fleet: dict[str, object] = {}
    if books.fleet is not None:
        of_fleet = {"visits": in_order(books.visits), "fleet": asdict(books.fleet)}
    return {
        "accounts": books.ledger.accounts,
        "rounds": in_order(books.rounds),
        "over": in_order(books.over),
        "held": held,
        "notices": in_order(books.notices),
        "dockets": in_order(dockets),
        "keys": in_order(books.keys),
        **of_fleet,
    }


def restore(fields: dict[str, Any]) -> Books:
    """Return the books of a statement."""
    for name in ("accounts", "rounds", "over"):
        _check_numbers(name, fields[name])
    try:
        held = {
            (table, int(round)): dict(stakes)
            for table, rounds in fields["held"].items()
            for round, stakes in rounds.items()
        }
        pending_rounds = {
            n: _pending_from_json(d) for n, d in fields["dockets"].items()
        }
        notices = {handle: list(told) for handle, told in fields["notices"].items()}
        keys = {handle: check_digest(key) for handle, key in fields["keys"].items()}
        visits = {handle: str(id) for handle, id in fields.get("visits", {}).items()}
        fleet = Membership(**fields["fleet"]) if "fleet" in fields else None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(
            "has stakes, notices, dockets, keys or visits of another shape"
        ) from None
    for stakes in held.values():
        _check_numbers("held", stakes)
    return Books(
        ledger=Ledger(fields["accounts"]),
        rounds=fields["rounds"],
        over=fields["over"],
        live=held,
        notices=notices,
        pending_rounds=pending_rounds,
        keys=keys,
        visits=visits,
        fleet=fleet,
    )


def _check_numbers(part: str, numbers: object) -> None:
    if not isinstance(numbers, dict):
        # A value in a file that has the wrong type is a wrong value.
        raise ValueError(f"has {part} that are no object")  # noqa: TRY004
    for name, number in numbers.items():
        # The exact type: True is an int too.
        if type(number) is not int:
            raise ValueError(f"says {number!r:.40} of {name}, which is no whole number")


def _record_to_json(record: Posting | None) -> object:
    return record and {"round": record.round, "data": dict(record.data)}


def _pending_to_json(pending: PendingRound) -> dict[str, object]:
    return {
        "house": _record_to_json(pending.house),
        "draw": _record_to_json(pending.draw),
        "deal": _record_to_json(pending.deal),
        "answers": [_record_to_json(record) for record in pending.answers],
        "state": pending.state,
    }


def _record(kind: str, fields: Any) -> Posting:
    return Posting(kind=kind, round=fields["round"], data=dict(fields["data"]))


def _pending_from_json(fields: Any) -> PendingRound:
    found = {"draw": None, **fields}  # none in one from before draws
    kinds = [kind for kind in ("house", "draw", "deal") if found[kind] is not None]
    return PendingRound(
        **{kind: _record(kind, found[kind]) for kind in kinds},
        answers=tuple(_record("answer", each) for each in fields["answers"]),
        state=fields["state"],
    )


SNAPSHOT_NAME = "bank.json"

STATEMENT_NAME = "statement.json"
"""The snapshot from which the journal begins, where the segments before are gone."""

_MOST_FORMAT = 1_000_000
_SLICE = 1000
"""Accounts that are written at a time."""
_STRANGE = f"does not have the fields of format {FORMAT}"
_NAMES = ("format", "seq", "line_sha256", "time", "segment", "closed")
_SEAL = b',\n "checksum": "'
_SEAL_LENGTH = len(_SEAL) + 64 + len(b'"\n}\n')
_REMEDIES = {
    STATEMENT_NAME: f"put it back from a good copy, or move it away to go on from "
    f"{SNAPSHOT_NAME}, with a journal that no audit can prove"
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The books as of a place in a segment, and all segments before that one."""

    time: str
    number: int
    """The segment that the place is in."""
    place: Position
    statement: dict[str, Any]
    sha256: str = hashlib.sha256().hexdigest()
    """The SHA-256 of the segment's bytes up to the place; that of none at its start."""
    closed: tuple[Closed, ...] = ()

    @classmethod
    def read(cls, folder: Path, name: str = SNAPSHOT_NAME) -> Self | None:
        """Return the snapshot of a folder, or None where there is none."""
        found = Document.read(folder / name, _REMEDIES.get(name, ""))
        if found is None:
            return None
        fields = _check_format(found)
        if found.content[-_SEAL_LENGTH:] != _seal(found.content[:-_SEAL_LENGTH]):
            raise found.damaged("is not as it was written, by its checksum")
        try:
            return cls._from_json(fields)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise found.damaged(_STRANGE) from None

    @classmethod
    def _from_json(cls, fields: Any) -> Self:
        segment = fields["segment"]
        place = Position(
            seq=_number(fields["seq"]),
            digest=check_digest(fields["line_sha256"]),
            size=_number(segment["size"]),
        )
        return cls(
            time=str(fields["time"]),
            number=_number(segment["number"]),
            place=place,
            sha256=check_digest(segment["sha256"]),
            closed=tuple(_closed(each) for each in fields["closed"]),
            statement={name: fields[name] for name in _parts(fields)},
        )

    def books(self, folder: Path) -> Books:
        """Return the books as they were."""
        try:
            return restore(self.statement)
        except ValueError as error:
            raise BankDamagedError(folder / SNAPSHOT_NAME, str(error)) from None

    def write(self, folder: Path, name: str = SNAPSHOT_NAME) -> None:
        """Put the snapshot in its place, safely."""
        fields = {
            "format": FORMAT,
            "seq": self.place.seq,
            "line_sha256": self.place.digest,
            "time": self.time,
            "segment": {
                "number": self.number,
                "size": self.place.size,
                "sha256": self.sha256,
            },
            "closed": [asdict(each) for each in self.closed],
            **self.statement,
        }
        body = written(fields).encode()
        path = folder / name
        with naming(path):
            replace_file(path, body + _seal(body))


def written(fields: dict[str, Any]) -> str:
    """Return an object as JSON, one name or item on each line, without its end.

    What grows with the accounts is written by slices, for the interpreter lets no
    other thread run while it writes one, and the event loop is one.
    """
    return "{" + ",".join(map(_member, fields, fields.values()))


def _member(name: str, value: object) -> str:
    head = f"\n {json.dumps(name)}: "
    if not isinstance(value, dict) or not all(
        isinstance(each, int | str) for each in value.values()
    ):
        # No text has a newline in it: JSON writes that otherwise.
        return head + json.dumps(value, indent=1).replace("\n", "\n ")
    items = iter(value.items())
    slices = iter(lambda: dict(islice(items, _SLICE)), {})
    return head + "{" + ",".join(map(_slice, slices)) + ("\n }" if value else "}")


def _slice(part: dict[str, object]) -> str:
    return "\n  " + json.dumps(part, separators=(",\n  ", ": "))[1:-1]


def newest(*found: Snapshot | None) -> Snapshot | None:
    """Return the snapshot that knows most, the first of several such.

    That is ``bank.json``, unless a crash came when only the statement was written anew.
    """
    snapshots = [each for each in found if each is not None]
    return max(snapshots, key=lambda each: each.place.seq, default=None)


def _seal(body: bytes) -> bytes:
    return _SEAL + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


def _check_format(found: Document) -> dict[str, Any]:
    fields, named = found.fields, found.fields.get("format")
    if type(named) is int and 0 < named < _MOST_FORMAT and named not in FORMATS:
        raise UnknownFormatError.of(found.path, OtherFormatError(named, FORMATS))
    if "keys" not in fields:  # it was written before handles had keys
        checksum = fields.pop("checksum", None)
        fields |= {"keys": {}, "checksum": checksum}
    is_known = type(named) is int and named in FORMATS
    names = (*_NAMES, *_parts(fields), "checksum")
    if not is_known or tuple(fields) != names:
        raise found.damaged(_STRANGE)
    return fields


def _parts(fields: dict[str, Any]) -> tuple[str, ...]:
    return (*FIELDS, *(_OF_FLEET if "fleet" in fields else ()))


def _number(value: object) -> int:
    """Return what is a whole number, and not one as a text."""
    if type(value) is not int:
        raise TypeError(value)
    return value


def _closed(each: dict[str, Any]) -> Closed:
    name, seq, size = str(each["name"]), _number(each["seq"]), _number(each["size"])
    return Closed(name=name, seq=seq, size=size, sha256=check_digest(each["sha256"]))


class SnapshotWriter:
    """Writes snapshots of one folder, on any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest = 0
        self._writing = threading.Lock()

    def write(self, snapshot: Snapshot) -> None:
        """Put a snapshot in its place, unless a newer one is there already."""
        with self._writing:
            if snapshot.place.seq >= self._newest:
                snapshot.write(self._folder)
                self._newest = snapshot.place.seq
