"""The command ``bj-bank``: from the command line to the exit status.

Every run ends in a documented status and at most a sentence on standard error; never
in a traceback.
"""

import sys
from collections.abc import Callable, Sequence

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
    name = f"{options.command} {options.fleet_command}".strip()
    try:
        return commands().get(name) or fleet_commands()[name]
    except ImportError as missing:
        raise RefusedError(
            Exit.NO_BANK,
            f"The commands of a fleet need more than is installed ({missing}): "
            "pip install 'blackjack-table[fleet]'",
        ) from None


def fleet_commands() -> dict[str, Callable[[Options], Report]]:
    """Return those of the database of a fleet, which need psycopg."""
    from bj_server.bank_cli.fleet.audit import audit, statement
    from bj_server.bank_cli.fleet.database import (
        bring_folder,
        bring_up,
        take_folder,
        write_off,
    )

    return {
        "fleet audit": audit,
        "fleet export": take_folder,
        "fleet import": bring_folder,
        "fleet migrate": bring_up,
        "fleet statement": statement,
        "fleet write-off": write_off,
    }


def commands() -> dict[str, Callable[[Options], Report]]:
    """Return the commands by their names; ``--help`` imports none of them."""
    from bj_server.bank_cli.audit import audit
    from bj_server.bank_cli.balances import balances
    from bj_server.bank_cli.change import (
        close,
        gift,
        new_fleet_key,
        new_server_key,
        reset_key,
        sign_server,
    )
    from bj_server.bank_cli.copy import archive, backup, restore
    from bj_server.bank_cli.movements import export, history
    from bj_server.bank_cli.round import tell_round

    return {
        "archive": archive,
        "audit": audit,
        "backup": backup,
        "balances": balances,
        "close": close,
        "export": export,
        "fleet new-key": new_fleet_key,
        "fleet sign": sign_server,
        "gift": gift,
        "history": history,
        "new-server-key": new_server_key,
        "reset-key": reset_key,
        "restore": restore,
        "round": tell_round,
    }


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
