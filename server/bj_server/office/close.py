"""Close: ends the accounts that hold no money, or that nobody has ever used.

An account was never used if its opening is in the journal and no line after that has
moved its money: no bet, and no gift. What it holds is then the donor's own, and goes
back there. Earned money is nobody's but the player's, so such an account stays.
"""

import contextlib
from datetime import timedelta

from bj_game.money import in_dollars
from bj_server.bank.books import Books
from bj_server.bank.clock import stamp, utc_now
from bj_server.office.change import to_change
from bj_server.office.handle import find_handle
from bj_server.office.options import Options
from bj_server.office.progress import progress, stepping
from bj_server.office.reading import Reading, players, read_books
from bj_server.office.report import Exit, Refused, Report, as_json
from bj_server.office.usage import Usage
from bj_server.table.records import TableState


def close(options: Options) -> Report:
    """Close accounts, all that are named or none; it is on the disk then.

    With ``--dry-run`` it is only told which.

    Raises:
        Refused: if one that is named cannot be closed, or there is no bank.
        BankError: if the bank cannot be read or written, or a server holds it.
    """
    reading, repaired = Reading(options.bank), None
    if options.dry_run:
        chosen = _choose(options, reading)
    else:
        with to_change(options.bank) as bank:
            # Read while nobody else can write.
            chosen = _choose(options, Reading(options.bank))
            bank.close_accounts(chosen)
            repaired = bank.repaired
    if options.as_json:
        closed = [
            {"handle": handle, "cents": cents} for handle, cents in chosen.items()
        ]
        fields = {"dry_run": options.dry_run, "closed": closed}
        return Report(lines=as_json(fields), remarks=[repaired])
    lines = [_told(options, *each) for each in chosen.items()]
    return Report(lines=lines or ["No account is to be closed."], remarks=[repaired])


def _told(options: Options, handle: str, cents: int) -> str:
    done = "would be" if options.dry_run else "is"
    goes = f"{in_dollars(cents)} goes back to the donor" if cents else "it held nothing"
    return f"The account of {handle} {done} closed; {goes}."


def _choose(options: Options, reading: Reading) -> dict[str, int]:
    """Return what the accounts hold that are to be closed, by handle."""
    usage = Usage()
    with progress("close", reading.lines) as step:
        reading.read(stepping(usage.visit, step))
    books, _ = read_books(options.bank)
    accounts, kept = players(books), _reasons(books, usage)
    if options.unused_days is None:
        chosen = {find_handle(wanted, accounts): None for wanted in options.handles}
        refused = [kept[handle] for handle in chosen if handle in kept]
        if refused:
            raise Refused(
                Exit.WRONG_OPTIONS, f"{' '.join(refused)} No account was closed."
            )
        return {handle: accounts[handle] for handle in chosen}
    last = stamp(utc_now() - timedelta(days=options.unused_days))
    # Whom the journal does not name was seen last before it begins.
    begins = "" if reading.opening is None else reading.opening.time
    return {
        handle: cents
        for handle, cents in accounts.items()
        if handle not in kept and usage.seen.get(handle, begins) <= last
    }


def _reasons(books: Books, usage: Usage) -> dict[str, str]:
    """Return a sentence for each account that must stay open, by handle."""
    reasons = {
        handle: f"{handle} has {in_dollars(cents)}, and it was used or may have been: "
        "only an account that is empty, or that the journal shows opened and never "
        "used, can be closed."
        for handle, cents in players(books).items()
        if cents and handle not in usage.unused
    }
    for table, docket in books.dockets.items():
        # A table whose state cannot be read is not resumed, and nobody sits there.
        with contextlib.suppress(ValueError):
            for seat in TableState.model_validate(docket.state).seats:
                reasons[seat.handle] = (
                    f"{seat.handle} has a seat at table {table}: start the server, and "
                    "stop it once the seat is free."
                )
    for table, round in books.live_rounds:
        for handle, cents in books.held(table, round).items():
            reasons[handle] = (
                f"{handle} has {in_dollars(cents)} at stake in round {table}/{round}: "
                "start the server, and have the round played."
            )
    return reasons
