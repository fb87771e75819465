"""Fairness: what is recorded to be checked again, and whether proof is needed."""

import argparse
from collections.abc import Mapping

from bj_client.options.checked import file, is_set
from bj_client.serverkey import BadServerKey, read_server_key


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
    except BadServerKey as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None
