"""The record: where to write down all that is said, to be checked again later."""

import argparse
from collections.abc import Mapping

from bj_client.options.checked import file

__all__ = ["add_record"]


def add_record(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
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
