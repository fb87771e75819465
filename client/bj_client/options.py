"""Options: the command line, with its environment and its help."""

import argparse
import getpass
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bj_client.address import Address, BadAddress, read_address
from bj_client.bot import BadBot, BotChoice, read_bot
from bj_client.exits import Exit
from bj_client.players import BadPlayers, read_players
from bj_client.style import STYLES, Style
from bj_protocol.handle import canonical_handle

__all__ = ["Options", "read_options"]

_EXAMPLES = """\
examples:
  bj-client --solo                      a private table, with two bots for company
  bj-client --handle ned21              join the server on this machine
  bj-client --handle ned21 --server blackjack.example.org
  bj-client --handle ned21 --handle lia9      two players, one keyboard
  bj-client --handle tess --bot basic --rounds 100
  bj-client --handle tess --bot mymodule:MyPlayer
  printf '50\\ns\\nn\\n' | bj-client --plain --handle ned21

At every prompt: ? explains, t shows the table, r the rules of the house, q leaves.
"""


_BET = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the player asked for."""

    handles: tuple[str, ...]
    """Who plays at this keyboard, in the order of play."""
    server: Address
    table: str | None
    plain: bool
    style: Style | None
    """The published text whose output is printed; None for our own."""
    ascii: bool
    pace: float | None
    """Seconds between events; None for what fits the output."""
    bot: BotChoice | None
    """The bot that plays; None for a person."""
    bet: int
    """Cents that the bot bets."""
    rounds: int | None
    solo: bool
    reconnect: float
    """Seconds for which a lost line is tried again; 0 for not at all."""
    key_file: Path | None
    """The one file of the players' key; None for a place that we choose."""


def read_options(
    arguments: Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Options:
    """Read the command line, then ``BJ_*`` variables, then the defaults.

    Raises:
        SystemExit: with 2 and a sentence on standard error if they are wrong, and
            with 0 for ``--help`` and ``--version``.
    """
    settings = os.environ if environment is None else environment
    parser = _parser(settings)
    given = parser.parse_args(arguments)
    handles = _handles(parser, given.handle, settings)
    bot: BotChoice | None = given.bot
    if given.solo and given.named_server is not None:
        parser.error("--solo starts its own server: leave --server out.")
    if not handles and not given.solo:
        parser.error("the handle is missing: name yourself, as in --handle ned21.")
    if given.bet is not None and bot is not None and not bot.takes_bet:
        parser.error(f"{bot.name} decides what it bets: leave --bet out.")
    style = None if given.style is None else STYLES[given.style]
    if style is not None and given.solo:
        parser.error(f"--solo plays cpsc386: leave --style {style.name} out.")
    if style is not None and style.alone and (bot is not None or len(handles) > 1):
        parser.error(f"--style {style.name} is for one person: name one handle alone.")
    return Options(
        handles=handles or (_user_name(),),
        server=given.named_server or _default_server(parser, settings),
        table=given.table,
        plain=given.plain,
        style=style,
        ascii=given.ascii,
        pace=given.pace,
        bot=bot,
        bet=given.bet or _BET,
        rounds=given.rounds,
        solo=given.solo,
        reconnect=given.reconnect,
        key_file=given.key_file,
    )


def _parser(settings: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bj-client",
        description="Play blackjack at a table that bj-server hosts.",
        epilog=f"{_EXAMPLES}\n{_exit_codes()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    _add_place(parser)
    _add_line(parser, settings)
    _add_key(parser, settings)
    _add_look(parser, settings)
    _add_play(parser)
    return parser


def _add_place(parser: argparse.ArgumentParser) -> None:
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
        "--table", type=_words, metavar="NAME", help="the table; default the first"
    )
    place.add_argument(
        "--solo",
        action="store_true",
        help="start a private server and play there; bots fill up to three seats; "
        "without a terminal, bots play ten rounds",
    )


def _add_line(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    line = parser.add_argument_group("when the line is lost")
    line.add_argument(
        "--reconnect",
        type=_reconnect,
        default=settings.get("BJ_RECONNECT") or "120",
        metavar="SECONDS",
        help="try for so long to come back to your seat, 0 for never (BJ_RECONNECT; "
        "default 120)",
    )


def _add_key(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    group = parser.add_argument_group("who you are")
    group.add_argument(
        "--key-file",
        type=_file,
        default=settings.get("BJ_KEY_FILE") or None,
        metavar="FILE",
        help="where the key is kept that proves your handle, made there if it is not "
        "(BJ_KEY_FILE; default a file for each server and handle in "
        "~/.local/state/blackjack/keys)",
    )


def _add_look(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    look = parser.add_argument_group("how it looks")
    look.add_argument(
        "--plain",
        action="store_true",
        help="plain lines only; by itself where input or output is no terminal",
    )
    look.add_argument(
        "--style",
        choices=sorted(STYLES),
        help="plain lines as a published text prints them: cs1114 is its whole "
        "transcript, cs220 adds its summary of each round, dsc20 is its log and "
        "writes its files, iipp6 has its words and buttons; for tables of that house",
    )
    look.add_argument(
        "--ascii", action="store_true", help="suits as the letters S, H, D, C"
    )
    look.add_argument(
        "--pace",
        type=_pace,
        default=settings.get("BJ_PACE") or None,
        metavar="SECONDS",
        help="time between two events (BJ_PACE; default 0.15 in a terminal, 0 in "
        "pipes and for bots)",
    )


def _add_play(parser: argparse.ArgumentParser) -> None:
    play = parser.add_argument_group("who plays, and how long")
    play.add_argument(
        "--bot",
        type=_bot,
        metavar="NAME",
        help="a bot plays for you: basic, conservative, counting, dealer, threshold, "
        "random, cheating; threshold:15 stands at 15; module:Class is your own",
    )
    play.add_argument(
        "--bet",
        type=_bet,
        metavar="DOLLARS",
        help="what the bot bets each round (default 10); random, cheating and your "
        "own bots decide that themselves",
    )
    play.add_argument(
        "--rounds",
        type=_rounds,
        metavar="N",
        help="leave after N rounds (default: when you say so)",
    )


def _exit_codes() -> str:
    codes = "\n".join(f"  {code:<4} {code.meaning}" for code in Exit)
    return f"exit codes:\n{codes}"


def _version() -> str:
    try:
        return version("blackjack-table")
    except PackageNotFoundError:
        return "(not installed)"


def _user_name() -> str:
    """Return the name of the computer's user if it can be a handle."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        return "you"
    return canonical_handle(name) or "you"


def _handles(
    parser: argparse.ArgumentParser,
    named: Sequence[str] | None,
    settings: Mapping[str, str],
) -> tuple[str, ...]:
    try:
        return read_players(named, settings.get("BJ_HANDLE"))
    except BadPlayers as bad:
        parser.error(f"{'--handle' if named else 'BJ_HANDLE'}: {bad}")


def _words(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError("a name of printable characters is needed.")
    return text


def _file(text: str) -> Path:
    try:
        return Path(_words(text)).expanduser()
    except RuntimeError:
        raise argparse.ArgumentTypeError("that user has no home folder.") from None


def _server(text: str) -> Address:
    try:
        return read_address(text)
    except BadAddress as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


def _default_server(
    parser: argparse.ArgumentParser, settings: Mapping[str, str]
) -> Address:
    try:
        return read_address(settings.get("BJ_SERVER") or "localhost")
    except BadAddress as bad:
        parser.error(f"BJ_SERVER: {bad}")


def _pace(text: str) -> float:
    return _seconds(text, 60, "the pace is a number of seconds, 0 to 60.")


def _reconnect(text: str) -> float:
    sentence = "how long to try is a number of seconds, 0 to 86400, which is a day."
    return _seconds(text, 86_400, sentence)


def _seconds(text: str, most: float, sentence: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= most:
        raise argparse.ArgumentTypeError(sentence)
    return seconds


def _bot(text: str) -> BotChoice:
    try:
        return read_bot(text)
    except BadBot as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


def _bet(text: str) -> int:
    return 100 * _number(text, "the bet is a whole number of dollars, at least 1.")


def _rounds(text: str) -> int:
    return _number(text, "the rounds are a whole number, at least 1.")


def _number(text: str, sentence: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12 and int(text)):
        raise argparse.ArgumentTypeError(sentence)
    return int(text)
