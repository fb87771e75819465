"""The address: the source of a connection, as it is shown and as it counts.

Behind a proxy the socket has the proxy's address. Only the proxies that the host has
named are believed when they name a client.
"""

import re
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from websockets.datastructures import Headers

THIS_MACHINE = "this machine"
"""The place of all connections that do not come over a network."""

_Ip = IPv4Address | IPv6Address
_Network = IPv4Network | IPv6Network

_PAIR = re.compile(r'(?<![\w-])([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^";,\s]*))')
"""A name of RFC 7239 and what it stands for; text in quotes is nothing but text.

A name is tried from its first letter alone, or a long one would be tried from each.
"""
_PORT = re.compile(r"(\[.*\]|[^:\[\]]*):\w+")
_MOST_HOPS = 64
"""Proxies one behind the other; a client may have made up a list of any length."""


@dataclass(frozen=True, slots=True)
class Address:
    """The source of a connection."""

    shown: str
    """As people write it."""
    place: str
    """The address as it counts: one of IPv6 counts by its first 64 bits."""


NOWHERE = Address("nowhere", "nowhere")
"""The address of a connection that had gone before it was looked at."""


class ContradictionError(ValueError):
    """A proxy names two clients for one connection."""


def plain_ip(text: str) -> _Ip:
    """Read an address; one of IPv4 that is written as IPv6 is that of IPv4.

    >>> plain_ip("::ffff:192.0.2.7")
    IPv4Address('192.0.2.7')
    """
    return _plain(ip_address(text.partition("%")[0]))


def _plain(ip: _Ip) -> _Ip:
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return mapped or ip


def address_of(peer: Any, own: Any) -> Address:
    """Return the address of a connection, from those of its two ends.

    They are as sockets tell them, and None if the other end has gone already.

    >>> address_of(("192.0.2.7", 4711), ("198.51.100.1", 8765)).place
    '192.0.2.7'
    >>> address_of(("2001:db8::7:1", 4711, 0, 0), ("2001:db8::1", 8765, 0, 0)).place
    '2001:db8::/64'
    >>> address_of(("127.0.0.1", 4711), ("127.0.0.1", 8765)).place
    'this machine'
    """
    if not peer:
        return NOWHERE
    is_own = bool(own) and peer[0] == own[0]
    return address_of_ip(plain_ip(peer[0]), is_own=is_own)


def address_of_ip(ip: _Ip, *, is_own: bool = False) -> Address:
    """Return the address of a client, which may be one of this machine's own."""
    ip = _plain(ip)
    if ip.is_loopback or is_own:
        return Address(str(ip), THIS_MACHINE)
    if isinstance(ip, IPv6Address):
        return Address(str(ip), str(ip_network((ip, 64), strict=False)))
    return Address(str(ip), str(ip))


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies that are believed."""

    networks: tuple[_Network, ...] = ()

    def __contains__(self, address: Address) -> bool:
        return address is not NOWHERE and self._are(plain_ip(address.shown))

    def client(self, headers: "Headers") -> Address | None:
        """Return the client for which one of these proxies asks.

        That is the last in the list that is no such proxy itself: a client may have
        made up all before it. None if the proxy names nobody.

        Raises:
            ContradictionError: if the two headers name different ones, since a proxy
                may write the one and pass on whatever the client wrote in the other.
        """
        old = ",".join(headers.get_all("X-Forwarded-For"))
        new = ",".join(headers.get_all("Forwarded"))
        found = [
            self._last(names)
            for text, names in ((old, old.split(",")), (new, _names(new)))
            if text
        ]
        if len(set(found)) > 1:
            raise ContradictionError
        return found[0] if found else None

    def _last(self, names: list[str]) -> Address | None:
        for name in reversed(names[-_MOST_HOPS:]):
            whole = _PORT.fullmatch(name.strip())
            bare = whole[1] if whole else name.strip()
            try:
                ip = plain_ip(bare.strip("[]"))
            except ValueError:
                return None
            if not self._are(ip):
                return address_of_ip(ip)
        return None

    def _are(self, ip: _Ip) -> bool:
        return any(ip in network for network in self.networks)


def _names(forwarded: str) -> list[str]:
    """Return the clients that a ``Forwarded`` names, in order.

    >>> _names('for=192.0.2.7;host="a,for=6.6.6.6", For="[2001:db8::1]:80"')
    ['192.0.2.7', '[2001:db8::1]:80']
    """
    found = _PAIR.findall(forwarded)
    return [quoted or bare for name, quoted, bare in found if name.lower() == "for"]
