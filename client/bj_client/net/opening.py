"""The opening of a line: the socket, TLS where it is wanted, and the handshake.

Owns the limits of an open socket, and turns every failure here into a
``ClientError``. Nothing secret is said before the certificate has been looked at.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
from http import HTTPStatus

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    WebSocketException,
)

from bj_client.error import UnreachableError, Unreached
from bj_client.net.address import Address
from bj_client.net.tls import Trust, UntrustedError, tls_context

_SECONDS = 2.0
_NO_MATTER_WHO = Trust(pin="")  # for a line over which nothing is said
_REQUEST = b"GET / HTTP/1.1\r\nHost: blackjack\r\nConnection: close\r\n\r\n"


async def speaks(address: Address, *, encrypts: bool) -> bool:
    """Tell whether the listener there speaks TLS, or HTTP in the clear."""
    context = tls_context(_NO_MATTER_WHO) if encrypts else None
    with contextlib.suppress(OSError, TimeoutError, EOFError):
        async with asyncio.timeout(_SECONDS):
            host, port = address.host, address.port
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
            try:
                if encrypts:
                    return True
                writer.write(_REQUEST)
                return await reader.readexactly(5) == b"HTTP/"
            finally:
                writer.transport.abort()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    return False


OPEN_SECONDS = 5.0

_PING_SECONDS = 10.0
_PONG_SECONDS = 5.0
"""So a line that is dead but looks open is noticed within 15 seconds."""
_FAILURES = (OSError, TimeoutError, EOFError, WebSocketException, UnicodeError)
_GARBLED = (InvalidMessage, OSError, EOFError)
"""The errors when one end encrypts, and the other does not."""
_NOBODY = (ConnectionRefusedError, TimeoutError, socket.gaierror)
_FULL: dict[int, Unreached] = {
    HTTPStatus.SERVICE_UNAVAILABLE: Unreached.FULL,
    HTTPStatus.TOO_MANY_REQUESTS: Unreached.FULL_FOR_ADDRESS,
}
_MAX_SIZE = 2**20
_silent = logging.getLogger("bj_client.socket")
_silent.addHandler(logging.NullHandler())
_silent.propagate = False


async def open_line(address: Address) -> ClientConnection:
    """Connect to a server.

    Raises:
        UnreachableError: if nothing answers there in time, or not as a websocket, or
            the server has no room.
        UntrustedError: if the certificate is not the one to trust.
    """
    try:
        line = await connect(
            address.uri,
            compression=None,
            max_size=_MAX_SIZE,
            open_timeout=OPEN_SECONDS,
            ping_interval=_PING_SECONDS,
            ping_timeout=_PONG_SECONDS,
            close_timeout=1,
            proxy=True if address.is_encrypted else None,
            ssl=tls_context(address.trust) if address.is_encrypted else None,
            logger=_silent,
        )
    except ssl.SSLCertVerificationError as error:
        raise address.trust.doubt(address.shown, error) from None
    except _FAILURES as error:
        raise await _unopened(address, error) from None
    try:
        end = line.transport.get_extra_info("ssl_object")
        address.trust.check(address.shown, end)
    except UntrustedError:
        await line.close()
        raise
    return line


async def _unopened(address: Address, error: Exception) -> UnreachableError:
    """Find out why a line did not open; perhaps one end encrypts, and the other not."""
    is_ours = not isinstance(error, InvalidHandshake)
    why = Unreached.NOBODY if is_ours else Unreached.NOT_OURS
    if isinstance(error, TimeoutError):
        why = Unreached.MUTE
    if isinstance(error, InvalidStatus):
        why = _FULL.get(error.response.status_code, why)
    is_garbled = isinstance(error, _GARBLED) and not isinstance(error, _NOBODY)
    if is_garbled and await speaks(address, encrypts=not address.is_encrypted):
        lacks, needs = Unreached.LACKS_ENCRYPTION, Unreached.ENCRYPTS
        why = lacks if address.is_encrypted else needs
    return UnreachableError(address.shown, why, address.encrypted)
