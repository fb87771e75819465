"""An auditor of a whole fleet: holds SQL, all journals and the players together."""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from bj_server.bank.books import Books
from bj_server.bank.move import VAULT
from bj_server.bank.visit import Arrival, read_stays
from support.fleet import query
from support.fleet_player import FleetPlayer, Told
from support.fleet_servers import FleetServer, RealFleet
from support.nursery import PATIENCE, run_quickly
from whole.witness import Witness

if TYPE_CHECKING:
    from pathlib import Path

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


_ALL = 2**62
"""A line after the last one of any journal."""


class FleetAuditor:
    """Knows what was told at each server, and compares it once all is at rest."""

    def __init__(self, fleet: RealFleet) -> None:
        """Begin with a fleet in which nothing has happened."""
        self.fleet = fleet
        self.visits = 0
        """The visits that were compared last."""
        self._told: dict[str, Told] = defaultdict(Told)
        self._witnesses = {server.name: Witness(server.folder) for server in fleet}
        self._before: dict[str, list[Path]] = defaultdict(list)
        """The folders that were served under a name, and are so no more."""

    def told(self, uri: str) -> Told:
        """Return what is told at an address."""
        return self._told[uri]

    @property
    def bets_told(self) -> int:
        return sum(witness.bets_told for witness in self._witnesses.values())

    @property
    def payouts_told(self) -> int:
        return sum(witness.payouts_told for witness in self._witnesses.values())

    def follow(self, twin: FleetServer, told: Told) -> None:
        """Have a copy be the server of its name, which has at least what was told."""
        name = twin.name
        self._before[name].append(self.fleet.servers[name].folder)
        self.fleet.servers[name] = twin
        self._witnesses[name] = Witness(twin.folder)
        self._told[twin.uri].bets |= told.bets
        self._told[twin.uri].payouts |= told.payouts

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
            is_same = books.ledger.balance(VAULT) == -vault
            assert is_same or self._before[server.name], server.name
            assert not books.visits, server.name
            self._compare_halves(server, mine)
            self.check_log(server)
        folders = {server.uri: server.folder for server in self.fleet}
        for player in players:
            # Visits that were entered again have lost their order in SQL.
            after = read_stays(folders[player.left_at], 0, _ALL).after
            cents = [stay.cents for stay in after if stay.handle == player.handle]
            assert player.balance == cents[-1], (player.handle, player.balance, cents)

    async def audit_folders(self) -> None:
        """Have every round played again, and the fleet audited by its own command."""
        for server in self.fleet:
            await self._run("--bank", str(server.folder), "audit")
        if not self._before:
            folders = [str(server.folder) for server in self.fleet]
            url = ("--fleet", str(next(iter(self.fleet)).url_file))
            await self._run("fleet", "audit", *url, *folders)

    async def _run(self, *words: str) -> None:
        command = [sys.executable, "-m", "bj_server.bank_cli", *words]
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
        witness, told = self._witnesses[server.name], self._told[server.uri]
        witness.bets, witness.payouts = told.bets, told.payouts
        return witness.compare()

    def _compare_halves(self, server: FleetServer, rows: Iterable[Any]) -> None:
        """See that SQL and the journal have the same visits, with the same cents.

        Where a copy has followed, one of the two folders has what SQL has.
        """
        came, went = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
        for folder in (server.folder, *self._before[server.name]):
            for stay in read_stays(folder, 0, _ALL).after:
                half = came if isinstance(stay, Arrival) else went
                half[stay.id].add(stay.cents)
        visits = {row.id: row for row in rows}
        assert came.keys() == went.keys() == visits.keys(), server.name
        for row in rows:
            halves = came[row.id], went[row.id]
            assert row.cents_in in halves[0], (server.name, row, halves)
            assert row.cents_out in halves[1], (server.name, row, halves)
            assert len(halves[1]) == 1 or self._before[server.name], row
