"""The options of ``bj-host``: one order, then what it is about."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bj_protocol.chat import MAX_CHAT
from bj_server.desk.order import About, Bans, Order, Proclaim, Shuffle, Tables
from bj_server.settings import add_bank, bank_of

__all__ = ["Options", "read_options"]

_EXAMPLES = """\
examples:
  bj-host tables                       who sits where
  bj-host say "We close at midnight."  tell everyone; --table NAME for one table
  bj-host kick eve                     a live hand is stood and settled
  bj-host ban eve                      and never again, until bj-host unban eve
  bj-host shuffle --table main         new cards, and the seed of the old ones is told
  bj-host mute eve                     play on, but no chat, until the server stops

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
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the host wants."""

    bank: Path
    order: Order


def read_options(arguments: Sequence[str] | None = None) -> Options:
    """Return what ``arguments`` and the environment ask for.

    Raises:
        SystemExit: with status 2 and a sentence, if they make no sense.
    """
    parser = _parser()
    found = parser.parse_args(arguments)
    return Options(bank=bank_of(parser, found.bank), order=_order(found))


def _order(found: argparse.Namespace) -> Order:
    match found.order:
        case "say":
            return Proclaim(text=found.text, table=found.table)
        case "shuffle":
            return Shuffle(table=found.table)
        case "tables":
            return Tables()
        case "bans":
            return Bans()
        case _:
            return About(do=found.order, handle=found.handle)


def _parser() -> argparse.ArgumentParser:
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
    orders = parser.add_subparsers(
        dest="order", metavar="ORDER", required=True, title="orders"
    )
    say = orders.add_parser("say", help="say something to everyone", allow_abbrev=False)
    say.add_argument("text", type=_text, metavar="TEXT")
    say.add_argument("--table", metavar="NAME", help="at this table alone")
    shuffle = orders.add_parser(
        "shuffle", help="put new cards on a table", allow_abbrev=False
    )
    shuffle.add_argument("--table", metavar="NAME", help="on this table alone")
    for name, what in _ABOUT.items():
        one = orders.add_parser(name, help=what, allow_abbrev=False)
        one.add_argument("handle", type=_handle, metavar="HANDLE")
    orders.add_parser("tables", help="who sits where", allow_abbrev=False)
    orders.add_parser("bans", help="who is banned", allow_abbrev=False)
    return parser


def _text(text: str) -> str:
    if not text.strip() or len(text) > MAX_CHAT:
        raise argparse.ArgumentTypeError(f"a text has 1 to {MAX_CHAT} characters.")
    return text


def _handle(text: str) -> str:
    if len(text) > 64:
        raise argparse.ArgumentTypeError("a handle has at most 64 characters.")
    return text
