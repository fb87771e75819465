"""Listening: the sockets of the addresses on which a server is to be reached.

An event loop makes a socket of IPv6 one for IPv6 alone, and takes another free port for
each host. Here ``::`` is every address of both families, and all have one port.
"""

import errno
import socket
from collections.abc import Sequence
from contextlib import ExitStack

from bj_server.bank.disk import why

EVERYWHERE = ("::", "")
"""Hosts that are every address of both families."""

_LACKING = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}
"""The errors of a system that does not have IPv6, or IPv4."""

_BACKLOG = 100
_TRIES = 20
"""Free ports that are tried, if another program has the same one on another address."""

_End = tuple[socket.AddressFamily, str]

_EVERY_ONE: tuple[_End, ...] = (
    (socket.AF_INET6, "::"),
    (socket.AF_INET, "0.0.0.0"),  # noqa: S104 - where a host asks for it
)


def end_of(host: str, port: int) -> str:
    """Return an address with its port, as people write it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class ListenError(Exception):
    """An address cannot be listened on; the message says why and what to do."""

    def __init__(self, end: str, reason: str, option: str = "--host or --port") -> None:
        super().__init__(f"Cannot listen on {end}: {reason}. Choose another {option}.")


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Listen on all ``hosts`` at one ``port``, 0 for any that is free on all of them.

    A host that has addresses of both families is listened on by those that the system
    has, at least one. An address that another one covers is not listened on twice.
    """
    for _ in range(0 if port else _TRIES - 1):
        try:
            return _listen(hosts, port)
        except ListenError as failure:
            if getattr(failure.__cause__, "errno", None) != errno.EADDRINUSE:
                raise
    return _listen(hosts, port)


def _listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    found = {host: _ends(host, port) for host in dict.fromkeys(hosts)}
    wild = {end for ends in found.values() for end in ends if end in _EVERY_ONE}
    families = {family for family, _ in wild}
    opened: dict[_End, socket.socket] = {}
    with ExitStack() as undo:
        for host, ends in found.items():
            missing: OSError | None = None
            is_open = False
            for end in ends:
                if end in opened or (end[0] in families and end not in wild):
                    is_open = True
                    continue
                try:
                    one = undo.enter_context(_socket(end, port))
                except OSError as error:
                    if error.errno not in _LACKING:
                        raise ListenError(end_of(host, port), why(error)) from error
                    missing = error
                    continue
                opened[end], is_open = one, True
                port = one.getsockname()[1]
            if not is_open:
                reason = why(missing) if missing else "it has no address"
                raise ListenError(end_of(host, port), reason) from missing
        undo.pop_all()
    return list(opened.values())


def _ends(host: str, port: int) -> list[_End]:
    if host in EVERYWHERE:
        return list(_EVERY_ONE)
    try:
        found = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        raise ListenError(end_of(host, port), why(error)) from error
    return list(dict.fromkeys((family, str(end[0])) for family, *_, end in found))


def _socket(end: _End, port: int) -> socket.socket:
    return socket.create_server((end[1], port), family=end[0], backlog=_BACKLOG)
