"""Players behind a proxy count by the addresses of their own, if it is trusted."""

from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from bj_server.net.address import Proxies
from bj_server.net.limits import Limits
from support.serving import join, read, serving

LOOPBACK = Proxies((ip_network("127.0.0.0/8"),))
TRUSTING = Limits(proxies=LOOPBACK, max_per_address=2, new_handles=1)
WARY = Limits(max_per_address=2, new_handles=1)


async def come(uri: str, handle: str, client: str | None) -> ClientConnection:
    headers = {} if client is None else {"X-Forwarded-For": client}
    return await join(uri, handle, additional_headers=headers)


async def test_14_1_behind_a_trusted_proxy_limits_and_log_are_by_the_client(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with serving(tmp_path / "bank", limits=TRUSTING) as uri:
        first = await come(uri, "ned21", "192.0.2.7")
        assert (await read(first))["type"] == "snapshot"
        second = await come(uri, "eve", "192.0.2.7")
        assert (await read(second))["code"] == "too_many_handles"
        await second.wait_closed()
        third = await come(uri, "lia9", "192.0.2.8")
        assert (await read(third))["type"] == "snapshot"
        idle = await come(uri, "ned21", "192.0.2.7")
        await read(idle)
        held = await connect(
            uri, additional_headers={"X-Forwarded-For": "192.0.2.7, 127.0.0.1"}
        )
        with pytest.raises(InvalidStatus) as caught:
            await come(uri, "../x", "6.6.6.6, 192.0.2.7")
        assert caught.value.response.status_code == 429
        for line in (third, idle, held):
            await line.close()
    said = [(r.getMessage(), r.__dict__.get("address")) for r in caplog.records]
    assert ("joins", "192.0.2.7") in said
    assert ("joins", "192.0.2.8") in said
    assert ("hello refused", "192.0.2.7") in said
    assert ("turns connections away", "192.0.2.7") in said


async def test_14_1_a_proxy_that_says_nothing_counts_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with serving(tmp_path / "bank", limits=TRUSTING) as uri:
        for handle in ("ned21", "lia9"):
            line = await come(uri, handle, None)
            assert (await read(line))["type"] == "snapshot"
            await line.close()
        with pytest.raises(InvalidStatus) as caught:
            await join(
                uri,
                additional_headers={"X-Forwarded-For": "a", "Forwarded": "for=6.6.6.6"},
            )
        assert caught.value.response.status_code == 400
    assert {r.__dict__.get("address") for r in caplog.records} >= {"127.0.0.1"}


async def test_14_1_whom_nobody_trusts_is_not_believed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with serving(tmp_path / "bank", limits=WARY) as uri:
        for number in range(3):
            line = await come(uri, f"ned{number}", "192.0.2.7")
            assert (await read(line))["type"] == "snapshot"
            await line.close()
    assert not any(r.__dict__.get("address") == "192.0.2.7" for r in caplog.records)
