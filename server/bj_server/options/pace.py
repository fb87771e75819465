"""The pace: how long a table waits for its players."""

import argparse

from bj_server.options.checked import checked
from bj_server.table.felt import LONGEST, SHORTEST, Pace


def add_pace(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("the clock")
    for name, default, what in (
        ("bet", "30", "for placing bets"),
        ("insurance", "20", "for an offer of insurance or even money"),
        ("turn", "30", "for each other decision"),
        ("hold", "60", "a seat is kept for a player who lost the line"),
    ):
        group.add_argument(
            f"--{name}-seconds",
            type=checked(_seconds, "seconds are a number from 0.05 to 86400"),
            default=default,
            metavar="S",
            help=f"seconds {what} (default: {default})",
        )

    group.add_argument(
        "--no-clock",
        action="store_true",
        help="hurry nobody, for teaching; only who has lost the line is not waited for",
    )


def read_pace(options: argparse.Namespace) -> Pace:
    """Return the pace that parsed ``options`` ask for."""
    return Pace(
        bet_seconds=options.bet_seconds,
        insurance_seconds=options.insurance_seconds,
        turn_seconds=options.turn_seconds,
        hold_seconds=options.hold_seconds,
        has_clock=not options.no_clock,
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not SHORTEST <= seconds <= LONGEST:
        raise ValueError
    return seconds
