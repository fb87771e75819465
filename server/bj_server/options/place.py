"""Where: the address to listen on, and the folder that keeps the money."""

import argparse

from bj_server.net.address import plain_ip
from bj_server.options.checked import between, checked
from bj_server.settings import add_bank


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("where")
    group.add_argument(
        "--host",
        action="append",
        type=checked(_host, "an address is like 192.168.1.20, ::1 or a name"),
        help="address to listen on; may be repeated, and :: is every address of IPv4 "
        "and IPv6 (default: 127.0.0.1, this machine only)",
    )
    group.add_argument(
        "--port",
        type=checked(_port, "a port is a whole number from 0 to 65535"),
        default="8765",
        help="port to listen on; 0 for any free one (default: %(default)s)",
    )
    add_bank(group, "folder that keeps the money")


def read_hosts(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the addresses that were given, or the default."""
    usual = "127.0.0.1"
    return tuple(dict.fromkeys(options.host or [usual]))


def _host(text: str) -> str:
    """Read an address or a name; an IPv4 address as IPv6 is what it is."""
    bare = text.strip().removeprefix("[").removesuffix("]")
    try:
        return str(plain_ip(bare)) if "%" not in bare else bare
    except ValueError:
        if ":" in bare or not bare.isprintable() or " " in bare:
            raise
        return bare


def _port(text: str) -> int:
    return between(int(text), 0, 65535)
