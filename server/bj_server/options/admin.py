"""The admin port: where programs of this machine ask how the server is."""

import argparse

from bj_server.options.checked import between, checked


def add_admin(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("watching over the server")
    group.add_argument(
        "--admin-port",
        type=checked(_port, "a port is a whole number from 0 to 65535"),
        metavar="PORT",
        help="answer GET and HEAD of /healthz and /metrics on this port of 127.0.0.1; "
        "0 for any free one (default: no such port)",
    )
    group.add_argument(
        "--low-space",
        type=checked(_mebibytes, "space is a whole number of MiB, 0 for no warning"),
        default="512",
        metavar="MIB",
        help="warn in the log when the disk of the bank has less left than so many "
        "MiB; 0 for never (default: 512)",
    )


def _mebibytes(text: str) -> int:
    return between(int(text), 0, 2**40)


def _port(text: str) -> int:
    return between(int(text), 0, 65535)
