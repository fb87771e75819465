"""The play: a person or a bot, and how long."""

import argparse
from collections.abc import Mapping, Sequence

from bj_client.bot import BotChoice, BotError, read_bot
from bj_client.net.server_key import ServerKeyError, read_server_key
from bj_client.options.checked import file, is_set, number, seconds


def add_play(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
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
        help="what the bot bets each round (BJ_BET; default 10); random, cheating and "
        "your own bots decide that themselves",
    )
    play.add_argument(
        "--quiet",
        action="store_true",
        help="tell nothing of a bot's rounds, only what goes wrong and how it ends",
    )
    play.add_argument(
        "--hints",
        action="store_true",
        default=is_set(parser, settings, "BJ_HINTS"),
        help="? at a play also says what basic strategy would do (BJ_HINTS=1)",
    )
    play.add_argument(
        "--rounds",
        type=_rounds,
        metavar="N",
        help="leave after N rounds (default: when you say so)",
    )


def default_bet(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> int:
    """Return the cents that BJ_BET says, or the default bet.

    Raises:
        SystemExit: with 2 and a sentence, if the variable says no bet.
    """
    try:
        return _bet(settings.get("BJ_BET") or "10")
    except argparse.ArgumentTypeError as wrong:
        parser.error(f"BJ_BET: {wrong}")


def _bot(text: str) -> BotChoice:
    try:
        return read_bot(text)
    except BotError as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


def _bet(text: str) -> int:
    return 100 * number(text, "the bet is a whole number of dollars, at least 1.")


def _rounds(text: str) -> int:
    return number(text, "the rounds are a whole number, at least 1.")


def add_key(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("who you are")
    group.add_argument(
        "--key-file",
        type=file,
        default=settings.get("BJ_KEY_FILE") or None,
        metavar="FILE",
        help="where the key is kept that proves your handle, made there if it is not "
        "(BJ_KEY_FILE; default a file for each server and handle in "
        "~/.local/state/blackjack/keys)",
    )


def add_line(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    line = parser.add_argument_group("when the line is lost")
    line.add_argument(
        "--reconnect",
        type=_reconnect,
        default=settings.get("BJ_RECONNECT") or "120",
        metavar="SECONDS",
        help="try for so long to come back to your seat, 0 for never (BJ_RECONNECT; "
        "default 120)",
    )


def _reconnect(text: str) -> float:
    rule = "how long to try is a number of seconds, 0 to 86400, which is a day."
    return seconds(text, 86_400, rule)


def add_program(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("for programs")
    group.add_argument(
        "--json",
        action="store_true",
        help="speak the protocol on standard input and output, a line of JSON for each "
        "message: for bots in any language",
    )


def check_program(
    parser: argparse.ArgumentParser, given: argparse.Namespace, handles: Sequence[str]
) -> None:
    """See that with ``--json`` a program plays alone.

    Raises:
        SystemExit: with 2 and a sentence, if somebody else is to play.
    """
    if not given.json:
        return
    for name, why in _INSTEAD.items():
        if getattr(given, name):
            option = f"--{name.replace('_', '-')}"
            parser.error(f"with --json {why}: leave {option} out.")
    if len(handles) > 1:
        parser.error(
            "--json is for one player: name one handle, and start another bj-client "
            "for each of the others."
        )


_INSTEAD = {
    "bot": "a program of yours plays",
    "style": "nothing but JSON is printed",
    "rounds": "the program leaves when it likes, by the end of its commands",
    "list_tables": "the program asks for the tables, by list_tables",
}


def add_fairness(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("fairness")
    group.add_argument(
        "--record",
        type=file,
        default=settings.get("BJ_RECORD") or None,
        metavar="FILE",
        help="add all that server and client say to this file, for bj-client verify "
        "and replay (BJ_RECORD)",
    )
    group.add_argument(
        "--unproven",
        action="store_true",
        default=is_set(parser, settings, "BJ_UNPROVEN"),
        help="play also where no round is proven, as at tables for teaching "
        "(BJ_UNPROVEN=1)",
    )
    group.add_argument(
        "--server-key",
        type=_server_key,
        default=settings.get("BJ_SERVER_KEY") or None,
        metavar="KEY",
        help="the server's key, which bj-server shows; it is kept, and another one "
        "stops bj-client (BJ_SERVER_KEY; default the key at the first visit)",
    )


def _server_key(text: str) -> str:
    try:
        return read_server_key(text)
    except ServerKeyError as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None
