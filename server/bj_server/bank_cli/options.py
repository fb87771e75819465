"""The options of ``bj-bank``: one command, then what it is about."""

import argparse
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bj_game.money import cents_of
from bj_protocol.option import OneOf, Option, Orders, Parser, checked
from bj_server.bank_cli.fleet.options import check_fleet, fleet_orders
from bj_server.settings import bank_of, bank_row, fleet_of, fleet_row, read_folder

_ROUND = re.compile(r"(?:([^/]{1,64})/)?([1-9][0-9]{0,17})")

_EXAMPLES = """\
examples:
  bj-bank balances                    what every account holds
  bj-bank balances --seen             and the day each player was seen last
  bj-bank history ned21 | tail        the last movements of one player
  bj-bank round main/12               tell round 12 at table main
  bj-bank audit                       prove the journal, the sums and every round
  bj-bank backup /safe/2026-11-28     copy the bank, also while a server runs
  bj-bank restore /safe/2026-11-28 bank    make a bank of the copy
  bj-bank archive /old                move closed segments of the journal away
  bj-bank gift ned21 50               give 50 dollars, while no server runs
  bj-bank close ned21                 close an account that is empty or never used
  bj-bank close --unused-days 365 --dry-run    which ones nobody has used for a year
  bj-bank reset-key ned21             let a player who lost the key claim the handle
  bj-bank new-server-key              renew the key by which players know the server
  bj-bank export --csv --output all.csv
  bj-bank fleet --help                the bank that the servers of a fleet share

A server may run meanwhile: nothing is locked, written or repaired, except by gift,
reset-key, close, archive and new-server-key, which change the bank and are refused
while a server holds it.

exit status:
  0  fine
  1  the output cannot be written
  2  the options are wrong, or name what is not in the bank or cannot be closed
  3  the audit has found something wrong, or the bank is damaged
  4  the bank is missing, unusable, or, for a change, held by a server
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundName:
    """A round, and the table if that was said."""

    table: str | None
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The command and its options; those of other commands are at their defaults."""

    command: str
    bank: Path
    as_json: bool = False
    seen: bool = False
    """Whether it is told when players were seen last."""
    handle: str = ""
    handles: Sequence[str] = ()
    """The handles whose accounts are closed."""
    unused_days: int | None = None
    """Or all that nobody has used for so many days."""
    dry_run: bool = False
    round: RoundName = RoundName(table=None, number=1)
    amount: int = 0
    """In cents."""
    folder: Path = Path()
    """The folder of the copy."""
    backup: Path = Path()
    """The backup that is restored."""
    output: Path | None = None
    force: bool = False
    fleet: str | None = field(default=None, repr=False)
    """The URL of the PostgreSQL of a fleet."""
    fleet_command: str = ""
    file: Path = Path()
    """The file of a fleet's key."""
    after: Path | None = None
    """Where the key is that signs a new one: a bank folder, or a file of a fleet."""
    name: str = ""
    """The name of a server in its fleet."""
    server_key: str | None = None
    address: str = ""
    doors: Sequence[str] = ()
    renamed: Sequence[tuple[str, str]] = ()
    """Handles of a folder, and those that they have in the fleet."""
    statements: Sequence[Path] = ()
    """Bank folders of servers, or files of their statements."""


def read_options(arguments: Sequence[str] | None = None) -> Options:
    """Return what ``arguments`` and the environment ask for."""
    parser = make_parser()
    said = parser.in_environment(os.environ)
    found = vars(parser.complete(parser.parse_args(arguments), said))
    found.pop("csv", None)
    found["bank"] = bank_of(parser, found["bank"])
    found["fleet"] = fleet_of(parser, found["fleet"])
    if found["command"] == "fleet":
        check_fleet(parser, found)
    return Options(**found)


def make_parser() -> Parser:
    """Return the parser of all options."""
    parser = Parser(
        prog="bj-bank",
        description="Look into the bank of a blackjack server.",
        epilog=_EXAMPLES,
    )
    parser.add_version()
    fleet = fleet_row("file with the URL of the PostgreSQL of a fleet")
    parser.add_rows((bank_row("folder that keeps the money"), fleet))
    parser.add_orders("command", _COMMANDS, lambda what: f"{what.capitalize()}.")
    return parser


def _days(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) > 36_500:
        raise ValueError(text)
    return int(text)


def _round(text: str) -> RoundName:
    found = _ROUND.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return RoundName(table=found[1] and found[1].lower(), number=int(found[2]))


# Without a default, or it would undo what stands before the command.
_BANK = Option(
    "--bank FOLDER", "folder that keeps the money", read_folder, argparse.SUPPRESS
)
_BOTH = (_BANK, Option("--json", "as JSON, for programs", dest="as_json"))
_HANDLE = Option("handle HANDLE", "the player, in any case")
_EMPTY = Option("folder FOLDER", "empty, or new", read_folder)

_COMMANDS: Orders = {
    "balances": (
        "what every account holds",
        (*_BOTH, Option("--seen", "and the day each player was seen last")),
    ),
    "history": ("every movement of one player's money", (*_BOTH, _HANDLE)),
    "round": (
        "what happened in a round, card by card",
        (
            *_BOTH,
            Option(
                "round ID",
                "TABLE/NUMBER as in main/12, or the number where one table has it",
                checked(_round, "a round is written as TABLE/NUMBER, or as its number"),
            ),
        ),
    ),
    "audit": ("prove the journal, the sums, and every round", _BOTH),
    "backup": ("copy the bank to a new folder, bans included", (*_BOTH, _EMPTY)),
    "restore": (
        "make a bank of a backup, in a new folder",
        (*_BOTH, Option("backup BACKUP", "the backup", read_folder), _EMPTY),
    ),
    "archive": (
        "move closed segments away; only while no server runs",
        (*_BOTH, Option("folder FOLDER", "where they go", read_folder)),
    ),
    "gift": (
        "give a player money; only while no server runs",
        (
            *_BOTH,
            _HANDLE,
            Option(
                "amount AMOUNT",
                "in dollars, as in 50 or 12.50",
                checked(
                    cents_of,
                    "an amount is dollars, as in 50 or 12.50, up to ten trillion",
                ),
            ),
        ),
    ),
    "close": (
        "close accounts that are empty or were never used; only while no server runs",
        (
            *_BOTH,
            OneOf(
                (
                    Option(
                        "handles HANDLE",
                        "whose, in any case; all that are named are closed, or none",
                        default=(),
                        count="*",
                    ),
                    Option(
                        "--unused-days N",
                        "all that can be closed and that nobody has used for so many "
                        "days",
                        checked(_days, "a number of days is whole, from 0 to 36500"),
                    ),
                )
            ),
            Option("--dry-run", "only say which ones; a server may run"),
        ),
    ),
    "reset-key": (
        "forget a player's key; only while no server runs",
        (*_BOTH, _HANDLE),
    ),
    "new-server-key": (
        "renew the key by which players know the server; only while no server runs",
        _BOTH,
    ),
    "fleet": ("the bank that the servers of a fleet share", fleet_orders(*_BOTH)),
    "export": (
        "every movement of money",
        (
            _BANK,
            Option("--csv", "as CSV, in UTF-8", required=True),
            Option(
                "--output FILE", "write to a new file (default: standard output)", Path
            ),
            Option("--force", "replace the file if it is there"),
        ),
    ),
}
