"""Where to play, and under which handles."""

import argparse
from collections.abc import Mapping, Sequence

from bj_client.address import Address, BadAddress, read_address
from bj_client.options.checked import words
from bj_client.players import BadPlayers, read_players


def add_place(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    place = parser.add_argument_group("where to play")
    place.add_argument(
        "--handle",
        action="append",
        help="your name at the table; your bank balance belongs to it; repeat it for "
        "up to four players at this keyboard (BJ_HANDLE, with commas between)",
    )
    place.add_argument(
        "--server",
        dest="named_server",
        type=_server,
        metavar="ADDRESS",
        help="host, host:port, [::1]:8765, ws://... or wss://... (BJ_SERVER; "
        "default localhost:8765)",
    )
    place.add_argument(
        "--table",
        type=words,
        default=settings.get("BJ_TABLE") or None,
        metavar="NAME",
        help="the table (BJ_TABLE; default your choice, or the first where nobody is "
        "there to choose)",
    )
    place.add_argument(
        "--solo",
        action="store_true",
        help="start a private server and play there; bots fill up to three seats; "
        "without a terminal, bots play ten rounds",
    )


def read_handles(
    parser: argparse.ArgumentParser,
    named: Sequence[str] | None,
    settings: Mapping[str, str],
) -> tuple[str, ...]:
    """Return who plays: those ``named`` on the command line, or else in BJ_HANDLE.

    Raises:
        SystemExit: with 2 and a sentence, if they cannot play together.
    """
    try:
        return read_players(named, settings.get("BJ_HANDLE"))
    except BadPlayers as bad:
        parser.error(f"{'--handle' if named else 'BJ_HANDLE'}: {bad}")


def default_server(
    parser: argparse.ArgumentParser, settings: Mapping[str, str]
) -> Address:
    """Return the server that BJ_SERVER names, or the one of this machine.

    Raises:
        SystemExit: with 2 and a sentence, if the variable names none.
    """
    try:
        return read_address(settings.get("BJ_SERVER") or "localhost")
    except BadAddress as bad:
        parser.error(f"BJ_SERVER: {bad}")


def _server(text: str) -> Address:
    try:
        return read_address(text)
    except BadAddress as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None
