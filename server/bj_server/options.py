"""The options of ``bj-server``: flag, then ``BJ_*`` environment, then default."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn, TypeVar

from bj_game.card import Card, parse_cards
from bj_game.house import BadHouse, House
from bj_game.rules import rules_card
from bj_game.shoe import fill_shoe
from bj_game.shuffle import NumberedStream
from bj_protocol.handle import canonical_handle
from bj_server.settings import HOUSES, Settings, default_bank, load_house
from bj_server.table.felt import Pace

__all__ = ["read_options"]

_T = TypeVar("_T")

_EXAMPLES = """\
examples:
  bj-server                             host a table on this machine, port 8765
  bj-server --host 0.0.0.0 --seats 4    let others on your network join
  bj-server --bank ./bank --port 0      a bank of its own, any free port
  bj-server --turn-seconds 15 --table main --table quiet

exit status:
  0  stopped by Ctrl-C or SIGTERM; every stake is settled or returned
  2  the options are wrong
  3  the address cannot be listened on
  4  the bank folder is damaged, unusable, or held by another server
  5  stopped while the bank could not be written, or its books contradict
     themselves; what was told to players is safe

A handle belongs to the player who used it first, who is known by a key. The line is
not encrypted and keys travel in the clear: serve a network you trust, or put TLS in
front of it.
"""


def read_options(arguments: Sequence[str] | None = None) -> Settings:
    """Return the settings that ``arguments`` and the environment ask for.

    Raises:
        SystemExit: with status 2 and a sentence, if they make no sense.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.list_houses:
        _print_and_exit(_house_list())
    if options.show_house is not None:
        _print_and_exit(_card(options.show_house))
    house: House = options.house
    try:
        # A trial, so that a stack with too many of a card is refused before the start.
        fill_shoe(house, NumberedStream(0), options.stack)
    except ValueError as error:
        parser.error(f"argument --stack: {error}")
    return Settings(
        host=options.host,
        port=options.port,
        bank=options.bank,
        house=house,
        seats=options.seats or house.max_seats,
        tables=tuple(dict.fromkeys(options.table or ["main"])),
        pace=Pace(
            bet_seconds=options.bet_seconds,
            turn_seconds=options.turn_seconds,
            hold_seconds=options.hold_seconds,
        ),
        seed=options.seed,
        stack=options.stack,
        stops_on_eof=options.stop_on_eof,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bj-server",
        description="Host blackjack tables that bj-client can join.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    release = version("blackjack-table")
    parser.add_argument("--version", action="version", version=f"bj-server {release}")
    _add_place(parser)
    _add_game(parser)
    _add_teaching(parser)
    _add_life(parser)
    return parser


def _add_place(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where")
    group.add_argument(
        "--host",
        default=os.environ.get("BJ_HOST", "127.0.0.1"),
        help="address to listen on (default: %(default)s, this machine only)",
    )
    group.add_argument(
        "--port",
        type=_checked(_port, "a port is a whole number from 0 to 65535"),
        default=os.environ.get("BJ_PORT", "8765"),
        help="port to listen on; 0 for any free one (default: %(default)s)",
    )
    group.add_argument(
        "--bank",
        type=Path,
        metavar="FOLDER",
        default=os.environ.get("BJ_BANK", str(default_bank())),
        help="folder that keeps the money (default: %(default)s)",
    )


def _add_life(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("when to stop")
    group.add_argument(
        "--stop-on-eof",
        action="store_true",
        help="stop when standard input ends, so that a program that starts a server "
        "never leaves it behind",
    )


def _add_game(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the game")
    group.add_argument(
        "--house",
        type=_house,
        default=os.environ.get("BJ_HOUSE", "cpsc386"),
        metavar="NAME|FILE",
        help=f"rules to play: {', '.join(HOUSES)}, or a TOML file (default: cpsc386)",
    )
    group.add_argument(
        "--list-houses", action="store_true", help="list the houses, and exit"
    )
    group.add_argument(
        "--show-house",
        type=_house,
        metavar="NAME|FILE",
        help="show the rules of a house, and exit",
    )
    group.add_argument(
        "--seats",
        type=_checked(_seats, "a table has 1 to 7 seats"),
        default=os.environ.get("BJ_SEATS"),
        metavar="N",
        help="seats at each table, 1 to 7 (default: as many as the house's rules say)",
    )
    group.add_argument(
        "--table",
        action="append",
        type=_checked(_table, "a table's name is written like a handle"),
        metavar="NAME",
        help="name of a table; may be repeated (default: main)",
    )
    for name, default, what in (
        ("bet", "30", "for placing bets"),
        ("turn", "30", "for each decision"),
        ("hold", "60", "a seat is kept for a player who lost the line"),
    ):
        group.add_argument(
            f"--{name}-seconds",
            type=_checked(_seconds, "seconds are a number from 0.05 to 86400"),
            default=os.environ.get(f"BJ_{name.upper()}_SECONDS", default),
            metavar="S",
            help=f"seconds {what} (default: {default})",
        )


def _add_teaching(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("for teaching and tests, announced to everyone")
    group.add_argument(
        "--seed",
        type=_checked(int, "a seed is a whole number"),
        metavar="N",
        help="shuffle by this number, so that the same cards come again",
    )
    group.add_argument(
        "--stack",
        type=_cards,
        default=(),
        metavar="CARDS",
        help='cards that come first out of the first shoe, as in "As 9d Kh 7c"',
    )


def _checked(read: Callable[[str], _T], rule: str) -> Callable[[str], _T]:
    """Return ``read``, with ``rule`` as the sentence for what it cannot read."""

    def checked(text: str) -> _T:
        try:
            return read(text)
        except ValueError:
            shown = text if len(text) <= 40 else text[:40] + "…"
            raise argparse.ArgumentTypeError(f"{shown!r}: {rule}") from None

    return checked


def _port(text: str) -> int:
    return _between(int(text), 0, 65535)


def _seats(text: str) -> int:
    return _between(int(text), 1, 7)


def _between(number: int, lowest: int, highest: int) -> int:
    if not lowest <= number <= highest:
        raise ValueError
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.05 <= seconds <= 86400:
        raise ValueError
    return seconds


def _table(text: str) -> str:
    if canonical_handle(text) != text:
        raise ValueError
    return text


def _house(text: str) -> House:
    try:
        return load_house(text)
    except BadHouse as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _print_and_exit(lines: list[str]) -> NoReturn:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    raise SystemExit(0)


def _house_list() -> list[str]:
    width = max(map(len, HOUSES))
    return [f"{name:{width}}  {load_house(name).title}" for name in HOUSES]


def _card(house: House) -> list[str]:
    source = [f"Source: {house.source}"] if house.source else []
    rules = [f"- {rule}" for rule in rules_card(house)]
    return [f"{house.name}: {house.title}", *rules, *source]


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
