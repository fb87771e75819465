"""Options: the command line, with its environment and its help."""

import argparse
import getpass
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from bj_client.error import Exit
from bj_client.keymap import Keymap
from bj_client.net.address import Address
from bj_client.options.checked import MOST_PLAYERS, check_players
from bj_client.options.rows import GROUPS, bot_named, check_apart, read_tls
from bj_client.options.settings import SETTINGS, read_settings
from bj_client.system import IS_UNIX
from bj_client.words.text import is_terminal
from bj_protocol.handle import canonical_handle
from bj_protocol.option import Parser

if TYPE_CHECKING:
    from bj_client.bot.bot import BotChoice
    from bj_client.style import Style

_EXAMPLES = """\
examples:
  bj-client --solo                      a private table, with two bots for company
  bj-client                             say who plays, and join this machine's server
  bj-client --handle ned21              join the server on this machine
  bj-client --handle ned21 --server blackjack.example.org
  bj-client --handle ned21 --handle lia9      two players, one keyboard
  bj-client --list-tables               which tables there are
  bj-client --watch --table high        look on without a seat
  bj-client --handle tess --bot basic --rounds 100
  bj-client --handle tess --bot mymodule:MyPlayer
  bj-client --handle tess --json        a program of yours plays, in JSON
  bj-client replay evening.jsonl        play a record back; see its --help
  bj-client --handle ned21 --record tonight.jsonl
  bj-client verify tonight.jsonl        check all of it again, without a server
  bj-client --train                     drill hands and counting; see its --help
  printf '50\\ns\\nn\\n' | bj-client --plain --handle ned21

At every prompt: ? explains, t shows the table, r the rules of the house, q leaves.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices of the player; the rows of the options say what each is about."""

    handles: tuple[str, ...]
    """The players at this keyboard, in the order of play; none for a watcher, or if the
    client is to ask for them."""
    server: Address
    is_insecure: bool
    table: str | None
    code: str | None = field(repr=False)
    watch: bool
    list_tables: bool
    json: bool
    plain: bool
    line: bool
    style: "Style | None"
    """The published text whose output is printed; None for our own."""
    ascii: bool
    colours: str | None
    """One of ``COLOURS``; None for as many as the terminal says it has."""
    keymap: Keymap
    pace: float | None
    """Seconds between events; None for what fits the output."""
    bot: "BotChoice | None"
    quiet: bool
    bet: int
    """Cents that the bot bets."""
    hints: bool
    rounds: int | None
    solo: bool
    reconnect: float
    """Seconds for which a lost line is tried again; 0 for not at all."""
    record: Path | None
    unproven: bool
    server_key: str | None
    """The key that the server must have; None for the one that is kept, if any."""
    key_file: Path | None
    """The one file of the players' key; None for a place that we choose."""

    @property
    def most_players(self) -> int:
        """How many players are still to be asked for, at most."""
        if self.handles or self.watch or self.list_tables:
            return 0
        return 1 if self.style is not None and self.style.alone else MOST_PLAYERS


def read_options(
    arguments: Sequence[str] | None = None, environment: Mapping[str, str] | None = None
) -> Options:
    """Read the command line, ``BJ_*`` variables, the settings file, the defaults."""
    parser = make_parser()
    variables = os.environ if environment is None else environment
    given = parser.parse_args(arguments)
    said = read_settings(parser, given, variables)
    for switch in filter(lambda setting: setting.is_switch, parser.settings):
        parser.value(switch, said)  # a wrong one is told, whatever is typed
    style: Style | None = None
    if given.style is not None:  # loaded here: styles play, and few runs have one
        style = import_module(f"bj_client.style.{given.style}").STYLE
    check_apart(parser, given)
    looks = given.watch or given.list_tables
    source = "--handle" if given.handle else "BJ_HANDLE"
    bets = given.bet is not None
    parser.complete(given, said)
    try:
        handles = () if looks else check_players(given.handle)
    except ValueError as bad:
        parser.error(f"{source}: {bad}")
    if given.json and len(handles) > 1:
        parser.error(
            "--json is for one player: name one handle, and start another bj-client "
            "for each of the others."
        )
    if given.solo:
        _prepare_solo(parser, given)
    bot: BotChoice | None = given.bot
    can_ask = bot is None and not given.json
    can_ask = can_ask and is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if not handles and not given.solo and not looks and not can_ask:
        parser.error("the handle is missing: name yourself, as in --handle ned21.")
    _check_bot(parser, bot, quiet=given.quiet, bets=bets)
    if style is not None and style.alone and (bot is not None or len(handles) > 1):
        parser.error(f"--style {style.name} is for one person: name one handle alone.")
    if given.solo:
        handles = handles or (user_name(),)
    else:
        given.server = read_tls(parser, given)
    found = vars(given) | {"handles": handles, "style": style}
    return Options(**{name: found[name] for name in Options.__slots__})


def _check_bot(
    parser: Parser, bot: "BotChoice | None", *, quiet: bool, bets: bool
) -> None:
    """See that what is typed for a bot is for this one."""
    if bot is None and (quiet or bets):
        option = "--quiet" if quiet else "--bet"
        parser.error(f"{option} is for bots: add --bot NAME.")
    if bot is not None and bets and not bot.takes_bet:
        parser.error(f"{bot.name} decides what it bets: leave --bet out.")


def _prepare_solo(parser: Parser, given: argparse.Namespace) -> None:
    """See that nothing speaks against ``--solo``, and choose what follows from it."""
    if not IS_UNIX:
        parser.error(
            "--solo starts a server, which runs on Linux or macOS alone: join one with "
            "--server, or play under WSL."
        )
    if given.style is not None:
        parser.error(f"--solo plays cpsc386: leave --style {given.style} out.")
    given.unproven = True  # our own server needs to prove nothing
    if given.bot is None and not (given.json or is_terminal(sys.stdin)):
        given.bot = bot_named("basic")


def make_parser() -> Parser:
    """Return the parser of all options."""
    codes = "\n".join(f"  {code:<4} {code.meaning}" for code in Exit)
    parser = Parser(
        prog="bj-client",
        description="Play blackjack at a table that bj-server hosts.",
        epilog=f"{_EXAMPLES}\nexit codes:\n{codes}",
    )
    parser.add_version()
    parser.add_rows((SETTINGS,))
    for title, rows in GROUPS.items():
        parser.add_rows(rows, title)
    return parser


def user_name() -> str:
    """Return the name of the computer's user if it can be a handle."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        return "you"
    return canonical_handle(name) or "you"
