"""The admin port: where programs of this machine ask how the server is."""

import argparse
import os

from bj_server.options.checked import between, checked

__all__ = ["add_admin"]


def add_admin(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("watching over the server")
    group.add_argument(
        "--admin-port",
        type=checked(_port, "a port is a whole number from 0 to 65535"),
        default=os.environ.get("BJ_ADMIN_PORT") or None,
        metavar="PORT",
        help="answer GET /healthz and /metrics on this port of 127.0.0.1; 0 for any "
        "free one (default: no such port)",
    )


def _port(text: str) -> int:
    return between(int(text), 0, 65535)
