"""Who you are: the key that proves it."""

import argparse
from collections.abc import Mapping

from bj_client.options.checked import file


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
