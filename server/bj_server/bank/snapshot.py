"""The snapshot, ``bank.json``: the books as of one place in the journal.

A start reads it and then only the lines after its place. What lies before is held
against its hashes, byte for byte, so that damage there is found all the same, and its
own checksum shows whether a digit of it was changed. People may read it.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from bj_server.bank.books import Books
from bj_server.bank.disk import naming, replace_file, why
from bj_server.bank.error import BankDamaged
from bj_server.bank.plain import read_plain
from bj_server.bank.reader import Place
from bj_server.bank.segment import Closed
from bj_server.bank.statement import FIELDS, restore, state

__all__ = ["SNAPSHOT_NAME", "Snapshot"]

SNAPSHOT_NAME = "bank.json"

_FORMAT = 2
_NAMES = ("format", "seq", "line_sha256", "time", "segment", "closed", *FIELDS)
_SEAL = b',\n "checksum": "'
_SEAL_LENGTH = len(_SEAL) + 64 + len(b'"\n}\n')


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
    def read(cls, folder: Path) -> Self | None:
        """Return the snapshot of a folder, or None where there is none.

        Raises:
            BankDamaged: if it is not exactly what ``write`` writes.
        """
        path = folder / SNAPSHOT_NAME
        try:
            content = path.read_bytes()
            fields = read_plain(content.decode("ascii"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BankDamaged(path, f"cannot be read: {why(error)}") from error
        except ValueError:
            raise BankDamaged(path, "is not plain JSON, or not all of it") from None
        fields = _check_format(path, fields)
        if content[-_SEAL_LENGTH:] != _seal(content[:-_SEAL_LENGTH]):
            raise BankDamaged(path, "is not as it was written, by its checksum")
        try:
            return cls._from_json(fields)
        except (AttributeError, KeyError, TypeError, ValueError):
            reason = f"does not hold what format {_FORMAT} holds"
            raise BankDamaged(path, reason) from None

    @classmethod
    def _from_json(cls, fields: Any) -> Self:
        segment = fields["segment"]
        place = Place(
            seq=int(fields["seq"]),
            digest=str(fields["line_sha256"]),
            size=int(segment["size"]),
        )
        return cls(
            time=fields["time"],
            number=int(segment["number"]),
            place=place,
            sha256=segment["sha256"],
            closed=tuple(Closed(**each) for each in fields["closed"]),
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

    def write(self, folder: Path) -> None:
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
        body = json.dumps(fields, indent=1).removesuffix("\n}").encode()
        path = folder / SNAPSHOT_NAME
        with naming(path):
            replace_file(path, body + _seal(body))


def _seal(body: bytes) -> bytes:
    return _SEAL + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


def _check_format(path: Path, fields: object) -> dict[str, Any]:
    if not isinstance(fields, dict):
        raise BankDamaged(path, "is not a JSON object")
    named = fields.get("format")
    if type(named) is int and named != _FORMAT:
        reason = f"is of format {named}, and this server reads format {_FORMAT}"
        raise BankDamaged(path, reason)
    if "keys" not in fields:  # it was written before handles had keys
        checksum = fields.pop("checksum", None)
        fields |= {"keys": {}, "checksum": checksum}
    if type(named) is not int or tuple(fields) != (*_NAMES, "checksum"):
        raise BankDamaged(path, f"does not hold what format {_FORMAT} holds")
    return fields
