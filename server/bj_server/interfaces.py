"""The interfaces: the addresses of this machine that others can type."""

import fcntl
import socket
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

_SIOCGIFADDR = 0x8915
_IF_INET6 = Path("/proc/net/if_inet6")
_NAME_BYTES = 15


def addresses() -> list[str]:
    """Return them, those of IPv4 first; none where the system does not tell.

    Addresses that mean something on this machine or on one cable alone are left out.
    """
    found: list[IPv4Address | IPv6Address] = [*_of_ipv4(), *_of_ipv6()]
    return [str(ip) for ip in found if not (ip.is_loopback or ip.is_link_local)]


def _of_ipv4() -> Iterator[IPv4Address]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            question = struct.pack("256s", name.encode()[:_NAME_BYTES])
            try:
                answer = fcntl.ioctl(asking, _SIOCGIFADDR, question)
            except OSError:
                continue  # it has none
            yield IPv4Address(answer[20:24])


def _of_ipv6() -> Iterator[IPv6Address]:
    try:
        lines = _IF_INET6.read_text(encoding="ascii").splitlines()
    except OSError:
        return
    for line in lines:
        yield IPv6Address(bytes.fromhex(line.split()[0]))
