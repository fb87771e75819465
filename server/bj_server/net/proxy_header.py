"""The header of the PROXY protocol, version 2: a proxy says from where a client comes.

It comes before all else, also before TLS, and only from proxies that the host has named
for it: whoever else could write one would come from any address. It is read to its last
byte and no further, so that what follows is still in the socket.
"""

import asyncio
import socket
from ipaddress import ip_address

from bj_server.net.address import Address, address_of_ip

MOST_BYTES = 1024
"""The longest header after its first 16 bytes; addresses have 36, the rest is extra."""

_SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
_HEAD = len(_SIGNATURE) + 4
_LOCAL, _PROXY = 0x20, 0x21
_UNKNOWN = 0x00
_TCP = {0x11: 4, 0x21: 16}
"""The lengths of an address by its family, for TCP over IPv4 and over IPv6."""


class ProxyHeaderError(ValueError):
    """What a proxy sent is no header; the message is a clause for the log."""


async def read_client(end: socket.socket) -> Address | None:
    """Return the address of the client that a proxy names on a new connection.

    None if it comes on its own behalf, as for a check of health.

    Raises:
        ProxyHeaderError: if it sends something else.
        OSError: if the connection is gone.
    """
    head = await _read(end, _HEAD)
    size = int.from_bytes(head[-2:], "big")
    if not head.startswith(_SIGNATURE):
        raise ProxyHeaderError("it does not begin with a header of version 2")
    if size > MOST_BYTES:
        raise ProxyHeaderError(f"its header has over {MOST_BYTES} bytes")
    return _client(head[-4], head[-3], await _read(end, size))


def _client(command: int, family: int, rest: bytes) -> Address | None:
    if command == _LOCAL or (command == _PROXY and family == _UNKNOWN):
        return None
    size = _TCP.get(family)
    if command != _PROXY or size is None or len(rest) < 2 * size + 4:
        raise ProxyHeaderError("its header is of no connection over TCP")
    return address_of_ip(ip_address(rest[:size]))


async def _read(end: socket.socket, size: int) -> bytes:
    """Read exactly so many bytes."""
    loop, found = asyncio.get_running_loop(), b""
    while len(found) < size:
        more = await loop.sock_recv(end, size - len(found))
        if not more:
            raise ProxyHeaderError("it has hung up before its header was whole")
        found += more
    return found
