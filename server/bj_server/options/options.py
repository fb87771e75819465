"""The options of ``bj-server``: flag, then ``BJ_*`` environment, then default."""

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from bj_game.card import parse_cards
from bj_game.house import House
from bj_game.rules import rules_card
from bj_protocol.option import COMMAS, Option, Rows, Setting, between, checked, told_by
from bj_server.log import Voice
from bj_server.net.address import plain_ip
from bj_server.options.rows import (
    GAME,
    LIMITS,
    PACE,
    TLS,
    read_limits,
    read_tables,
    read_tls,
)
from bj_server.settings import (
    HOUSES,
    OptionsError,
    ServerParser,
    Settings,
    bank_of,
    bank_row,
    fleet_of,
    fleet_row,
    load_house,
)
from bj_server.standard import write_text


def _host(text: str) -> str:
    """Read an address or a name; an IPv4 address as IPv6 is what it is."""
    bare = text.strip().removeprefix("[").removesuffix("]")
    try:
        return str(plain_ip(bare)) if "%" not in bare else bare
    except ValueError:
        if ":" in bare or not bare.isprintable() or " " in bare:
            raise
        bare.encode("idna")  # which refuses parts of a name that no name has
        return bare


def _between(lowest: int, highest: int, rule: str) -> Callable[[str], int]:
    return checked(lambda text: between(int(text), lowest, highest), rule)


def _one_of(words: Sequence[str], rule: str) -> Callable[[str], str]:
    return checked(lambda text: words[words.index(text.lower())], rule)


_LEVELS = ("debug", "info", "warning", "error")
_port = _between(0, 65535, "a port is a whole number from 0 to 65535")

_CONFIG = Option(
    "--config FILE",
    "settings that are not given here, nor by BJ_ variables, from a TOML file "
    "(BJ_CONFIG)",
    Path,
)
_TEACHING = (
    Setting(
        "--seed N",
        "shuffle by this number, so that the same cards come again",
        _between(-(10**18), 10**18, "a seed is a whole number of 18 digits at most"),
    ),
    Setting(
        "--no-proof",
        "deal without a part of the players in the draw, as for training and bots",
    ),
    Setting(
        "--stack CARDS",
        'cards that come first out of the first shoe, as in "As 9d Kh 7c"',
        parse_cards,
        (),
    ),
)
_LIFE = (
    Setting(
        "--stop-on-eof",
        "stop when standard input ends, so that a program that starts a server never "
        "leaves it behind",
    ),
)
_ADMIN = (
    Setting(
        "--admin-port PORT",
        "answer GET and HEAD of /healthz and /metrics on this port of 127.0.0.1; 0 for "
        "any free one (default: no such port)",
        _port,
    ),
    Setting(
        "--low-space MIB",
        "warn in the log when the disk of the bank has less left than so many MiB; 0 "
        "for never (default: 512)",
        _between(0, 2**40, "space is a whole number of MiB, 0 for no warning"),
        512,
    ),
)
_FLEET = (
    fleet_row(
        "serve in the fleet whose bank is in the PostgreSQL of the URL in this file"
    ),
    Setting(
        "--take-over",
        "do not watch for some seconds whether an earlier start of this server of a "
        "fleet serves yet; that one stops",
    ),
)
_LOGS = (
    Setting(
        "--log-level LEVEL",
        f"least level that is told: {', '.join(_LEVELS)} (default: info, and warning "
        "on a terminal)",
        _one_of(_LEVELS, f"a level is one of {', '.join(_LEVELS)}"),
    ),
    Setting(
        "--log-format FORMAT",
        "text for people, json for programs (default: text)",
        _one_of(("text", "json"), "the log is written as text or json"),
        "text",
    ),
    Setting(
        "--[no-]log-addresses",
        "say from which address players join and are refused (default: yes)",
        default=True,
    ),
)


def _place() -> Rows:
    """Return the rows of where a server is, as the home directory is just now."""
    return (
        Setting(
            "--host HOST",
            "address to listen on; may be repeated, and :: is every address of IPv4 "
            "and IPv6 (default: 127.0.0.1, this machine only)",
            checked(_host, "an address is like 192.168.1.20, ::1 or a name"),
            ("127.0.0.1",),
            apart=COMMAS,
        ),
        Setting(
            "--port PORT",
            "port to listen on; 0 for any free one (default: 8765)",
            _port,
            8765,
        ),
        bank_row("folder that keeps the money"),
    )


_EXAMPLES = """\
examples:
  bj-server                             host a table on this machine, port 8765
  bj-server --host 0.0.0.0 --insecure   let others in, on a network you trust
  bj-server --host 0.0.0.0 --tls-cert fullchain.pem --tls-key privkey.pem
  bj-server --host :: --insecure --code "open sesame"
  bj-server --bank ./bank --port 0      a bank of its own, any free port
  bj-server --turn-seconds 15 --table main --table high=vegas-strip
  bj-server --tables tables.toml        tables of many kinds, as docs/hosting.md shows
  bj-server --fleet fleet.url           one of many servers with one bank

exit status:
  0  stopped by Ctrl-C or SIGTERM; seats, cards and stakes are kept
  1  stopped by a fault of its own, which is in the log; all is kept
  2  the options are wrong, or the certificate or its key cannot be used
  3  the address cannot be listened on, or too few files may be open for it
  4  the bank folder is damaged, unusable, or held by another server; or the fleet
     cannot be joined, or another start has taken this server over
  5  stopped while the bank could not be written, or its books contradict
     themselves; what was told to players is safe

A handle belongs to the player who used it first, who is known by a key. With a
certificate the line is encrypted. Without one keys travel in the clear, so other
machines are let in only with --insecure.
"""


def read_options(arguments: Sequence[str] | None = None) -> Settings:
    """Return the settings that ``arguments`` and the environment ask for."""
    try:
        return reread_options(arguments)
    except OptionsError as bad:
        voice = Voice(_form_wanted(arguments))
        voice.complain(f"error: {bad}")
        if not voice.is_json:
            with contextlib.suppress(OSError):  # nobody has to be there to read it
                write_text(sys.stderr, f"{told_by('bj-server')}\n")
        raise SystemExit(2) from None


def _form_wanted(arguments: Sequence[str] | None) -> str:
    """Return the form of the log, as far as it is known from bad options."""
    glance = ServerParser(add_help=False)
    glance.add_argument("--log-format")
    try:
        found = glance.parse_known_args(arguments)[0].log_format
    except OptionsError:
        found = None
    return (found or os.environ.get("BJ_LOG_FORMAT") or "text").lower()


def reread_options(arguments: Sequence[str] | None = None) -> Settings:
    """Return the settings by the files as they are now."""
    parser = make_parser()
    options = parser.read(arguments)
    if options.list_houses:
        width = max(map(len, HOUSES))
        _print_and_exit([f"{n:{width}}  {load_house(n).title}" for n in HOUSES])
    if options.show_house is not None:
        _print_and_exit(_card(options.show_house))
    standard, tables = read_tables(parser, options)
    hosts = tuple(dict.fromkeys(options.host))
    encryption = read_tls(parser, options, hosts)
    return Settings(
        hosts=hosts,
        port=options.port,
        bank=bank_of(parser, options.bank),
        tables=tables,
        standard=standard,
        seats=options.seats,
        seed=options.seed,
        stack=options.stack,
        encryption=encryption,
        is_insecure=options.insecure,
        stops_on_eof=options.stop_on_eof,
        code=options.code,
        is_invite_only=options.invite_only,
        fleet=fleet_of(parser, options.fleet),
        takes_over=options.take_over,
        limits=read_limits(parser, options),
        admin_port=options.admin_port,
        low_space=options.low_space,
        log_level=options.log_level,
        log_format=options.log_format,
        logs_addresses=options.log_addresses,
    )


def make_parser() -> ServerParser:
    """Return the parser of all options."""
    parser = ServerParser(
        prog="bj-server",
        description="Host blackjack tables that bj-client can join.",
        epilog=_EXAMPLES,
    )
    parser.add_version()
    parser.add_rows((_CONFIG,))
    parser.add_rows(_place(), "where")
    parser.add_rows(_FLEET, "a fleet of servers")
    parser.add_rows(TLS, "encryption")
    parser.add_rows(GAME, "the game")
    parser.add_rows(PACE, "the clock")
    parser.add_rows(LIMITS, "what strangers may do")
    parser.add_rows(_TEACHING, "for teaching and tests, announced to everyone")
    parser.add_rows(_LIFE, "when to stop")
    parser.add_rows(_ADMIN, "watching over the server")
    parser.add_rows(_LOGS, "the log, on standard error")
    return parser


def _print_and_exit(lines: list[str]) -> NoReturn:
    with contextlib.suppress(OSError):
        write_text(sys.stdout, "".join(f"{line}\n" for line in lines))
    raise SystemExit(0)


def _card(house: House) -> list[str]:
    source = [f"Source: {house.source}"] if house.source else []
    rules = [f"- {rule}" for rule in rules_card(house)]
    return [f"{house.name}: {house.title}", *rules, *source]
