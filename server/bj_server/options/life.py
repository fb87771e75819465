"""When to stop, other than by a signal."""

import argparse


def add_life(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("when to stop")
    group.add_argument(
        "--stop-on-eof",
        action="store_true",
        help="stop when standard input ends, so that a program that starts a server "
        "never leaves it behind",
    )
