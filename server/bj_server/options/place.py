"""Where: the address to listen on, and the folder that keeps the money."""

import argparse
import os

from bj_server.options.checked import between, checked
from bj_server.settings import add_bank

__all__ = ["add_place"]


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("where")
    group.add_argument(
        "--host",
        default=os.environ.get("BJ_HOST", "127.0.0.1"),
        help="address to listen on (default: %(default)s, this machine only)",
    )
    group.add_argument(
        "--port",
        type=checked(_port, "a port is a whole number from 0 to 65535"),
        default=os.environ.get("BJ_PORT", "8765"),
        help="port to listen on; 0 for any free one (default: %(default)s)",
    )
    add_bank(group, "folder that keeps the money")


def _port(text: str) -> int:
    return between(int(text), 0, 65535)
