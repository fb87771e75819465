"""The opening of a line over TLS, and every way in which it is not trusted."""

import hashlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve

from bj_client.error import ClientError, Exit, UnreachableError, Unreached
from bj_client.net.address import Address, read_address
from bj_client.net.opening import open_line
from bj_client.net.tls import Doubt, Trust, UntrustedError
from support.certificates import Certificates, Pair

heard: list[str | bytes] = []


@asynccontextmanager
async def serving(pair: Pair | None) -> AsyncIterator[int]:
    """Serve a pair, or plain lines, and keep all that is said."""
    heard.clear()

    async def hear(line: ServerConnection) -> None:
        heard.extend([message async for message in line])

    context = None
    if pair is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pair.certificate, pair.key)
    async with serve(hear, "127.0.0.1", 0, ssl=context) as server:
        yield next(iter(server.sockets)).getsockname()[1]


async def speak(address: Address) -> None:
    """Open a line, and say something over it."""
    line = await open_line(address)
    await line.send("a key")
    await line.close()


async def ending_of(
    pair: Pair | None, text: str, trust: Trust | None = None
) -> ClientError:
    async with serving(pair) as port:
        address = read_address(f"{text}:{port}")
        with pytest.raises(ClientError) as ended:
            await speak(address if trust is None else address.trusting(trust))
    assert heard == []
    sentence = str(ended.value)
    assert sentence.endswith(".")
    assert address.shown in sentence
    return ended.value


def doubt(ending: ClientError) -> Doubt:
    assert isinstance(ending, UntrustedError)
    assert ending.exit is Exit.UNTRUSTED
    return Doubt(ending.args[1])


async def test_an_authority_a_certificate_or_a_fingerprint_is_trusted(
    certificates: Certificates,
) -> None:
    pair = certificates.here
    for trust in (
        Trust(authority=certificates.authority),
        Trust(authority=pair.certificate),
        Trust(pin=pair.fingerprint),
    ):
        async with serving(pair) as port:
            await speak(read_address(f"localhost:{port}").trusting(trust))
        assert heard == ["a key"]


async def test_a_pinned_certificate_may_be_of_another_name_or_time(
    certificates: Certificates,
) -> None:
    for pair in (certificates.elsewhere(), certificates.expired()):
        async with serving(pair) as port:
            address = read_address(f"127.0.0.1:{port}")
            await speak(address.trusting(Trust(pin=pair.fingerprint)))
        assert heard == ["a key"]


async def test_no_word_is_said_to_a_certificate_that_is_not_trusted(
    certificates: Certificates, tmp_path: Path
) -> None:
    here, named = certificates.here, Trust(authority=certificates.authority)
    ended = await ending_of(here, "wss://127.0.0.1")
    assert doubt(ended) is Doubt.UNKNOWN_SIGNER
    (tmp_path / "strangers").mkdir()
    stranger = Certificates(tmp_path / "strangers").here
    ended = await ending_of(stranger, "localhost", named)
    assert doubt(ended) is Doubt.OTHER_SIGNER
    other = Trust(pin=hashlib.sha256(b"").hexdigest())
    assert doubt(await ending_of(here, "localhost", other)) is Doubt.OTHER_FINGERPRINT
    expired = await ending_of(certificates.expired(), "localhost", named)
    assert doubt(expired) is Doubt.EXPIRED
    for host in ("localhost", "127.0.0.1"):
        wrong = await ending_of(certificates.elsewhere(), host, named)
        assert doubt(wrong) is Doubt.WRONG_NAME


async def test_a_certificate_that_is_not_valid_yet_is_told_apart(
    certificates: Certificates,
) -> None:
    named = Trust(authority=certificates.authority)
    early = await ending_of(certificates.early(), "localhost", named)
    assert doubt(early) is Doubt.EARLY


async def test_one_end_that_encrypts_and_one_that_does_not_are_told(
    certificates: Certificates,
) -> None:
    ended = await ending_of(certificates.here, "ws://localhost")
    assert isinstance(ended, UnreachableError)
    assert ended.why is Unreached.ENCRYPTS
    assert str(ended).endswith(f"write --server {ended.args[1]}.")
    assert ended.args[1].startswith("wss://localhost:")
    for text, trust in (
        ("wss://localhost", None),
        ("localhost", Trust(authority=certificates.authority)),
        ("localhost", Trust(pin="0" * 64)),
    ):
        ended = await ending_of(None, text, trust)
        assert isinstance(ended, UnreachableError)
        assert ended.why is Unreached.LACKS_ENCRYPTION
        assert ended.exit is Exit.UNREACHABLE


async def test_where_nobody_listens_encryption_is_not_blamed() -> None:
    for text in ("ws://127.0.0.1:1", "wss://127.0.0.1:1"):
        with pytest.raises(UnreachableError) as ended:
            await speak(read_address(text))
        assert ended.value.why is Unreached.NOBODY
