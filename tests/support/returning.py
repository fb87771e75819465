"""Visits whose line is lost: a script for each connection, and no wait between."""

from typing import Any

from bj_client.net.reconnect import ReconnectPolicy
from support.fake_server import FakeServer, Script

AT_ONCE = ReconnectPolicy(seconds=600, chance=lambda: 0.0)
"""Comes back without a wait."""


def in_turn(*scripts: Script) -> Script:
    """Return a script that plays one of ``scripts`` on each connection."""
    left = iter(scripts)

    async def script(server: FakeServer) -> None:
        await next(left)(server)

    return script


def cut(server: Any) -> None:
    server.socket.transport.abort()
