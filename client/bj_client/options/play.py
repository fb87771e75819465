"""Who plays, a person or a bot, and how long."""

import argparse
from collections.abc import Mapping

from bj_client.bot import BadBot, BotChoice, read_bot
from bj_client.options.checked import is_set, number


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
    """Return the cents that BJ_BET says, or the bet of one who says nothing.

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
    except BadBot as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


def _bet(text: str) -> int:
    return 100 * number(text, "the bet is a whole number of dollars, at least 1.")


def _rounds(text: str) -> int:
    return number(text, "the rounds are a whole number, at least 1.")
