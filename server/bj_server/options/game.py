"""The game: the rules, and the tables at which they are played."""

import argparse
from pathlib import Path

from bj_game.house import BadHouse, House
from bj_server.options.checked import between, checked
from bj_server.options.tables import NamedTable, named_table
from bj_server.settings import HOUSES, load_house


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("the game")
    group.add_argument(
        "--house",
        type=_house,
        default="cpsc386",
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
        type=checked(_seats, "a table has 1 to 7 seats"),
        metavar="N",
        help="seats at each table, 1 to 7 (default: as many as the house's rules say)",
    )
    group.add_argument(
        "--table",
        action="append",
        type=checked(_table, "a table is NAME or NAME=HOUSE, NAME like a handle"),
        metavar="NAME[=HOUSE]",
        help="a table, and its house; may be repeated (default: main)",
    )
    group.add_argument(
        "--tables",
        type=Path,
        metavar="FILE",
        help="tables from a TOML file, each with a house, seats, seconds and a join "
        "code of its own",
    )


def _seats(text: str) -> int:
    return between(int(text), 1, 7)


def _table(text: str) -> NamedTable:
    try:
        return named_table(text)
    except BadHouse as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _house(text: str) -> House:
    try:
        return load_house(text)
    except BadHouse as error:
        raise argparse.ArgumentTypeError(str(error)) from None
