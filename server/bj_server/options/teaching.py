"""For teaching and tests: cards that are known beforehand."""

import argparse

from bj_game.card import Card, parse_cards
from bj_server.options.checked import checked


def add_teaching(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("for teaching and tests, announced to everyone")
    group.add_argument(
        "--seed",
        type=checked(int, "a seed is a whole number"),
        metavar="N",
        help="shuffle by this number, so that the same cards come again",
    )
    group.add_argument(
        "--no-proof",
        action="store_true",
        help="deal without a part of the players in the draw, as for training and bots",
    )
    group.add_argument(
        "--stack",
        type=_cards,
        default=(),
        metavar="CARDS",
        help='cards that come first out of the first shoe, as in "As 9d Kh 7c"',
    )


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
