"""The rows of the game, the clock, limits for strangers and encryption; their readers.

A table takes all that it does not set itself from the other options, such as
``--house``, ``--seats`` and the seconds.
"""

import argparse
import re
from collections.abc import Iterable
from dataclasses import replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from bj_game.house import House
from bj_protocol.handle import canonical_handle
from bj_protocol.option import COMMAS, OneOf, Option, Setting, between, checked, wrong
from bj_server.net.address import Proxies, plain_ip
from bj_server.net.limits import Limits
from bj_server.settings import HOUSES, ServerParser, TablePlan, load_house
from bj_server.table.clock import LONGEST, SHORTEST, Pace
from bj_server.tls import CertificateError, Encryption, load_encryption


def named_table(text: str) -> tuple[str, House | None]:
    """Read ``NAME`` or ``NAME=HOUSE``."""
    name, is_housed, house = text.partition("=")
    if canonical_handle(name) != name:
        raise wrong(text, "a table is NAME or NAME=HOUSE, NAME like a handle")
    return name, load_house(house) if is_housed else None


GAME = (
    Setting(
        "--house NAME|FILE",
        f"rules to play: {', '.join(HOUSES)}, or a TOML file (default: cpsc386)",
        load_house,
        load_house("cpsc386"),
    ),
    Option("--list-houses", "list the houses, and exit"),
    Option("--show-house NAME|FILE", "show the rules of a house, and exit", load_house),
    Setting(
        "--seats N",
        "seats at each table, 1 to 7 (default: as many as the house's rules say)",
        checked(lambda text: between(int(text), 1, 7), "a table has 1 to 7 seats"),
    ),
    Setting(
        "--table NAME[=HOUSE]",
        "a table, and its house; may be repeated (default: main)",
        named_table,
        apart=COMMAS,
    ),
    Setting(
        "--tables FILE",
        "tables from a TOML file, each with a house, seats, seconds and a join code of "
        "its own",
        Path,
    ),
)


def _wait(name: str, usual: float, what: str) -> Setting:
    rule = "seconds are a number from 0.05 to 86400"
    read = checked(lambda text: between(float(text), SHORTEST, LONGEST), rule)
    told = f"seconds {what} (default: {usual:g})"
    return Setting(f"--{name}-seconds S", told, read, usual)


PACE = (
    _wait("bet", 30.0, "for placing bets"),
    _wait("insurance", 20.0, "for an offer of insurance or even money"),
    _wait("turn", 30.0, "for each other decision"),
    _wait("hold", 60.0, "a seat is kept for a player who lost the line"),
    Setting(
        "--no-clock",
        "hurry nobody, for teaching; only who has lost the line is not waited for",
    ),
)


def read_tables(
    parser: ServerParser, options: argparse.Namespace
) -> tuple[TablePlan, tuple[TablePlan, ...]]:
    """Return a table that says nothing of itself, and the tables, once each.

    Those of the file come first, then those that are named.
    """
    house: House = options.house
    standard = TablePlan(
        name="main",
        house=house,
        seats=options.seats or house.max_seats,
        pace=Pace(
            bet_seconds=options.bet_seconds,
            insurance_seconds=options.insurance_seconds,
            turn_seconds=options.turn_seconds,
            hold_seconds=options.hold_seconds,
            has_clock=not options.no_clock,
        ),
        is_proven=not options.no_proof,
    )
    plans: dict[str, TablePlan] = {}
    if options.tables is not None:
        # Here, since its models take long to import.
        from bj_server.options.table_file import tables_of

        try:
            found = tables_of(standard, options.seats, options.tables)
            plans = {plan.name: plan for plan in found}
        except ValueError as error:
            parser.error(f"argument --tables: {error}")
    for name, its_house in options.table or ():
        plan = replace(standard, name=name).housed(its_house, options.seats)
        if plans.setdefault(name, plan) != plan:
            twice = f"The table {name} is named twice, in different ways."
            parser.error(f"argument --table: {twice}")
    tables = tuple(plans.values()) or (standard,)
    for plan in tables:  # so that a wrong one is refused before the start
        plan.check(options.stack)
    return standard, tables


_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")


def _limit(name: str, usual: int, least: int, what: str) -> Setting:
    rule = f"this is a whole number from {least} to 60000"
    read = checked(lambda text: between(int(text), least, 60_000), rule)
    return Setting(f"--max-{name} N", f"{what} (default: {usual})", read, usual)


def _network(text: str) -> IPv4Network | IPv6Network:
    if "/" not in text:
        return ip_network(plain_ip(text))
    network = ip_network(text, strict=False)
    if plain_ip(str(network[0])) != network[0]:
        raise ValueError  # one of IPv4, which clients never have as IPv6
    return network


def _code(text: str) -> str:
    text.encode()  # which refuses what is not UTF-8
    between(len(text), 6, 64)
    return text


def _origin(text: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError
    return text


_proxy = checked(
    _network, "a proxy is an address or a network, like 10.0.0.2 or 10.0.0.0/8"
)
_USUAL = Limits()
_LOCAL = f"{_USUAL.max_local} from this machine, if that is more"

LIMITS = (
    _limit("connections", _USUAL.max_connections, 1, "connections in all"),
    _limit(
        "per-address",
        _USUAL.max_per_address,
        1,
        f"connections from one address; {_LOCAL}",
    ),
    _limit(
        "rate",
        _USUAL.rate,
        0,
        "refusals and other messages that bring nothing, a minute for each connection "
        "and handle; 0 for any number",
    ),
    _limit(
        "new-handles",
        _USUAL.new_handles,
        0,
        f"accounts that one address opens, at once and again each hour; {_LOCAL}; 0 "
        "for any number",
    ),
    _limit(
        "wrong-tries",
        _USUAL.wrong_tries,
        0,
        f"wrong codes and keys of one address, at once and again each hour; {_LOCAL}; "
        "0 for any number",
    ),
    Setting(
        "--allow-origin URL",
        "let the web pages of this origin join; may be repeated (default: none)",
        checked(_origin, "an origin is like https://cards.example:8443"),
        apart=COMMAS,
    ),
    Setting(
        "--trusted-proxy ADDRESS",
        "believe this proxy, or those of a network such as 10.0.0.0/8, from which "
        "address a player comes; may be repeated (default: none)",
        _proxy,
        apart=COMMAS,
    ),
    Setting(
        "--proxy-protocol ADDRESS",
        "believe this proxy, or those of a network, which begins each connection with "
        "a header of the PROXY protocol, version 2; may be repeated (default: none)",
        _proxy,
        apart=COMMAS,
    ),
    OneOf(
        (
            Setting(
                "--code CODE",
                "ask for this of handles that have no account yet, and of those who "
                "watch",
                checked(_code, "a code has 6 to 64 characters, in UTF-8"),
            ),
            Setting(
                "--invite-only",
                "let a handle that has no account yet in only if the host has invited "
                "it, by bj-host invite HANDLE",
            ),
        ),
        required=False,
    ),
)


def read_limits(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Limits:
    """Return the limits that parsed ``options`` ask for."""
    if options.code is not None and options.invite_only:
        parser.error(
            "--code and --invite-only exclude each other, also as BJ_CODE and "
            "BJ_INVITE_ONLY: a host who invites handles need not tell a code."
        )
    return Limits(
        proxies=Proxies(tuple(options.trusted_proxy or ())),
        proxy_protocol=Proxies(tuple(options.proxy_protocol or ())),
        new_handles=options.max_new_handles,
        wrong_tries=options.max_wrong_tries,
        max_connections=options.max_connections,
        max_per_address=options.max_per_address,
        rate=options.max_rate,
        allowed_origins=tuple(dict.fromkeys(options.allow_origin or ())),
    )


TLS = (
    Setting(
        "--tls-cert FILE",
        "PEM file of the certificate, its chain behind it: serve wss://",
        Path,
    ),
    Setting(
        "--tls-key FILE",
        "PEM file of the certificate's key, without a passphrase",
        Path,
    ),
    Setting(
        "--insecure",
        "let others than this machine in without encryption: for a network that you "
        "trust, or behind a proxy that encrypts",
    ),
)


def read_tls(
    parser: argparse.ArgumentParser, options: argparse.Namespace, hosts: Iterable[str]
) -> Encryption | None:
    """Return the certificate and key that encrypt the lines, None for plain ones."""
    certificate, key = options.tls_cert, options.tls_key
    if (certificate is None) != (key is None):
        missing = "--tls-cert" if certificate is None else "--tls-key"
        parser.error(
            f"a certificate and its key go together: add {missing}, or leave both out."
        )
    if certificate is not None:
        try:
            return load_encryption(certificate, key)
        except CertificateError as error:
            parser.error(f"argument --tls-cert, --tls-key: {error}")
    is_open = next((host for host in hosts if not is_loopback(host)), None)
    if not options.insecure and is_open is not None:
        shown = is_open or "every address"
        parser.error(
            f"argument --host: {shown} is open to other machines, and without "
            "encryption a listener on the way learns the players' keys: name a "
            "certificate with --tls-cert and --tls-key, or add --insecure where the "
            "network is trusted, or a proxy in front encrypts."
        )
    return None


def is_loopback(host: str) -> bool:
    """Tell whether only programs of this machine reach an address.

    >>> is_loopback("127.0.0.2"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return plain_ip(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"
