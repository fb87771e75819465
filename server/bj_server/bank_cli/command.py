"""The command ``bj-bank``: from the command line to the exit status.

Every run ends in a documented status and at most a sentence on standard error; never
in a traceback.
"""

import sys
from collections.abc import Callable, Sequence
from pkgutil import resolve_name

from bj_server.bank.disk import why
from bj_server.bank.error import (
    BankError,
    BankUnusableError,
    FleetFolderError,
    FolderLockedError,
    JournalError,
    UnknownFormatError,
)
from bj_server.bank_cli.options import Options, read_options
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.fleet.error import FleetError
from bj_server.standard import begin, complain, forget, write_text

_NO_BANK = (
    BankUnusableError,
    FleetError,
    FleetFolderError,
    FolderLockedError,
    JournalError,
    UnknownFormatError,
)

_PLACES = {
    "archive": "copy:archive",
    "audit": "audit:audit",
    "backup": "copy:backup",
    "balances": "balances:balances",
    "close": "change:close",
    "export": "movements:export",
    "fleet audit": "fleet.audit:audit",
    "fleet export": "fleet.database:take_folder",
    "fleet import": "fleet.database:bring_folder",
    "fleet migrate": "fleet.database:bring_up",
    "fleet new-key": "change:new_fleet_key",
    "fleet sign": "change:sign_server",
    "fleet statement": "fleet.audit:statement",
    "fleet write-off": "fleet.database:write_off",
    "gift": "change:gift",
    "history": "movements:history",
    "new-server-key": "change:new_server_key",
    "reset-key": "change:reset_key",
    "restore": "copy:restore",
    "round": "round:tell_round",
}
"""The module and the function of each command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Look into the bank as ``arguments`` say; return the exit status."""
    begin("bj-bank")
    options = read_options(arguments)
    try:
        return _say(_command(options)(options))
    except BrokenPipeError:
        forget(sys.stdout)
        return Exit.FINE
    except RefusedError as refused:
        return _fail(refused.status, str(refused))
    except BankError as error:
        is_missing = isinstance(error, _NO_BANK)
        return _fail(Exit.NO_BANK if is_missing else Exit.UNSOUND, str(error))
    except KeyboardInterrupt:
        return _fail(Exit.INTERRUPTED, "Interrupted; nothing was changed.")


def _command(options: Options) -> Callable[[Options], Report]:
    """Return the function of a command; nothing is imported for the others."""
    place = _PLACES[f"{options.command} {options.fleet_command}".strip()]
    try:
        found: Callable[[Options], Report] = resolve_name(f"bj_server.bank_cli.{place}")
    except ImportError as missing:
        if options.command != "fleet":
            raise
        raise RefusedError(
            f"The commands of a fleet need more than is installed ({missing}): "
            "pip install 'blackjack-table[fleet]'",
            Exit.NO_BANK,
        ) from None
    return found


def _say(report: Report) -> int:
    try:
        write_text(sys.stdout, "".join(f"{line}\n" for line in report.lines))
    except OSError as error:
        sentence = f"The output cannot be written: {why(error)}. Send it elsewhere."
        return _fail(Exit.NO_OUTPUT, sentence)
    for remark in filter(None, report.remarks):
        _fail(report.status, remark)
    return report.status


def _fail(status: Exit, sentence: str) -> Exit:
    complain("bj-bank", sentence)
    return status
