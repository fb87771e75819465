"""The readable balances, ``bank.json``: a copy for people, never the truth.

It is rewritten now and then from the books. At the start it is held against the
journal as that was at its line; a file that says something else was damaged or
edited, and somebody should know before the server goes on.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bj_server.bank.books import Books
from bj_server.bank.disk import naming, replace_file, why
from bj_server.bank.error import BankDamaged
from bj_server.bank.plain import no_name_twice

__all__ = ["SNAPSHOT_NAME", "Snapshot"]

SNAPSHOT_NAME = "bank.json"

_FORMAT = 1
_TYPES = {
    "format": int,
    "seq": int,
    "line_sha256": str,
    "time": str,
    "accounts": dict,
    "rounds": dict,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The balances in cents and the last rounds, as of one line of the journal."""

    seq: int
    line_sha256: str
    time: str
    accounts: dict[str, int]
    rounds: dict[str, int]

    @classmethod
    def of(cls, books: Books, *, seq: int, line_sha256: str, time: str) -> Self:
        """Take down the books as they are after the line numbered ``seq``."""
        return cls(
            seq=seq,
            line_sha256=line_sha256,
            time=time,
            accounts=books.ledger.accounts,
            rounds=books.rounds,
        )

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Return the snapshot of a folder, or None where there is none.

        Raises:
            BankDamaged: if it is not exactly what ``write`` writes.
        """
        path = folder / SNAPSHOT_NAME
        try:
            text = path.read_text("utf-8")
            fields = json.loads(text, object_pairs_hook=no_name_twice)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BankDamaged(path, f"cannot be read: {why(error)}") from error
        except (ValueError, RecursionError):
            raise BankDamaged(path, "is not JSON, or not all of it") from None
        _check_shape(path, fields)
        del fields["format"]
        return cls(**fields)

    def write(self, folder: Path) -> None:
        """Put the snapshot in its place, safely.

        Raises:
            BankUnusable: if the system refuses; the one before it still stands.
        """
        fields = {
            "format": _FORMAT,
            "seq": self.seq,
            "line_sha256": self.line_sha256,
            "time": self.time,
            "accounts": self.accounts,
            "rounds": self.rounds,
        }
        path = folder / SNAPSHOT_NAME
        with naming(path):
            replace_file(path, json.dumps(fields, indent=1).encode() + b"\n")

    def compare(self, path: Path, digest: str, books: Books) -> None:
        """Hold the snapshot against the books as they were at its line.

        Raises:
            BankDamaged: naming the first account or table that differs.
        """
        if self.line_sha256 != digest:
            reason = f"belongs to another journal: line {self.seq} of this one differs"
            raise BankDamaged(path, reason)
        _compare(path, "account", self.accounts, books.ledger.accounts)
        _compare(path, "last round at table", self.rounds, books.rounds)


def _check_shape(path: Path, fields: object) -> None:
    if not isinstance(fields, dict):
        raise BankDamaged(path, "is not a JSON object")
    named = fields.get("format")
    if type(named) is int and named > _FORMAT:
        reason = f"is of format {named}, and this server reads up to {_FORMAT}"
        raise BankDamaged(path, reason)
    if set(fields) != set(_TYPES) or named != _FORMAT:
        raise BankDamaged(path, f"does not hold format {_FORMAT}: {', '.join(_TYPES)}")
    for name, kind in _TYPES.items():
        # The exact type: True is an int too.
        if type(fields[name]) is not kind:
            raise BankDamaged(path, f"has a field {name} of the wrong type")
    for name in ("accounts", "rounds"):
        _check_numbers(path, fields[name])


def _check_numbers(path: Path, numbers: dict[str, object]) -> None:
    for name, number in numbers.items():
        if type(number) is not int:
            found = json.dumps(number)[:40]
            raise BankDamaged(path, f"says {found} of {name}, which is no whole number")


def _compare(path: Path, of: str, said: dict[str, int], true: dict[str, int]) -> None:
    for name in sorted({*said, *true}):
        if said.get(name) != true.get(name):
            raise BankDamaged(
                path,
                f"says {_figure(said.get(name))} for {of} {name}, but the journal says "
                f"{_figure(true.get(name))}",
            )


def _figure(number: int | None) -> str:
    return "nothing" if number is None else str(number)
