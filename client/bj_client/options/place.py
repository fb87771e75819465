"""The place: the server, the table, and the handles."""

import argparse
from collections.abc import Mapping, Sequence

from bj_client.net.address import Address, AddressError, read_address
from bj_client.net.tls import Trust, TrustError, read_pin
from bj_client.options.checked import file, is_set, words
from bj_client.options.players import PlayersError, read_players


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
    """Return the players: those ``named`` on the command line, or else in BJ_HANDLE.

    Raises:
        SystemExit: with 2 and a sentence, if they cannot play together.
    """
    try:
        return read_players(named, settings.get("BJ_HANDLE"))
    except PlayersError as bad:
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
    except AddressError as bad:
        parser.error(f"BJ_SERVER: {bad}")


def _server(text: str) -> Address:
    try:
        return read_address(text)
    except AddressError as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


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
    """Return whether the player only looks on; see that then nobody plays.

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


def add_tls(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("encryption")
    group.add_argument(
        "--tls-ca",
        type=file,
        default=settings.get("BJ_TLS_CA") or None,
        metavar="FILE",
        help="trust the authority, or the server's own certificate, of this PEM file "
        "alone (BJ_TLS_CA; default those that the system trusts)",
    )
    group.add_argument(
        "--tls-pin",
        type=_pin,
        default=settings.get("BJ_TLS_PIN") or None,
        metavar="SHA256",
        help="trust the one certificate with this fingerprint, which bj-server shows "
        "(BJ_TLS_PIN)",
    )
    group.add_argument(
        "--insecure",
        action="store_true",
        default=is_set(parser, settings, "BJ_INSECURE"),
        help="do not warn of a line without encryption (BJ_INSECURE=1)",
    )


def read_tls(
    parser: argparse.ArgumentParser, given: argparse.Namespace, server: Address
) -> Address:
    """Return ``server`` with the trust in it; over wss:// if the options name a trust.

    Raises:
        SystemExit: with 2 and a sentence, if the options contradict each other, or
            the file is of no use.
    """
    if given.tls_ca is not None and given.tls_pin is not None:
        parser.error(
            "--tls-pin trusts one certificate whoever signed it: leave --tls-ca "
            "(BJ_TLS_CA) out, or --tls-pin (BJ_TLS_PIN)."
        )
    trust = Trust(authority=given.tls_ca, pin=given.tls_pin)
    if not trust.is_named:
        return server
    if server.is_typed_plain:
        parser.error(
            f"{server.shown} is not encrypted: write wss:// for --tls-ca and "
            "--tls-pin, or leave them out."
        )
    try:
        trust.context()
    except TrustError as bad:
        parser.error(f"--tls-ca: {bad}")
    return server.trusting(trust)


def _pin(text: str) -> str:
    try:
        return read_pin(text)
    except TrustError as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None
