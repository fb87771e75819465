"""The audit of a fleet: each visit has two halves, and both have the same cents.

The journals are read first and the database is looked at then, so that it knows all
that the journals do. What it knows beyond that is on its way, and is named.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from bj_game.money import in_dollars
from bj_server.bank.error import BankDamagedError
from bj_server.bank.visit import Arrival, read_stays
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading, read_books
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.fleet.sql.audit import Halves, Moment, Statement, look
from bj_server.fleet.sql.migration import in_database
from bj_server.fleet.sql.servers import find_server


def _statement_of(folder: Path, url: str) -> Statement:
    """Take the statement of a bank folder; its server may run meanwhile."""
    books, _ = read_books(folder)
    mark = books.fleet
    if mark is None:
        raise RefusedError(
            f"The bank folder {folder} is of no server of a fleet.", Exit.NO_BANK
        )
    # Before the journal, which is then at least as far as the database has heard.
    known = in_database(url, partial(find_server, name=mark.name))
    heard = 0 if known is None else known.seq
    reading = Reading(folder)
    end = reading.read(lambda line: None)
    head = read_stays(folder, heard, end.seq).digest
    opening = 0 if reading.opening is None else reading.opening.place.seq
    stays = read_stays(folder, opening, end.seq).after
    return Statement(
        fleet=mark.fleet,
        name=mark.name,
        is_whole=reading.opening is None,
        heard=heard,
        has_head=known is None or not heard or head == known.hash,
        came={s.id: s.cents for s in stays if isinstance(s, Arrival)},
        went={s.id: s.cents for s in stays if not isinstance(s, Arrival)},
    )


def _read_statement(place: Path, url: str) -> Statement:
    """Take the statement of a folder, or read one from a file."""
    if place.is_dir():
        return _statement_of(place, url)
    try:
        return Statement(**json.loads(place.read_text(encoding="utf-8")))
    except OSError as error:
        sentence = f"The statement {place} cannot be read: {error.strerror}."
        raise RefusedError(sentence) from None
    except (ValueError, TypeError):
        reason = "is no statement"
        remedy = "have it written by bj-bank fleet statement"
        raise BankDamagedError(place, reason, remedy) from None


def statement(options: Options) -> Report:
    """Print the statement of one server, for an audit elsewhere."""
    said = _statement_of(options.bank, options.fleet or "")
    return Report(lines=[json.dumps(asdict(said))])


def audit(options: Options) -> Report:
    """Compare the database with the journals, and name all that does not fit."""
    url = options.fleet or ""
    statements = [_read_statement(place, url) for place in options.statements]
    moment = in_database(url, partial(look, statements=statements))
    faults = [*_sums(moment)]
    for said in statements:
        faults += _heads(said, moment)
    faults += [
        f"Visit {id} at {server} is not in the database."
        for id, server in moment.unknown
    ]
    on_way: list[str] = []
    for halves in moment.uneven:
        faults += _compare(halves, on_way)
    seen = {said.name for said in statements}
    unseen = [n for n, s in moment.servers.items() if n not in seen and s.seq]
    what = f"{len(faults)} things do not fit" if faults else "All sums are zero"
    lines = [*faults, *on_way, *(f"Server {name} was not seen." for name in unseen)]
    lines.append(
        f"{what}: {len(seen)} servers with {moment.visits} visits, {len(on_way)} of "
        f"them on their way; {len(unseen)} servers were not seen."
    )
    fields: dict[str, Any] = {
        "faults": faults,
        "on_their_way": on_way,
        "not_seen": unseen,
        "visits": moment.visits,
    }
    status = Exit.UNSOUND if faults else Exit.FINE
    return Report.of(options, fields, lines, status=status)


def _sums(moment: Moment) -> Iterator[str]:
    if moment.total:
        yield f"All accounts together hold {in_dollars(moment.total)}, not 0."
    for handle, cents in moment.wrong.items():
        yield (
            f"{handle} has {in_dollars(cents)} at rest that no gift and no visit "
            "explains."
        )


def _heads(said: Statement, moment: Moment) -> Iterator[str]:
    if said.fleet != moment.fleet:
        yield f"Server {said.name} is of another fleet."
    if not said.has_head:
        yield (
            f"The journal of {said.name} has not the line {said.heard} that the "
            "database has heard of."
        )


def _compare(halves: Halves, on_way: list[str]) -> Iterator[str]:
    """Tell what of a visit does not fit; what is on its way may yet."""
    visit = f"Visit {halves.id} of {halves.handle} at {halves.server}"
    came, went = halves.journal_came, halves.journal_went
    if came is not None and came != halves.came:
        yield _differ(f"{visit} came with", halves.came, came)
    if came is None and went is None:
        on_way.append(f"{visit} is on its way there.")
    elif went is None and halves.goes is not None:
        on_way.append(f"{visit} is over since the journal was read.")
    elif went is not None and halves.goes is None:
        on_way.append(f"{visit} is on its way home.")
    elif went is not None and halves.goes is not None and went != halves.goes:
        yield _differ(f"{visit} went with", halves.goes, went)


def _differ(what: str, sql: int, journal: int) -> str:
    return (
        f"{what} {in_dollars(sql)} in the database, and {in_dollars(journal)} in the "
        "journal."
    )
