"""Who plays, a person or a bot, and how long."""

import argparse

from bj_client.bot import BadBot, BotChoice, read_bot
from bj_client.options.checked import number

__all__ = ["add_play"]


def add_play(parser: argparse.ArgumentParser) -> None:
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
        help="what the bot bets each round (default 10); random, cheating and your "
        "own bots decide that themselves",
    )
    play.add_argument(
        "--rounds",
        type=_rounds,
        metavar="N",
        help="leave after N rounds (default: when you say so)",
    )


def _bot(text: str) -> BotChoice:
    try:
        return read_bot(text)
    except BadBot as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


def _bet(text: str) -> int:
    return 100 * number(text, "the bet is a whole number of dollars, at least 1.")


def _rounds(text: str) -> int:
    return number(text, "the rounds are a whole number, at least 1.")
