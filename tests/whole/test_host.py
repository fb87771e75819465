"""The host's words to a server that runs, by the real commands."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from bj_server.bank.handles import BANS_NAME
from support.nursery import run_quickly
from support.serving import join, read
from whole.host import Host


def order(bank: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_quickly(
        [sys.executable, "-m", "bj_server.host_cli", "--bank", str(bank), *words]
    )


async def play(uri: str, bank: Path) -> None:
    line = await join(uri, "eve")
    assert (await read(line))["type"] == "snapshot"
    said = await asyncio.to_thread(order, bank, "say", "Last round!")
    assert (said.returncode, said.stdout) == (0, "Said at main, high.\n")
    while "proclaimed" not in (text := str(await line.recv())):
        pass
    assert json.loads(text)["events"][-1]["text"] == "Last round!"
    banned = await asyncio.to_thread(order, bank, "ban", "Eve")
    assert banned.returncode == 0
    await line.wait_closed()
    assert line.close_code == 4005
    again = await join(uri, "eve")
    assert (await read(again))["code"] == "banned"
    await again.wait_closed()


def test_the_host_speaks_bans_and_is_told_why_not(tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    with Host(bank, "--table", "main", "--table", "high=vegas-strip") as host:
        asyncio.run(play(f"ws://{host.address}", bank))
        shown = order(bank, "tables").stdout.splitlines()
        assert [line.partition(":")[0] for line in shown] == ["main", "high"]
        refused = order(bank, "kick", "eve")
        assert (refused.returncode, refused.stdout) == (3, "")
        assert refused.stderr.startswith("bj-host: eve sits at no table")
    assert json.loads((bank / BANS_NAME).read_text()) == {"handles": ["eve"]}
    gone = order(bank, "tables")
    assert gone.returncode == 4
    assert "Traceback" not in gone.stderr
