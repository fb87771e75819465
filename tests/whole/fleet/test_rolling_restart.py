"""All servers are restarted one by one under play, as for an upgrade."""

import random
import signal
from pathlib import Path

import pytest

from support.fleet_servers import RealFleet

from .evening import Evening

# What is measured here would not be the servers, which are other processes.
pytestmark = pytest.mark.no_cover


async def _restart_each(fleet: RealFleet, chance: random.Random) -> None:
    for server in fleet:
        assert await server.end(signal.SIGTERM) == 0, server.log
        await server.start()


async def test_a_rolling_restart_under_play_loses_no_hand(tmp_path: Path) -> None:
    async with RealFleet(tmp_path) as fleet:
        evening = Evening(fleet, 3, players=6)
        await evening.run(_restart_each)
        for server in fleet:
            text = "".join(
                path.read_text() for path in server.folder.glob("journal-*.jsonl")
            )
            assert '"kind":"void"' not in text
            assert text.count('"kind":"fleet"') == 2
        print(evening.report())
