"""The command ``bj-server``: hosts tables, and ends with a sentence and a status."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from enum import IntEnum

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError
from bj_server.greeting import greeting
from bj_server.host import host
from bj_server.options import read_options
from bj_server.settings import Settings

__all__ = ["Exit", "main"]


class Exit(IntEnum):
    """The exit statuses of ``bj-server``; 2 is that of wrong options."""

    STOPPED = 0
    """Stopped on purpose; seats, cards and stakes are kept for the next start."""
    NO_ADDRESS = 3
    """The address cannot be listened on."""
    NO_BANK = 4
    """The bank folder is damaged, unusable, or held by another server."""
    BANK_FAILED = 5
    """Stopped while the bank could not be written, or with books that do not add up."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Host tables as ``arguments`` say, until stopped; return the exit status."""
    settings = read_options(arguments)
    logging.basicConfig(
        format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING
    )
    # The library logs a traceback for every handshake that a stranger breaks off.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    try:
        bank = Bank.open(settings.bank, keep=settings.table_names)
    except BankError as error:
        return _fail(Exit.NO_BANK, str(error))
    if bank.repaired:
        _say_error(bank.repaired)
    status = _host(settings, bank)
    try:
        bank.close()
    except BankError as error:
        return _fail(Exit.BANK_FAILED, str(error))
    return status


def _host(settings: Settings, bank: Bank) -> int:
    def ready(port: int) -> None:
        for line in greeting(settings, port):
            _say(line)

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(host(settings, bank, ready))
    except OSError as error:
        address = f"{settings.host}:{settings.port}"
        reason = os.strerror(error.errno) if error.errno else str(error)
        return _fail(
            Exit.NO_ADDRESS,
            f"Cannot listen on {address}: {reason}. Choose another --host or --port.",
        )
    except BaseExceptionGroup as group:
        failed, rest = group.split(BankError)
        if failed is None or rest is not None:
            raise
        return _fail(Exit.BANK_FAILED, _first_sentence(failed))
    _say("The server has stopped; seats, cards and stakes are kept for the next start.")
    return Exit.STOPPED


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's maker of loops where it is installed, for its speed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _first_sentence(group: BaseExceptionGroup[BankError]) -> str:
    first = group.exceptions[0]
    return (
        _first_sentence(first) if isinstance(first, BaseExceptionGroup) else str(first)
    )


def _fail(status: Exit, sentence: str) -> Exit:
    _say_error(sentence)
    return status


def _say_error(sentence: str) -> None:
    sys.stderr.write(f"bj-server: {sentence}\n")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
