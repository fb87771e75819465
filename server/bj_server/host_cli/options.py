"""The options of ``bj-host``: one order, then what it is about."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from bj_protocol.chat import MAX_CHAT, clean_chat
from bj_server.host_cli.order import (
    About,
    Bans,
    Close,
    Drain,
    Gift,
    Invites,
    Notice,
    Open,
    Order,
    Proclaim,
    ResetKey,
    Shuffle,
    Tables,
)
from bj_server.money import cents_of
from bj_server.settings import HOUSES, add_bank, bank_of

_EXAMPLES = """\
examples:
  bj-host tables                       who sits where
  bj-host say "We close at midnight."  tell everyone; --table NAME for one table
  bj-host notice "Cards at 8 tonight." the lobby and those who come later have it too
  bj-host notice --clear               take it down
  bj-host kick eve                     a live hand is stood and settled
  bj-host ban eve                      and never again, until bj-host unban eve
  bj-host invite lia9                  let in on a server with --invite-only or --code
  bj-host shuffle --table main         new cards, and the seed of the old ones is told
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

_ABOUT = {
    "kick": "send a player away from the table",
    "ban": "send a player away, and let the handle join no more",
    "unban": "let a banned handle join again",
    "mute": "let a player chat no more",
    "unmute": "let a muted player chat again",
    "invite": "let a handle open an account on a server that is closed to others",
    "uninvite": "take an invitation back; an account that is open stays so",
}


Make = Callable[[argparse.Namespace], Order]
"""Makes an order of the parsed options."""

_Orders: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The order of the host, and the bank of the server."""

    bank: Path
    order: Order


def read_options(arguments: Sequence[str] | None = None) -> Options:
    """Return what ``arguments`` and the environment ask for.

    Raises:
        SystemExit: with status 2 and a sentence, if they make no sense.
    """
    parser = make_parser()
    found = parser.parse_args(arguments)
    return Options(bank=bank_of(parser, found.bank), order=found.make(found))


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    parser = argparse.ArgumentParser(
        prog="bj-host",
        description="Tell a blackjack server that runs what to do.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    release = version("blackjack-table")
    parser.add_argument("--version", action="version", version=f"bj-host {release}")
    add_bank(parser, "the bank that the server has")
    orders: _Orders = parser.add_subparsers(
        dest="order", metavar="ORDER", required=True, title="orders"
    )
    _add_talk(orders)
    _add_players(orders)
    _add_tables(orders)
    return parser


def _add(orders: _Orders, name: str, what: str, make: Make) -> argparse.ArgumentParser:
    """Add an order to the parser; ``make`` makes it of the parsed options."""
    one = orders.add_parser(name, help=what, description=what, allow_abbrev=False)
    one.set_defaults(make=make)
    return one


def _add_talk(orders: _Orders) -> None:
    say = _add(
        orders,
        "say",
        "say something to everyone",
        lambda found: Proclaim(text=found.text, table=found.table),
    )
    say.add_argument("text", type=_text, metavar="TEXT")
    say.add_argument("--table", metavar="NAME", help="at this table alone")
    notice = _add(
        orders,
        "notice",
        "tell it the lobby and those who come later, too",
        lambda found: Notice(text=found.text or ""),
    )
    which = notice.add_mutually_exclusive_group(required=True)
    which.add_argument("text", type=_text, metavar="TEXT", nargs="?")
    which.add_argument("--clear", action="store_true", help="take it down")


def _add_players(orders: _Orders) -> None:
    for name, what in _ABOUT.items():
        about = _add(
            orders, name, what, lambda found: About(do=found.order, handle=found.handle)
        )
        about.add_argument("handle", type=_handle, metavar="HANDLE")
    _add(orders, "bans", "who is banned", lambda _: Bans())
    _add(orders, "invites", "who is invited", lambda _: Invites())
    gift = _add(
        orders,
        "gift",
        "give a player money",
        lambda found: Gift(handle=found.handle, amount=found.amount),
    )
    gift.add_argument("handle", type=_handle, metavar="HANDLE")
    gift.add_argument("amount", type=_amount, metavar="DOLLARS")
    reset = _add(
        orders,
        "reset-key",
        "let a handle be claimed anew",
        lambda found: ResetKey(handle=found.handle),
    )
    reset.add_argument("handle", type=_handle, metavar="HANDLE")


def _add_tables(orders: _Orders) -> None:
    _add(orders, "tables", "who sits where", lambda _: Tables())
    shuffle = _add(
        orders,
        "shuffle",
        "put new cards on a table",
        lambda found: Shuffle(table=found.table),
    )
    shuffle.add_argument("--table", metavar="NAME", help="on this table alone")
    opened = _add(orders, "open", "open a table", _opened)
    opened.add_argument("table", type=_table, metavar="NAME[=HOUSE]")
    opened.add_argument("--code", type=_code, help="what opens it, to be private")
    closed = _add(
        orders,
        "close",
        "close a table once its round is over",
        lambda found: Close(name=found.table),
    )
    closed.add_argument("table", type=_table, metavar="NAME")
    what = "end the server once no round is on"
    _add(orders, "drain", what, lambda _: Drain())


def _opened(found: argparse.Namespace) -> Open:
    name, _, house = found.table.partition("=")
    reached = _reached(house) if house else None
    return Open(name=name, house=reached, code=found.code)


def _text(text: str) -> str:
    if not clean_chat(text) or len(text) > MAX_CHAT:
        raise argparse.ArgumentTypeError(f"a text has 1 to {MAX_CHAT} characters.")
    return text


def _amount(text: str) -> int:
    try:
        return cents_of(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r}: an amount is of dollars, as in 50 or 12.50."
        ) from None


def _table(text: str) -> str:
    if len(text.partition("=")[0]) > 64:
        raise argparse.ArgumentTypeError("a table's name has at most 64 characters.")
    return text


def _code(text: str) -> str:
    if not 6 <= len(text) <= 64:
        raise argparse.ArgumentTypeError("a code has 6 to 64 characters.")
    return text


def _reached(house: str) -> str:
    """Return a house so that a server which was started in another folder finds it."""
    return house if house in HOUSES else str(Path(house).absolute())


def _handle(text: str) -> str:
    if len(text) > 64:
        raise argparse.ArgumentTypeError("a handle has at most 64 characters.")
    return text
