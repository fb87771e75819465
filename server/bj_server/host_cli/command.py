"""The command ``bj-host``: takes an order to a running server, and shows the reply."""

import contextlib
import json
import os
import socket
import sys
from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bj_game.money import cents_of
from bj_protocol.chat import MAX_CHAT, clean_chat
from bj_protocol.option import OneOf, Option, Parser, Rows, checked
from bj_server.settings import HOUSES, bank_of, bank_row
from bj_server.standard import begin, complain, write_text

if TYPE_CHECKING:
    from bj_server.host_cli.order import Order, Reply


_EXAMPLES = """\
examples:
  bj-host tables                       who sits where
  bj-host say "We close at midnight."  tell everyone; --table NAME for one table
  bj-host notice "Cards at 8 tonight." the lobby and those who come later have it too
  bj-host notice --clear               take it down
  bj-host kick eve                     a live hand is stood and settled
  bj-host ban eve                      and never again, until bj-host unban eve
  bj-host invite lia9                  let in on a server with --invite-only or --code
  bj-host shuffle --table main         new cards, as soon as no round is on
  bj-host mute eve                     play on, but no chat, until the server stops
  bj-host gift ned21 50                50 dollars from the donor, at a table or not
  bj-host reset-key ned21              the next one to join as ned21 claims the handle
  bj-host open high=vegas-strip        one more table, until it is closed
  bj-host open club --code "open sesame"  a private one
  bj-host close high                   once its round is over; players keep their money
  bj-host drain                        no new round; the server ends once none is on

exit status:
  0  done
  2  the options are wrong
  3  not done; the sentence says why
  4  no server runs on that bank, or it is not yours
"""


def read_options(arguments: Sequence[str] | None = None) -> tuple[Path, "Order"]:
    """Return the bank and the order that ``arguments`` and the environment name."""
    parser = make_parser()
    said = parser.in_environment(os.environ)
    found = vars(parser.complete(parser.parse_args(arguments), said))
    bank = bank_of(parser, found.pop("bank"))
    if found["order"] == "notice":
        found["text"] = "" if found.pop("clear") else found["text"]
    if found["order"] == "open":
        found["name"], _, house = found["name"].partition("=")
        found["house"] = _reached(house) if house else None
    from bj_server.host_cli.order import orders  # models, which --help does without

    try:
        text = json.dumps({"do": found.pop("order"), **found})
        return bank, orders.validate_json(text)
    except ValueError:  # JSON has no bytes that are no characters
        parser.error("an order is of texts in UTF-8: type it as that.")


def make_parser() -> Parser:
    """Return the parser of all options."""
    parser = Parser(
        prog="bj-host",
        description="Tell a blackjack server that runs what to do.",
        epilog=_EXAMPLES,
    )
    parser.add_version()
    parser.add_rows((bank_row("the bank that the server has"),))
    parser.add_orders("order", _ORDERS)
    return parser


def _text(text: str) -> str:
    if not clean_chat(text) or len(text) > MAX_CHAT:
        raise ValueError(f"a text has 1 to {MAX_CHAT} characters.")
    return text


def _named(what: str, text: str) -> str:
    if len(text.partition("=")[0]) > 64:
        raise ValueError(f"{what} has at most 64 characters.")
    return text


def _code(text: str) -> str:
    if not 6 <= len(text) <= 64:
        raise ValueError("a code has 6 to 64 characters.")
    return text


def _reached(house: str) -> str:
    """Return a house so that a server which was started in another folder finds it."""
    if house in HOUSES:
        return house
    with contextlib.suppress(OSError):  # the folder that we are in may be gone
        house = str(Path(house).absolute())
    return house


_TABLE = partial(_named, "a table's name")
_HANDLE = Option("handle HANDLE", read=partial(_named, "a handle"))
_amount = checked(
    cents_of, "an amount is dollars, as in 50 or 12.50, up to ten trillion."
)

_ORDERS: dict[str, tuple[str, Rows]] = {
    "say": (
        "say something to everyone",
        (
            Option("text TEXT", read=_text),
            Option("--table NAME", "at this table alone"),
        ),
    ),
    "notice": (
        "tell it the lobby and those who come later, too",
        (
            OneOf(
                (
                    Option("text TEXT", read=_text, count="?"),
                    Option("--clear", "take it down"),
                )
            ),
        ),
    ),
    "kick": ("send a player away from the table", (_HANDLE,)),
    "ban": ("send a player away, and let the handle join no more", (_HANDLE,)),
    "unban": ("let a banned handle join again", (_HANDLE,)),
    "mute": ("let a player chat no more", (_HANDLE,)),
    "unmute": ("let a muted player chat again", (_HANDLE,)),
    "invite": (
        "let a handle open an account on a server that is closed to others",
        (_HANDLE,),
    ),
    "uninvite": (
        "take an invitation back; an account that is open stays so",
        (_HANDLE,),
    ),
    "bans": ("who is banned", ()),
    "invites": ("who is invited", ()),
    "gift": ("give a player money", (_HANDLE, Option("amount DOLLARS", read=_amount))),
    "reset-key": ("let a handle be claimed anew", (_HANDLE,)),
    "tables": ("who sits where", ()),
    "shuffle": (
        "put new cards on a table",
        (Option("--table NAME", "on this table alone"),),
    ),
    "open": (
        "open a table",
        (
            Option("name NAME[=HOUSE]", read=_TABLE),
            Option("--code CODE", "what opens it, to be private", _code),
        ),
    ),
    "close": (
        "close a table once its round is over",
        (Option("name NAME", read=_TABLE),),
    ),
    "drain": ("end the server once no round is on", ()),
}


_SECONDS = 10.0
_NONE = (
    "No server listens at the bank in {}: start one with bj-server, as the user that "
    "you are, or name its bank with --bank."
)
_LONG = (
    "The path of {} is too long for a socket, so bj-host reaches no server there: move "
    "the bank to a shorter one."
)
_STUCK = "The server at the bank in {} does not answer, and may yet do what you order."


class Exit(IntEnum):
    """The exit statuses of ``bj-host``; 2 is that of wrong options."""

    DONE = 0
    NOT_DONE = 3
    NO_SERVER = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Give the order that ``arguments`` name; return the exit status."""
    begin("bj-host")
    bank, order = read_options(arguments)
    try:
        reply = _ask(bank, order)
    except (OSError, ValueError) as error:
        sentence = _NONE
        if isinstance(error, TimeoutError):
            sentence = _STUCK
        elif isinstance(error, OSError) and error.errno is None:
            sentence = _LONG  # the system was not even asked
        complain("bj-host", sentence.format(bank))
        return Exit.NO_SERVER
    if not reply.is_done:
        for line in reply.lines:
            complain("bj-host", line)
        return Exit.NOT_DONE
    with contextlib.suppress(OSError):
        write_text(sys.stdout, "".join(f"{line}\n" for line in reply.lines))
    return Exit.DONE


def _ask(bank: Path, order: "Order") -> "Reply":
    from bj_server.host_cli.order import SOCKET_NAME, Reply

    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(_SECONDS)
        line.connect(str(bank / SOCKET_NAME))
        line.sendall(order.model_dump_json().encode() + b"\n")
        with line.makefile("rb") as answer:
            return Reply.model_validate_json(answer.readline())
