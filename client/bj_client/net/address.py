"""The address of a server: typed text, read into a websocket address."""

import contextlib
import re
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Self
from urllib.parse import SplitResult, urlsplit

from bj_client.net.tls import SYSTEM, Trust

DEFAULT_PORT = 8765

_SCHEMES = {"ws": 80, "wss": 443}
_FORMS = "write host, host:port, [::1]:8765, ws://host or wss://host"
_host = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A server: the ``uri`` to open, and ``shown``, as people write it."""

    uri: str
    shown: str
    trust: Trust = SYSTEM
    """The trust in its certificate, if the line is encrypted."""

    @property
    def name(self) -> str:
        """The one name of the server, whichever way it was typed: ``host:port``.

        This machine is ``localhost``, by whatever address it is reached.

        >>> read_address("ws://127.0.0.1:8765/").name
        'localhost:8765'
        """
        parts = urlsplit(self.uri)
        path = "" if parts.path == "/" else parts.path
        query = f"?{parts.query}" if parts.query else ""
        return f"{_one_name(self.host)}:{self.port}{path}{query}"

    @property
    def host(self) -> str:
        """The name or the number of the machine."""
        return urlsplit(self.uri).hostname or ""

    @property
    def port(self) -> int:
        """The port, which is the scheme's own where none is named."""
        parts = urlsplit(self.uri)
        return parts.port or _SCHEMES[parts.scheme]

    @property
    def is_encrypted(self) -> bool:
        """Whether the line is, as ``wss://`` says."""
        return urlsplit(self.uri).scheme == "wss"

    @property
    def is_overheard(self) -> bool:
        """Whether the line leaves this machine in the clear."""
        return not self.is_encrypted and _one_name(self.host) != "localhost"

    @property
    def encrypted(self) -> str:
        """The same place over ``wss://``.

        >>> read_address("ws://example.org").encrypted
        'wss://example.org:80'
        """
        parts = urlsplit(self.uri)
        place = f"{_bracketed(parts)}:{self.port}"
        return parts._replace(scheme="wss", netloc=place).geturl()

    def trusting(self, trust: Trust) -> Self:
        """Return the same server over ``wss://``, told by ``trust``."""
        return replace(self, uri=self.encrypted, trust=trust)


def read_address(text: str) -> Address:
    """Read ``host``, ``host:port``, ``[::1]:8765``, ``ws://...`` or ``wss://...``.

    Without a scheme the port is 8765 unless one is named; with a scheme, the
    scheme's own.

    Raises:
        ValueError: with a sentence that says what is wrong.

    >>> read_address("localhost").uri
    'ws://localhost:8765'
    >>> read_address("[::1]:9000").uri
    'ws://[::1]:9000'
    """
    text = text.strip()
    if not text:
        raise ValueError(f"The server's address is empty: {_FORMS}.")
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(
            f"The server's address has characters that no address has: {_FORMS}."
        )
    if "://" in text:
        return _from_uri(text)
    if isinstance(_number(text), IPv6Address):
        text = f"[{text}]"
    parts = _split(f"ws://{text}")
    if parts.path or parts.query or parts.fragment or "@" in text:
        raise ValueError(f"{text} is not a server's address: {_FORMS}.")
    shown = f"{_bracketed(parts)}:{_port(parts) or DEFAULT_PORT}"
    return Address(uri=f"ws://{shown}", shown=shown)


def _from_uri(text: str) -> Address:
    parts = _split(text)
    if parts.scheme not in _SCHEMES:
        raise ValueError(
            f"{parts.scheme}:// is not how a blackjack server is reached: {_FORMS}."
        )
    if parts.fragment or "@" in parts.netloc:
        raise ValueError(f"{text} is not a server's address: {_FORMS}.")
    _bracketed(parts)
    _port(parts)
    return Address(uri=text, shown=text)


def _split(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError:
        raise ValueError(f"The server's address cannot be read: {_FORMS}.") from None


def _bracketed(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if isinstance(_number(host), IPv6Address):
        return f"[{host}]"
    if not _host.fullmatch(host) or ".." in host or len(host) > 253:
        raise ValueError(f"The server's address has no host that can be: {_FORMS}.")
    return host


def _port(parts: SplitResult) -> int | None:
    port: int | None = 0
    with contextlib.suppress(ValueError):
        port = parts.port
    if port == 0 or parts.netloc.endswith(":"):
        raise ValueError("The server's port is not a number from 1 to 65535.")
    return port


def _one_name(host: str) -> str:
    host = host.rstrip(".")
    address = _number(host)
    if address is not None and address.is_loopback:
        return "localhost"
    return f"[{address}]" if isinstance(address, IPv6Address) else host


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
