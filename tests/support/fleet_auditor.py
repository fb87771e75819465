"""An auditor of a whole fleet: holds SQL, all journals and the players together."""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from bj_server.bank.books import Books
from bj_server.bank.move import VAULT
from bj_server.bank.visit import Arrival, read_stays
from support.fleet import query
from support.fleet_player import FleetPlayer, Told
from support.fleet_servers import FleetServer, RealFleet
from support.nursery import PATIENCE, run_quickly
from whole.witness import Witness

_UNEVEN = """
SELECT p.handle FROM players p WHERE p.cents
  - coalesce((SELECT sum(g.cents) FROM gifts g WHERE g.handle = p.handle), 0)
  + coalesce((SELECT sum(v.cents_in - coalesce(v.cents_out, 0)) FROM visits v
              WHERE v.handle = p.handle), 0) <> 0
"""
_TWICE = """
SELECT handle FROM visits WHERE cents_out IS NULL AND stranded IS NULL
GROUP BY handle HAVING count(*) > 1
"""


class FleetAuditor:
    """Knows what was told at each server, and compares it once all is at rest."""

    def __init__(self, fleet: RealFleet) -> None:
        """Begin with a fleet in which nothing has happened."""
        self.fleet = fleet
        self.visits = 0
        """The visits that were compared last."""
        self._told: dict[str, Told] = defaultdict(Told)
        self._witnesses = {server.name: Witness(server.folder) for server in fleet}

    def told(self, uri: str) -> Told:
        """Return what is told at an address."""
        return self._told[next(each.name for each in self.fleet if each.uri == uri)]

    @property
    def bets_told(self) -> int:
        return sum(witness.bets_told for witness in self._witnesses.values())

    @property
    def payouts_told(self) -> int:
        return sum(witness.payouts_told for witness in self._witnesses.values())

    async def ask(self, text: str) -> list[Any]:
        """Ask PostgreSQL itself, not by a wire."""
        return await query(self.fleet.postgres.url, text)

    async def rest(self) -> None:
        """Return once every visit is paid out, as it is when nobody plays."""
        open_visits = "SELECT * FROM visits WHERE cents_out IS NULL"
        try:
            async with asyncio.timeout(PATIENCE):
                while left := await self.ask(open_visits):  # noqa: ASYNC110 - by others
                    await asyncio.sleep(0.02)
        except TimeoutError:
            logs = "\n".join(server.log for server in self.fleet)
            raise AssertionError(f"visits stay open: {left}\n{logs}") from None

    async def check(self, players: Iterable[FleetPlayer] = ()) -> None:
        """Compare everything; all must be at rest."""
        await self.check_sums()
        rows = await self.ask("SELECT * FROM visits ORDER BY opened, id")
        self.visits = len(rows)
        for server in self.fleet:
            books = self._read(server)
            mine = [row for row in rows if row.server == server.name]
            vault = sum(int(row.cents_in - row.cents_out) for row in mine)
            assert books.ledger.balance(VAULT) == -vault, server.name
            assert not books.visits, server.name
            self._compare_halves(server, mine)
            self.check_log(server)
        # Who was stranded may have left an earlier visit last, so look at that server.
        last = {(row.handle, row.server): int(row.cents_out) for row in rows}
        names = {server.uri: server.name for server in self.fleet}
        for player in players:
            where = names[player.left_at]
            assert player.balance == last[player.handle, where], player.handle

    async def audit_folders(self) -> None:
        """Have ``bj-bank audit`` play every round of each folder again."""
        for server in self.fleet:
            command = [sys.executable, "-m", "bj_server.bank_cli"]
            command += ["--bank", str(server.folder), "audit"]
            found = await asyncio.to_thread(run_quickly, command, timeout=600)
            assert found.returncode == 0, found.stdout + found.stderr

    async def check_sums(self) -> None:
        """See that no cent is lost or made in SQL, and that nobody sits twice."""
        (total,) = await self.ask("SELECT sum(cents) AS cents FROM accounts")
        assert not total.cents, total
        assert await self.ask(_UNEVEN) == []
        assert await self.ask(_TWICE) == []

    def check_log(self, server: FleetServer) -> None:
        """See that a server has found no fault of ours."""
        assert "Traceback" not in server.log, server.log
        assert "fault of ours" not in server.log, server.log

    def _read(self, server: FleetServer) -> Books:
        """Find all that was told in a journal, and return its books."""
        witness, told = self._witnesses[server.name], self._told[server.name]
        witness.bets, witness.payouts = told.bets, told.payouts
        return witness.compare()

    def _compare_halves(self, server: FleetServer, rows: Iterable[Any]) -> None:
        after = read_stays(server.folder, 0, self._witnesses[server.name].lines).after
        stays = [stay for _, stay in after]
        came = {stay.id: stay.cents for stay in stays if isinstance(stay, Arrival)}
        went = {stay.id: stay.cents for stay in stays if not isinstance(stay, Arrival)}
        assert came == {row.id: int(row.cents_in) for row in rows}, server.name
        assert went == {row.id: int(row.cents_out) for row in rows}, server.name
