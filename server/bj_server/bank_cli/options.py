"""The options of ``bj-bank``: one command, then what it is about."""

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from bj_server.money import cents_of
from bj_server.settings import add_bank, bank_of

_T = TypeVar("_T")

_ROUND = re.compile(r"(?:([^/]{1,64})/)?([1-9][0-9]{0,17})")

_MOST_DAYS = 36_500

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


def read_options(arguments: Sequence[str] | None = None) -> Options:
    """Return what ``arguments`` and the environment ask for.

    Raises:
        SystemExit: with status 2 and a sentence, if they make no sense.
    """
    parser = make_parser()
    found = vars(parser.parse_args(arguments))
    found.pop("csv", None)
    found["bank"] = bank_of(parser, found["bank"])
    return Options(**found)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    parser = argparse.ArgumentParser(
        prog="bj-bank",
        description="Look into the bank of a blackjack server.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    release = version("blackjack-table")
    parser.add_argument("--version", action="version", version=f"bj-bank {release}")
    add_bank(parser, "folder that keeps the money")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    one = _add(commands, "balances", "what every account holds")
    one.add_argument(
        "--seen", action="store_true", help="and the day each player was seen last"
    )
    one = _add(commands, "history", "every movement of one player's money")
    _add_handle(one)
    one = _add(commands, "round", "what happened in a round, card by card")
    one.add_argument(
        "round",
        type=_checked(_round, "a round is written as TABLE/NUMBER, or as its number"),
        metavar="ID",
        help="TABLE/NUMBER as in main/12, or the number where one table has it",
    )
    _add(commands, "audit", "prove the journal, the sums, and every round")
    one = _add(commands, "backup", "copy the bank to a new folder, bans included")
    one.add_argument("folder", type=Path, metavar="FOLDER", help="empty, or new")
    one = _add(commands, "restore", "make a bank of a backup, in a new folder")
    one.add_argument("backup", type=Path, metavar="BACKUP", help="the backup")
    one.add_argument("folder", type=Path, metavar="FOLDER", help="empty, or new")
    one = _add(
        commands, "archive", "move closed segments away; only while no server runs"
    )
    one.add_argument("folder", type=Path, metavar="FOLDER", help="where they go")
    one = _add(commands, "gift", "give a player money; only while no server runs")
    _add_handle(one)
    one.add_argument(
        "amount",
        type=_checked(cents_of, "an amount is dollars, as in 50 or 12.50"),
        metavar="AMOUNT",
        help="in dollars, as in 50 or 12.50",
    )
    _add_close(commands)
    one = _add(
        commands, "reset-key", "forget a player's key; only while no server runs"
    )
    _add_handle(one)
    _add(
        commands,
        "new-server-key",
        "renew the key by which players know the server; only while no server runs",
    )
    _add_export(commands)
    return parser


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    what: str,
    *,
    has_json: bool = True,
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=what,
        description=f"{what[:1].upper()}{what[1:]}.",
        allow_abbrev=False,
    )
    # Without a default, or it would undo what stands before the command.
    command.add_argument(
        "--bank",
        type=Path,
        metavar="FOLDER",
        default=argparse.SUPPRESS,
        help="folder that keeps the money",
    )
    if has_json:
        command.add_argument(
            "--json", action="store_true", dest="as_json", help="as JSON, for programs"
        )
    return command


def _add_handle(command: argparse.ArgumentParser) -> None:
    command.add_argument("handle", metavar="HANDLE", help="the player, in any case")


def _add_close(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> None:
    command = _add(
        commands,
        "close",
        "close accounts that are empty or were never used; only while no server runs",
    )
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "handles",
        nargs="*",
        default=(),
        metavar="HANDLE",
        help="whose, in any case; all that are named are closed, or none",
    )
    which.add_argument(
        "--unused-days",
        type=_checked(_days, "a number of days is whole, from 0 to 36500"),
        metavar="N",
        help="all that can be closed and that nobody has used for so many days",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="only say which ones; a server may run"
    )


def _add_export(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> None:
    command = _add(commands, "export", "every movement of money", has_json=False)
    command.add_argument(
        "--csv", action="store_true", required=True, help="as CSV, in UTF-8"
    )
    command.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write to a new file (default: standard output)",
    )
    command.add_argument(
        "--force", action="store_true", help="replace the file if it is there"
    )


def _checked(read: Callable[[str], _T], rule: str) -> Callable[[str], _T]:
    """Return ``read``, with ``rule`` as the sentence for text that it cannot read."""

    def checked(text: str) -> _T:
        try:
            return read(text)
        except ValueError:
            shown = ascii(text if len(text) <= 40 else text[:40] + "...")
            raise argparse.ArgumentTypeError(f"{shown}: {rule}") from None

    return checked


def _days(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) > _MOST_DAYS:
        raise ValueError(text)
    return int(text)


def _round(text: str) -> RoundName:
    found = _ROUND.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return RoundName(table=found[1] and found[1].lower(), number=int(found[2]))
