"""The opening of a line: the socket, TLS where it is wanted, and the handshake.

Owns the limits of an open socket, and the translation of all that can fail here into an
``Ending``. Nothing that is secret is said before the certificate has been looked at.
"""

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

from bj_client.address import Address
from bj_client.distrust import LacksEncryption, NeedsEncryption, Untrusted
from bj_client.ending import NotOurServer, ServerFull, Unreachable
from bj_client.probe import encrypts, speaks_plainly

OPEN_SECONDS = 5.0
"""How long the opening of the connection may take."""

_PING_SECONDS = 10.0
_PONG_SECONDS = 5.0
"""So a line that is dead but looks open is noticed within 15 seconds."""
_FAILURES = (OSError, TimeoutError, EOFError, WebSocketException, UnicodeError)
_GARBLED = (InvalidMessage, OSError, EOFError)
"""What comes of speaking in the clear with who does not, or the other way round."""
_NOBODY = (ConnectionRefusedError, TimeoutError, socket.gaierror)
_FULL = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS)
_MAX_SIZE = 2**20
_silent = logging.getLogger("bj_client.socket")
_silent.addHandler(logging.NullHandler())
_silent.propagate = False


async def open_line(address: Address) -> ClientConnection:
    """Connect to a server.

    Raises:
        Unreachable: if nothing answers there in time, or not as a websocket, or the
            server has no room.
        Untrusted: if the certificate is not the one to trust.
    """
    try:
        line = await _connect(address)
    except ssl.SSLCertVerificationError as error:
        raise address.trust.doubt(address.shown, error) from None
    except _FAILURES as error:
        raise await _unopened(address, error) from None
    try:
        end = line.transport.get_extra_info("ssl_object")
        address.trust.check(address.shown, end)
    except Untrusted:
        await line.close()
        raise
    return line


async def _connect(address: Address) -> ClientConnection:
    return await connect(
        address.uri,
        compression=None,
        max_size=_MAX_SIZE,
        open_timeout=OPEN_SECONDS,
        ping_interval=_PING_SECONDS,
        ping_timeout=_PONG_SECONDS,
        close_timeout=1,
        proxy=True if address.is_encrypted else None,
        ssl=address.trust.context() if address.is_encrypted else None,
        logger=_silent,
    )


async def _unopened(address: Address, error: Exception) -> Unreachable:
    """Find out why a line did not open; maybe one end encrypts, and the other not."""
    if isinstance(error, _GARBLED) and not isinstance(error, _NOBODY):
        if address.is_encrypted and await speaks_plainly(address):
            return LacksEncryption(address.shown)
        if not address.is_encrypted and await encrypts(address):
            return NeedsEncryption(address.shown, address.encrypted)
    if isinstance(error, InvalidStatus) and error.response.status_code in _FULL:
        is_by_address = error.response.status_code == HTTPStatus.TOO_MANY_REQUESTS
        return ServerFull(address.shown, is_by_address=is_by_address)
    if isinstance(error, InvalidHandshake):
        return NotOurServer(address.shown)
    return Unreachable(address.shown)
