"""Ten thousand tries at a code, or at a new handle, and those who play meanwhile."""

import asyncio
import json
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from bj_server.net.limits import Limits, Throttle, for_this_machine
from whole import stranger
from whole.guest import Guest
from whole.host import Host
from whole.play import Regular, percentile

TRIES = 10_000
_CALM_SECONDS = 5.0
TABLES = '[main]\n[yard]\n[club]\ncode = "open sesame"\n'
GOT_THROUGH = {"code": "wrong_code", "handle": "snapshot"}
REFUSED = {"code": "too_many_tries", "handle": "too_many_handles"}


@pytest.mark.parametrize("kind", ["code", "handle"])
def test_14_1_tries_of_an_hour_get_through_at_the_documented_rate(kind: str) -> None:
    limits = Limits()
    per_hour = limits.wrong_tries if kind == "code" else limits.new_handles
    throttle, through = Throttle(lambda: per_hour), 0
    for n in range(TRIES):
        now = 3600 * n / TRIES
        if not throttle.wait("192.0.2.7", now):
            throttle.spend("192.0.2.7", now)
            through += 1
    assert through == per_hour + per_hour - 1  # at once, and as they come back


async def _attack(uri: str, kind: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, stranger.__file__, uri, kind, str(TRIES)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    found: dict[str, Any] = json.loads(out)
    return found


async def _play(
    uri: str, during: Awaitable[dict[str, Any]]
) -> tuple[dict[str, Any], int, float]:
    """Play meanwhile; return what came of it, the rounds, and the p95 of answers."""
    regulars = [Regular(await Guest.sit(uri, name)) for name in ("ned21", "lia9")]
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for regular in regulars:
            group.create_task(regular.play(stop))
        found = await during
        stop.set()
    for regular in regulars:
        assert regular.rounds == regular.bets > 0, "a round was lost"
        await regular.guest.line.close()
    seconds = [s for regular in regulars for s in regular.seconds]
    return found, regulars[0].rounds, percentile(seconds, 0.95)


async def _calm() -> dict[str, Any]:
    await asyncio.sleep(_CALM_SECONDS)
    return {}


async def _compare(uri: str, kind: str) -> tuple[dict[str, Any], str]:
    """Play in calm, then under attack; return what the attacker was told, and both."""
    _, rounds, calm = await _play(uri, _calm())
    found, more, p95 = await _play(uri, _attack(uri, kind))
    first = f"{rounds} rounds of two in calm, p95 {calm:.1f} ms"
    return found, f"{first}; {more} under attack, p95 {p95:.1f} ms"


@pytest.mark.torture
@pytest.mark.parametrize("kind", ["code", "handle"])
def test_14_1_ten_thousand_tries_get_through_at_the_documented_rate(
    tmp_path: Path, kind: str
) -> None:
    tables = tmp_path / "tables.toml"
    tables.write_text(TABLES)
    with Host(tmp_path / "bank", "--tables", str(tables)) as host:
        found, figures = asyncio.run(_compare(f"ws://{host.address}", kind))
    said, seconds = found["said"], found["seconds"]
    limits = Limits()
    usual = limits.wrong_tries if kind == "code" else limits.new_handles
    per_hour = for_this_machine(usual)
    most = per_hour + per_hour * seconds / 3600 + 1
    through = said.get(GOT_THROUGH[kind], 0)
    print(f"{TRIES} tries at a {kind} in {seconds:.0f} s: {said}; {figures}")
    assert through <= most
    assert said[REFUSED[kind]] >= TRIES - most - said.get("table_full", 0)
