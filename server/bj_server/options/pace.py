"""The pace: how long a table waits for its players."""

import argparse
import os

from bj_server.options.checked import checked

__all__ = ["add_pace"]


def add_pace(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("the clock")
    for name, default, what in (
        ("bet", "30", "for placing bets"),
        ("turn", "30", "for each decision"),
        ("hold", "60", "a seat is kept for a player who lost the line"),
    ):
        group.add_argument(
            f"--{name}-seconds",
            type=checked(_seconds, "seconds are a number from 0.05 to 86400"),
            default=os.environ.get(f"BJ_{name.upper()}_SECONDS", default),
            metavar="S",
            help=f"seconds {what} (default: {default})",
        )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.05 <= seconds <= 86400:
        raise ValueError
    return seconds
