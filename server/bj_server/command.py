"""The command ``bj-server``: hosts tables, and ends with a sentence and a status."""

import asyncio
import contextlib
import gc
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING

from bj_protocol.option import unknown_variables
from bj_server.bank.disk import is_open_to_others
from bj_server.bank.error import BankError
from bj_server.log import Voice, keeping_log
from bj_server.net.limits import afford
from bj_server.options import read_options, reread_options
from bj_server.settings import OptionsError, Settings
from bj_server.standard import fill_standard_streams

if TYPE_CHECKING:
    from bj_server.admin.metrics import Metrics
    from bj_server.bank.bank import Bank

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
    """The address cannot be listened on, or too few files may be open for it."""
    NO_BANK = 4
    """The bank folder is damaged, unusable, or held by another server."""
    BANK_FAILED = 5
    """Stopped while the bank could not be written, or with books that do not add up."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Host tables as ``arguments`` say, until stopped; return the exit status."""
    fill_standard_streams()
    settings = read_options(arguments)
    form, addresses = settings.log_format, settings.logs_addresses
    with (
        contextlib.closing(Voice(form)) as voice,
        keeping_log(settings.log_level, form, addresses=addresses),
    ):
        for sentence in unknown_variables(os.environ):
            _log.warning("%s", sentence)
        try:
            settings = _within_descriptors(settings, voice.complain)
        except OptionsError as error:
            return _fail(voice, Exit.NO_ADDRESS, str(error))
        return _keep_bank(settings, voice, partial(reread_options, arguments))


def _keep_bank(settings: Settings, voice: Voice, reread: Callable[[], Settings]) -> int:
    """Host tables on the bank of the settings, which is open meanwhile."""
    # Here, since --help opens no bank.
    from bj_server.admin.port import new_metrics
    from bj_server.bank.bank import Bank
    from bj_server.bank.signer import KEY_NAME
    from bj_server.bank.snapshot import STATEMENT_NAME
    from bj_server.gauges import NO_GAUGES

    metrics = new_metrics() if settings.admin_port is not None else None
    gauges = metrics or NO_GAUGES
    try:
        bank = Bank.open(
            settings.bank,
            keep=settings.table_names,
            in_fleet=settings.fleet is not None,
            gauges=gauges,
        )
    except BankError as error:
        return _fail(voice, Exit.NO_BANK, str(error))
    if bank.repaired:
        voice.complain(bank.repaired)
    if bank.lacks_statement:
        voice.complain(
            f"The bank file {settings.bank / STATEMENT_NAME} is missing, with which "
            "the journal begins: the balances stand, and no audit can prove them. Put "
            "it back from a backup."
        )
    if bank.books.keys and not (settings.bank / KEY_NAME).exists():
        voice.complain(
            f"The key of the server, {settings.bank / KEY_NAME}, is missing, so it has "
            "a new one, of which its players are warned. Put the old one back from a "
            "backup, if there is one, and start again."
        )
    if is_open_to_others(settings.bank):
        voice.complain(
            f"The bank folder {settings.bank} can be read by others, who may learn the "
            f"cards that are to come: close it with: chmod 700 {settings.bank}"
        )
    status = _host(settings, bank, voice, reread, metrics)
    try:
        bank.close()
    except BankError as error:
        return _fail(voice, Exit.BANK_FAILED, str(error))
    return status


def _within_descriptors(settings: Settings, tell: Callable[[str], None]) -> Settings:
    """Return settings with as many connections as the system lets a process have.

    Raises:
        OptionsError: if that is not even one.
    """
    wanted = settings.limits.max_connections
    most = afford(wanted)
    if most == wanted:
        return settings
    if not most:
        raise OptionsError(
            "The system lets a process open too few files to serve even one player: "
            "raise the limit of open files (ulimit -Hn)."
        )
    tell(
        f"--max-connections {wanted} needs more files open than the system allows, so "
        f"it is {most}. Raise the limit of open files (ulimit -Hn) to have more."
    )
    limits = replace(settings.limits, max_connections=most)
    return replace(settings, limits=limits)


def _host(
    settings: Settings,
    bank: "Bank",
    voice: Voice,
    reread: Callable[[], Settings],
    metrics: "Metrics | None",
) -> int:
    # Here, since --help serves nobody.
    from bj_server.fleet.error import UnpaidError
    from bj_server.greeting import greeting
    from bj_server.host import host
    from bj_server.net.listening import ListenError

    def again() -> Settings:
        return _within_descriptors(reread(), partial(_log.warning, "%s"))

    def ready(port: int, admin_port: int | None) -> None:
        # What is there now stays, and next to nothing that comes is left for a search.
        gc.freeze()
        gc.set_threshold(10_000)
        _log.info("started, process %d, port %d", os.getpid(), port)
        signer = bank.signer
        for line in greeting(settings, port, signer.key, signer.told_fleet):
            voice.say(line)
        if admin_port is not None:
            voice.say(f"Health and metrics are at http://127.0.0.1:{admin_port}.")

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(host(settings, bank, ready, again, metrics, voice.say))
    except ListenError as error:
        return _fail(voice, Exit.NO_ADDRESS, str(error))
    except UnpaidError as error:
        return _fail(voice, Exit.BANK_FAILED, str(error))
    except BankError as error:
        return _fail(voice, Exit.NO_BANK, str(error))
    except BaseExceptionGroup as group:
        return _fail_by(group, voice)
    except Exception:  # noqa: BLE001 - no fault ends in a bare traceback
        _log.critical("a fault of ours stops the server", exc_info=True)
        return _fail(voice, Exit.FAULT, _FAULT)
    _log.info("stopped")
    voice.say(
        "The server has stopped; seats, cards and stakes are kept for the next start."
    )
    return Exit.STOPPED


def _fail_by(group: BaseExceptionGroup, voice: Voice) -> Exit:
    """Say why a dealer, or something else of ours, has failed."""
    failed, rest = group.split(BankError)
    if failed is not None and rest is None:
        first: BaseException = failed
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        return _fail(voice, Exit.BANK_FAILED, str(first))
    if not isinstance(group, ExceptionGroup):
        raise group
    _log.critical("a fault of ours stops the server", exc_info=group)
    return _fail(voice, Exit.FAULT, _FAULT)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's maker of loops where it is installed, for its speed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _fail(voice: Voice, status: Exit, sentence: str) -> Exit:
    voice.complain(sentence)
    return status
