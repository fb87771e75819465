"""The probe: does a server that we could not speak with encrypt, or not?

Asked only after a line has failed to open, to say why. It opens a line of its own,
shows nothing to anybody, and believes nothing that it hears.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator

from bj_client.address import Address

_SECONDS = 2.0
_REQUEST = b"GET / HTTP/1.1\r\nHost: blackjack\r\nConnection: close\r\n\r\n"

_Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def encrypts(address: Address) -> bool:
    """Tell whether what listens there speaks TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nothing is said over this line
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_SECONDS), _line(address, context):
            return True
    return False


async def speaks_plainly(address: Address) -> bool:
    """Tell whether what listens there answers HTTP in the clear."""
    with contextlib.suppress(OSError, TimeoutError, EOFError):
        async with asyncio.timeout(_SECONDS), _line(address) as (reader, writer):
            writer.write(_REQUEST)
            return await reader.readexactly(5) == b"HTTP/"
    return False


@contextlib.asynccontextmanager
async def _line(
    address: Address, context: ssl.SSLContext | None = None
) -> AsyncIterator[_Line]:
    host, port = address.host, address.port
    reader, writer = await asyncio.open_connection(host, port, ssl=context)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
