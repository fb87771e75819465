"""The edges: what the rules of each table are worth, told once the tables are open.

What is not kept is computed beside, by a process of its own with what time others
leave; the server waits for none of it, and takes the process with it when it ends.
"""

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from dataclasses import dataclass, field

from bj_game.house import House, rules_of
from bj_server.settings import TablePlan


@dataclass(eq=False)
class EdgeTeller:
    """Says the edge of each table that is opened, in the order of opening."""

    say: Callable[[str], None]
    _opened: asyncio.Queue[TablePlan] = field(default_factory=asyncio.Queue)

    def note(self, plan: TablePlan) -> None:
        """Note that a table is opened."""
        self._opened.put_nowait(plan)

    async def run(self, serving: asyncio.Event) -> None:
        """Say the edges, from when the server serves on, until cancelled."""
        await serving.wait()
        while True:
            plan = await self._opened.get()
            edge = await _edge_of(plan)
            if edge is not None:
                self.say(f"Table {plan.name}: {edge}.")


async def _edge_of(plan: TablePlan) -> str | None:
    """Return who has the edge, in words; None if that cannot be computed."""
    # In a thread, since the figures are many, and nobody's line waits for them.
    kept = await asyncio.to_thread(_kept_edge_of, plan.house)
    if kept is not None:
        return kept
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bj_server.odds_cli.beside"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        start_new_session=True,  # Ctrl-C is for the server
    )
    try:
        rules = json.dumps(rules_of(plan.house)).encode()
        said, _ = await process.communicate(rules)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    text = said.decode("ascii", "replace").strip()
    return text or None


def _kept_edge_of(house: House) -> str | None:
    # Here, since the figures of all houses are more than a server needs to start.
    from bj_server.odds_cli.report import edge_sentence
    from bj_server.odds_cli.store import find

    sheet = find(house)
    return None if sheet is None else edge_sentence(sheet.edge)
