"""What to do when the line is lost."""

import argparse
from collections.abc import Mapping

from bj_client.options.checked import seconds


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
