"""Looking: which tables there are, private ones, and tables that are only watched."""

import argparse
from collections.abc import Mapping

from bj_client.options.checked import words


def add_looking(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("which table")
    group.add_argument(
        "--list-tables",
        action="store_true",
        help="list the server's tables and who sits there, and leave",
    )
    group.add_argument(
        "--watch",
        action="store_true",
        help="look on at the table without a seat, and without a handle",
    )
    group.add_argument(
        "--code",
        type=words,
        default=settings.get("BJ_CODE") or None,
        metavar="CODE",
        help="what opens a private table (BJ_CODE)",
    )


def check_looking(parser: argparse.ArgumentParser, given: argparse.Namespace) -> bool:
    """See that nobody plays where nobody is to; return whether that is so.

    Raises:
        SystemExit: with 2 and a sentence, if somebody is to play all the same.
    """
    chosen = [f"--{name.replace('_', '-')}" for name in _LOOKS if getattr(given, name)]
    if not chosen:
        return False
    playing = [f"--{name}" for name in _PLAYS if getattr(given, name)]
    if len(chosen) > 1 or playing:
        extra = (*chosen, *playing)[1]
        parser.error(f"{chosen[0]} is for looking alone: leave {extra} out.")
    return True


_LOOKS = ("list_tables", "watch")
_PLAYS = ("handle", "solo", "bot", "bet", "rounds", "style")
