"""An evening at a real fleet: people play, something happens, and all is compared."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from support.fleet_auditor import FleetAuditor
from support.fleet_player import FleetPlayer
from support.fleet_servers import RealFleet, until

from .incident import Incident


class Evening:
    """A fleet, its players and its auditor."""

    def __init__(self, fleet: RealFleet, seed: int, players: int) -> None:
        """Have so many players, who choose by ``seed``."""
        self.fleet = fleet
        self.chance = random.Random(seed)
        self.auditor = FleetAuditor(fleet)
        self.players = [self._player(f"p{number}") for number in range(players)]
        self.incidents = Counter[str]()

    def _player(self, handle: str) -> FleetPlayer:
        def uris() -> list[str]:
            return [server.uri for server in self.fleet]

        chance = random.Random(self.chance.random())
        tables = [None, None, *(f"{server.name}-two" for server in self.fleet)]
        return FleetPlayer(handle, uris, self.auditor.told, chance, tables)

    async def run(self, incident: Incident) -> None:
        """Play until much is under way, have something happen, go home and compare."""
        async with self.playing():
            await incident(self.fleet, self.chance)
        self.incidents[incident.__name__] += 1

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Have people play for as long as the block lasts, and compare all then."""
        before = sum(player.heard for player in self.players)
        wanted = before + self.chance.randint(20, 400)
        for player in self.players:
            player.goes_home.clear()
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(player.play())
            await until(
                lambda: sum(player.heard for player in self.players) > wanted, "play"
            )
            yield
            await self.fleet.mend()
            for player in self.players:
                player.goes_home.set()
        await self.auditor.rest()
        await self.auditor.check(self.players)

    def report(self) -> str:
        """Say what happened."""
        told = self.auditor
        return (
            f"{dict(self.incidents)}; {told.visits} visits, {told.bets_told} bets and "
            f"{told.payouts_told} payouts that were told: all are where they should be"
        )


async def run_evening(
    folder: Path, seed: int, incidents: list[Incident], players: int = 12
) -> str:
    """Have all incidents happen in some order; return what happened."""
    async with RealFleet(folder) as fleet:
        evening = Evening(fleet, seed, players)
        evening.chance.shuffle(incidents)
        for number, incident in enumerate(incidents, 1):
            try:
                await evening.run(incident)
            except BaseException as error:
                error.add_note(
                    f"at incident {number}, {incident.__name__}, seed {seed}"
                )
                raise
        await evening.auditor.audit_folders()
        return evening.report()
