"""What strangers may take of the server, before it turns them away."""

import argparse
import os
import re
from functools import partial

from bj_server.net.limits import Limits
from bj_server.options.checked import between, checked

__all__ = ["add_limits", "read_limits"]

_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")

_MOST = 60_000
_PER_ADDRESS = (
    f"connections from one address; {Limits().max_local} from this machine, if that "
    "is more"
)
_RATE = (
    "refusals and other messages that bring nothing, a minute for each connection and "
    "handle; 0 for any number"
)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    usual = Limits()
    group = parser.add_argument_group("what strangers may do")
    for name, default, least, what in (
        ("connections", usual.max_connections, 1, "connections in all"),
        ("per-address", usual.max_per_address, 1, _PER_ADDRESS),
        ("rate", usual.rate, 0, _RATE),
    ):
        variable = f"BJ_MAX_{name.upper().replace('-', '_')}"
        rule = f"this is a whole number from {least} to {_MOST}"
        group.add_argument(
            f"--max-{name}",
            type=checked(partial(_number, least), rule),
            default=os.environ.get(variable, default),
            metavar="N",
            help=f"{what} (default: {default})",
        )
    group.add_argument(
        "--allow-origin",
        action="append",
        type=checked(_origin, "an origin is like https://cards.example:8443"),
        metavar="URL",
        help="let the web pages of this origin join; may be repeated (default: none)",
    )


def read_limits(options: argparse.Namespace) -> Limits:
    """Return the limits that parsed ``options`` ask for."""
    return Limits(
        max_connections=options.max_connections,
        max_per_address=options.max_per_address,
        rate=options.max_rate,
        allowed_origins=tuple(dict.fromkeys(options.allow_origin or ())),
    )


def _number(least: int, text: str) -> int:
    return between(int(text), least, _MOST)


def _origin(text: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError
    return text
