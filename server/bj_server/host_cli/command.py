"""The command ``bj-host``: takes an order to a running server, and shows the reply."""

import contextlib
import os
import socket
import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bj_protocol.option import unknown_variables
from bj_server.host_cli.options import read_options
from bj_server.standard import fill_standard_streams, write_text

if TYPE_CHECKING:
    from bj_server.host_cli.order import Order, Reply

_SECONDS = 10.0
_LONGEST = 2**20
_NONE = (
    "No server listens at the bank in {}: start one with bj-server, as the user that "
    "you are, or name its bank with --bank."
)
_STUCK = "The server at the bank in {} does not answer, and may yet do what you order."


class Exit(IntEnum):
    """The exit statuses of ``bj-host``; 2 is that of wrong options."""

    DONE = 0
    NOT_DONE = 3
    NO_SERVER = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Give the order that ``arguments`` name; return the exit status."""
    fill_standard_streams()
    _write(sys.stderr, *(f"bj-host: {odd}" for odd in unknown_variables(os.environ)))
    options = read_options(arguments)
    try:
        reply = _ask(options.bank, options.order)
    except (OSError, ValueError) as error:
        sentence = _STUCK if isinstance(error, TimeoutError) else _NONE
        _write(sys.stderr, f"bj-host: {sentence.format(options.bank)}")
        return Exit.NO_SERVER
    if not reply.is_done:
        _write(sys.stderr, *(f"bj-host: {line}" for line in reply.lines))
        return Exit.NOT_DONE
    _write(sys.stdout, *reply.lines)
    return Exit.DONE


def _ask(bank: Path, order: "Order") -> "Reply":
    from bj_server.host_cli.order import SOCKET_NAME, Reply

    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(_SECONDS)
        line.connect(str(bank / SOCKET_NAME))
        line.sendall(order.model_dump_json().encode() + b"\n")
        with line.makefile("rb") as answer:
            return Reply.model_validate_json(answer.readline(_LONGEST))


def _write(stream: TextIO, *lines: str) -> None:
    with contextlib.suppress(OSError):
        write_text(stream, "".join(f"{line}\n" for line in lines))
