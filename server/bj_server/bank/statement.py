"""Statements: books as JSON, whole, so that a start need not read what led to them."""

from typing import Any

from bj_server.bank.books import Books
from bj_server.bank.docket import Docket, Record
from bj_server.bank.key import check_digest

FIELDS = ("accounts", "rounds", "over", "held", "notices", "dockets", "keys")
"""The parts of a statement."""


def state(books: Books) -> dict[str, object]:
    """Return all that the books know, as plain JSON, in the order of the names."""
    held: dict[str, dict[str, dict[str, int]]] = {}
    for table, round in books.live_rounds:
        held.setdefault(table, {})[str(round)] = books.held(table, round)
    return {
        "accounts": books.ledger.accounts,
        "rounds": books.rounds,
        "over": books.over,
        "held": held,
        "notices": books.all_notices,
        "dockets": {name: _docket_to_json(d) for name, d in books.dockets.items()},
        "keys": books.keys,
    }


def restore(fields: dict[str, Any]) -> Books:
    """Return the books of a statement.

    Raises:
        ValueError: if it is none, naming the part that is wrong.
    """
    for name in ("accounts", "rounds", "over"):
        _check_numbers(name, fields[name])
    try:
        held = {
            (table, int(round)): dict(stakes)
            for table, rounds in fields["held"].items()
            for round, stakes in rounds.items()
        }
        dockets = {n: _docket_from_json(d) for n, d in fields["dockets"].items()}
        notices = {handle: list(lines) for handle, lines in fields["notices"].items()}
        keys = {handle: check_digest(key) for handle, key in fields["keys"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(
            "has stakes, notices, dockets or keys of another shape"
        ) from None
    for stakes in held.values():
        _check_numbers("held", stakes)
    return Books(
        accounts=fields["accounts"],
        rounds=fields["rounds"],
        over=fields["over"],
        held=held,
        notices=notices,
        dockets=dockets,
        keys=keys,
    )


def _check_numbers(part: str, numbers: object) -> None:
    if not isinstance(numbers, dict):
        # What is in a file is a wrong value, of whatever type.
        raise ValueError(f"has {part} that are no object")  # noqa: TRY004
    for name, number in numbers.items():
        # The exact type: True is an int too.
        if type(number) is not int:
            raise ValueError(f"says {number!r:.40} of {name}, which is no whole number")


def _record_to_json(record: Record | None) -> object:
    return record and {"round": record.round, "data": dict(record.data)}


def _docket_to_json(docket: Docket) -> dict[str, object]:
    return {
        "house": _record_to_json(docket.house),
        "draw": _record_to_json(docket.draw),
        "deal": _record_to_json(docket.deal),
        "answers": [_record_to_json(record) for record in docket.answers],
        "state": docket.state,
    }


def _record(kind: str, fields: Any) -> Record:
    return Record(kind=kind, round=fields["round"], data=dict(fields["data"]))


def _perhaps(kind: str, fields: Any) -> Record | None:
    return None if fields is None else _record(kind, fields)


def _docket_from_json(fields: Any) -> Docket:
    return Docket(
        house=_perhaps("house", fields["house"]),
        draw=_perhaps("draw", fields.get("draw")),  # none in one from before draws
        deal=_perhaps("deal", fields["deal"]),
        answers=tuple(_record("answer", each) for each in fields["answers"]),
        state=fields["state"],
    )
