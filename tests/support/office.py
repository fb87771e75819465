"""A host and what it orders, without the socket between them."""

import asyncio
from pathlib import Path

from bj_protocol.messages import Snapshot
from bj_server.bank.handles import Bans, Invites
from bj_server.floor import Floor
from bj_server.host import set_table
from bj_server.host_cli.command import read_options
from bj_server.host_cli.desk import Board, Desk
from bj_server.host_cli.order import Reply
from bj_server.net.app import App
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.outbox import Audience
from bj_server.settings import TablePlan
from bj_server.table.inbox import TimeUp
from support.rig import Rig


class Office:
    """A host, before a table that acts on what it is told at once."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig = rig
        self.folder = folder
        self.bans, self.invited = Bans(folder), Invites(folder)
        self.lobby = Lobby([HostedTable(rig.dealer, Audience())], self.bans)
        self.drained = 0
        self.app = App(self.lobby)
        self.floor = Floor(rig.settings, self.lobby, self.app, self.make, self.drain)
        self.board = Board(folder)
        self.desk = Desk(self.floor, self.bans, self.board, self.invited)

    def make(self, plan: TablePlan) -> HostedTable:
        table = set_table(self.rig.settings, plan, self.rig.bank, self.rig.clock)
        return HostedTable.of(table, plan.code)

    def drain(self) -> None:
        self.drained += 1

    async def order(self, *words: str) -> Reply:
        _, order = read_options(words)
        reply = asyncio.ensure_future(self.desk.obey(order))
        await asyncio.sleep(0)  # so that the table has it
        await self.catch_up()
        return await reply

    def notices(self, line: int) -> tuple[str, ...]:
        """Return what a newcomer was told beside the table."""
        first = self.rig.outlet.heard[line][0]
        assert isinstance(first, Snapshot)
        return first.notices

    async def catch_up(self) -> None:
        """Have the table carry out what waits in its inbox."""
        self.rig.dealer.submit(TimeUp())  # so that there is something to take
        self.rig.send(*await self.rig.dealer._inbox.take())
