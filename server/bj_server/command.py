"""The command ``bj-server``: hosts tables, and ends with a sentence and a status."""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import TextIO

from bj_server.admin.port import AdminPortTaken
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError
from bj_server.greeting import greeting
from bj_server.host import host
from bj_server.log.keeping import keeping_log
from bj_server.net.descriptors import afford
from bj_server.net.listening import CannotListen
from bj_server.options import read_options
from bj_server.settings import Settings
from bj_server.standard import fill_standard_streams, write_text

__all__ = ["Exit", "main"]

_FAULT = (
    "The server has stopped by a fault of its own, which its log has. Seats, cards and "
    "stakes are kept: start it again."
)

_log = logging.getLogger(__name__)


class Exit(IntEnum):
    """The exit statuses of ``bj-server``; 2 is that of wrong options."""

    STOPPED = 0
    """Stopped on purpose; seats, cards and stakes are kept for the next start."""
    FAULT = 1
    """Stopped by a fault of the server's own; all is kept as when it is stopped."""
    NO_ADDRESS = 3
    """The address cannot be listened on."""
    NO_BANK = 4
    """The bank folder is damaged, unusable, or held by another server."""
    BANK_FAILED = 5
    """Stopped while the bank could not be written, or with books that do not add up."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Host tables as ``arguments`` say, until stopped; return the exit status."""
    fill_standard_streams()
    settings = read_options(arguments)
    addresses = settings.logs_addresses
    with keeping_log(settings.log_level, settings.log_format, addresses=addresses):
        return _keep_bank(settings)


def _keep_bank(settings: Settings) -> int:
    """Host tables on the bank of the settings, which is open meanwhile."""
    try:
        bank = Bank.open(settings.bank, keep=settings.table_names)
    except BankError as error:
        return _fail(Exit.NO_BANK, str(error))
    if bank.repaired:
        _say_error(bank.repaired)
    if bank.is_open_to_others:
        _say_error(
            f"The bank folder {settings.bank} can be read by others, who may learn the "
            f"cards that are to come: close it with: chmod 700 {settings.bank}"
        )
    status = _host(_within_descriptors(settings), bank)
    try:
        bank.close()
    except BankError as error:
        return _fail(Exit.BANK_FAILED, str(error))
    return status


def _within_descriptors(settings: Settings) -> Settings:
    """Return settings with as many connections as the system lets a process have."""
    wanted = settings.limits.max_connections
    most = afford(wanted)
    if most == wanted:
        return settings
    _say_error(
        f"--max-connections {wanted} needs more files open than the system allows, so "
        f"it is {most}. Raise the limit of open files (ulimit -Hn) to have more."
    )
    limits = replace(settings.limits, max_connections=most)
    return replace(settings, limits=limits)


def _host(settings: Settings, bank: Bank) -> int:
    def ready(port: int, admin_port: int | None) -> None:
        _log.info("started, process %d, port %d", os.getpid(), port)
        for line in greeting(settings, port):
            _say(line)
        if admin_port is not None:
            _say(f"Health and metrics are at http://127.0.0.1:{admin_port}.")

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(host(settings, bank, ready))
    except (AdminPortTaken, CannotListen) as error:
        return _fail(Exit.NO_ADDRESS, str(error))
    except BankError as error:
        return _fail(Exit.NO_BANK, str(error))
    except BaseExceptionGroup as group:
        failed, rest = group.split(BankError)
        if failed is None or rest is not None:
            if not isinstance(group, ExceptionGroup):
                raise
            _log.critical("a fault of ours stops the server", exc_info=group)
            return _fail(Exit.FAULT, _FAULT)
        return _fail(Exit.BANK_FAILED, _first_sentence(failed))
    _log.info("stopped")
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
    _write(sys.stderr, f"bj-server: {sentence}")


def _say(line: str) -> None:
    _write(sys.stdout, line)


def _write(stream: TextIO, line: str) -> None:
    with contextlib.suppress(OSError):  # tables go on without anyone who reads this
        write_text(stream, line + "\n")
