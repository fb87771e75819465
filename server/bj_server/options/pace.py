"""The pace: how long a table waits for its players."""

import argparse
import re
from functools import partial
from ipaddress import IPv4Network, IPv6Network, ip_network

from bj_server.net.address import Proxies, plain_ip
from bj_server.net.limits import Limits
from bj_server.options.sources import between, checked
from bj_server.table.context import LONGEST, SHORTEST, Pace


def add_pace(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("the clock")
    for name, default, what in (
        ("bet", "30", "for placing bets"),
        ("insurance", "20", "for an offer of insurance or even money"),
        ("turn", "30", "for each other decision"),
        ("hold", "60", "a seat is kept for a player who lost the line"),
    ):
        group.add_argument(
            f"--{name}-seconds",
            type=checked(_seconds, "seconds are a number from 0.05 to 86400"),
            default=default,
            metavar="S",
            help=f"seconds {what} (default: {default})",
        )

    group.add_argument(
        "--no-clock",
        action="store_true",
        help="hurry nobody, for teaching; only who has lost the line is not waited for",
    )


def read_pace(options: argparse.Namespace) -> Pace:
    """Return the pace that parsed ``options`` ask for."""
    return Pace(
        bet_seconds=options.bet_seconds,
        insurance_seconds=options.insurance_seconds,
        turn_seconds=options.turn_seconds,
        hold_seconds=options.hold_seconds,
        has_clock=not options.no_clock,
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not SHORTEST <= seconds <= LONGEST:
        raise ValueError
    return seconds


_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")

_PROXY_RULE = "a proxy is an address or a network, like 10.0.0.2 or 10.0.0.0/8"
_CODE_RULE = "a code has 6 to 64 characters"

_MOST = 60_000
_PER_ADDRESS = (
    f"connections from one address; {Limits().max_local} from this machine, if that "
    "is more"
)
_RATE = (
    "refusals and other messages that bring nothing, a minute for each connection and "
    "handle; 0 for any number"
)
_NEW_HANDLES = (
    "accounts that one address opens, at once and again each hour; "
    f"{Limits().max_local} from this machine, if that is more; 0 for any number"
)
_WRONG_TRIES = (
    "wrong codes and keys of one address, at once and again each hour; "
    f"{Limits().max_local} from this machine, if that is more; 0 for any number"
)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    usual = Limits()
    group = parser.add_argument_group("what strangers may do")
    for name, default, least, what in (
        ("connections", usual.max_connections, 1, "connections in all"),
        ("per-address", usual.max_per_address, 1, _PER_ADDRESS),
        ("rate", usual.rate, 0, _RATE),
        ("new-handles", usual.new_handles, 0, _NEW_HANDLES),
        ("wrong-tries", usual.wrong_tries, 0, _WRONG_TRIES),
    ):
        rule = f"this is a whole number from {least} to {_MOST}"
        group.add_argument(
            f"--max-{name}",
            type=checked(partial(_number, least), rule),
            default=default,
            metavar="N",
            help=f"{what} (default: {default})",
        )
    group.add_argument(
        "--allow-origin",
        action="append",
        type=checked(_origin, "an origin is like https://cards.example:8443"),
        metavar="URL",
        help="let the web pages of this origin join; may be repeated (default: none)",
    )
    group.add_argument(
        "--trusted-proxy",
        action="append",
        type=checked(_network, _PROXY_RULE),
        metavar="ADDRESS",
        help="believe this proxy, or those of a network such as 10.0.0.0/8, from which "
        "address a player comes; may be repeated (default: none)",
    )
    closing = group.add_mutually_exclusive_group()
    closing.add_argument(
        "--code",
        type=checked(_code, _CODE_RULE),
        help="ask for this of handles that have no account yet, and of those who watch",
    )
    closing.add_argument(
        "--invite-only",
        action="store_true",
        help="let a handle that has no account yet in only if the host has invited it, "
        "by bj-host invite HANDLE",
    )


def read_limits(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Limits:
    """Return the limits that parsed ``options`` ask for.

    Raises:
        SystemExit: with status 2 and a sentence, if they make no sense.
    """
    if options.code is not None and options.invite_only:
        parser.error(
            "--code and --invite-only exclude each other, also as BJ_CODE and "
            "BJ_INVITE_ONLY: a host who invites handles need not tell a code."
        )
    return Limits(
        proxies=Proxies(tuple(options.trusted_proxy or ())),
        new_handles=options.max_new_handles,
        wrong_tries=options.max_wrong_tries,
        max_connections=options.max_connections,
        max_per_address=options.max_per_address,
        rate=options.max_rate,
        allowed_origins=tuple(dict.fromkeys(options.allow_origin or ())),
    )


def _number(least: int, text: str) -> int:
    return between(int(text), least, _MOST)


def _network(text: str) -> IPv4Network | IPv6Network:
    if "/" in text:
        return ip_network(text, strict=False)
    return ip_network(plain_ip(text))


def _code(text: str) -> str:
    between(len(text), 6, 64)
    return text


def _origin(text: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError
    return text
