"""The snapshot, ``bank.json``: the books as of one place in the journal.

A start reads it and then only the lines after its place. What lies before is held
against its hashes, byte for byte, so that damage there is found all the same, and its
own checksum shows whether a digit of it was changed. People may read it.
"""

import hashlib
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from bj_server.bank.books import Books
from bj_server.bank.disk import naming, replace_file
from bj_server.bank.document import Document
from bj_server.bank.error import BankDamaged, FormatUnknown, OtherFormat
from bj_server.bank.key import check_digest
from bj_server.bank.reader import Place
from bj_server.bank.segment import Closed
from bj_server.bank.statement import FIELDS, restore, state

SNAPSHOT_NAME = "bank.json"

STATEMENT_NAME = "statement.json"
"""The snapshot from which the journal begins, where the segments before are gone."""

_FORMAT = 2
_MOST_FORMAT = 1_000_000
_STRANGE = f"does not hold what format {_FORMAT} holds"
_NAMES = ("format", "seq", "line_sha256", "time", "segment", "closed", *FIELDS)
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
    place: Place
    sha256: str
    """The SHA-256 of the segment's bytes up to the place."""
    closed: tuple[Closed, ...]
    statement: dict[str, Any]

    @classmethod
    def read(cls, folder: Path, name: str = SNAPSHOT_NAME) -> Self | None:
        """Return the snapshot of a folder, or None where there is none.

        Raises:
            BankDamaged: if it is not exactly what ``write`` writes.
            FormatUnknown: if a server of another release has written it.
            BankUnusable: if the system refuses it.
        """
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
        place = Place(
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
            statement={name: fields[name] for name in FIELDS},
        )

    def books(self, folder: Path) -> Books:
        """Return the books as they were.

        Raises:
            BankDamaged: if the statement is none.
        """
        try:
            return restore(self.statement)
        except ValueError as error:
            raise BankDamaged(folder / SNAPSHOT_NAME, str(error)) from None

    @classmethod
    def of(
        cls,
        books: Books,
        *,
        time: str,
        number: int,
        place: Place,
        sha256: str,
        closed: tuple[Closed, ...],
    ) -> Self:
        """Take down the books as they are at a place of the journal."""
        return cls(
            time=time,
            number=number,
            place=place,
            sha256=sha256,
            closed=closed,
            statement=state(books),
        )

    def write(self, folder: Path, name: str = SNAPSHOT_NAME) -> None:
        """Put the snapshot in its place, safely.

        Raises:
            BankUnusable: if the system refuses; the one before it still stands.
        """
        fields = {
            "format": _FORMAT,
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
        # Piece by piece: a list of all pieces would hold the event loop up at its end.
        stream = io.StringIO()
        json.dump(fields, stream, indent=1)
        body = stream.getvalue().removesuffix("\n}").encode()
        path = folder / name
        with naming(path):
            replace_file(path, body + _seal(body))


def newest(*found: Snapshot | None) -> Snapshot | None:
    """Return the snapshot that knows most, the first of several that do.

    That is ``bank.json``, unless a crash came when only the statement was written anew.
    """
    snapshots = [each for each in found if each is not None]
    return max(snapshots, key=lambda each: each.place.seq, default=None)


def _seal(body: bytes) -> bytes:
    return _SEAL + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


def _check_format(found: Document) -> dict[str, Any]:
    fields, named = found.fields, found.fields.get("format")
    if type(named) is int and 0 < named < _MOST_FORMAT and named != _FORMAT:
        raise FormatUnknown.of(found.path, OtherFormat(named, _FORMAT))
    if "keys" not in fields:  # it was written before handles had keys
        checksum = fields.pop("checksum", None)
        fields |= {"keys": {}, "checksum": checksum}
    is_known = type(named) is int and named == _FORMAT
    if not is_known or tuple(fields) != (*_NAMES, "checksum"):
        raise found.damaged(_STRANGE)
    return fields


def _number(value: object) -> int:
    """Return what is a whole number, and not one as a text.

    Raises:
        TypeError: if it is none.
    """
    if type(value) is not int:
        raise TypeError(value)
    return value


def _closed(each: dict[str, Any]) -> Closed:
    name, seq, size = str(each["name"]), _number(each["seq"]), _number(each["size"])
    return Closed(name=name, seq=seq, size=size, sha256=check_digest(each["sha256"]))
