"""Travellers: guests of a fleet, who come to any server, follow, and move on."""

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from bj_client.fair.witness import Witness
from bj_protocol.messages import Moved
from bj_protocol.refusal import CloseCode
from simulation.ear import read
from simulation.guest import Guest
from simulation.player import Character

if TYPE_CHECKING:
    from simulation.fleet.site import FleetSite
    from simulation.fleet.world import FleetWorld

_MOST_MOVES = 2
"""How often a client follows before it gives up."""


class Traveller(Guest):
    """One player or watcher, at one server after another."""

    def __init__(
        self,
        world: "FleetWorld",
        who: Character,
        chance: random.Random,
        witnesses: dict[tuple[str, str], Witness],
    ) -> None:
        self._world, self._witnesses = world, witnesses
        self.site = chance.choice(world.fleet)
        super().__init__(world, who, chance, self._witness_of(who))
        self._moves = 0
        self.follows = 0

    def _witness_of(self, who: Character) -> Witness:
        """Return the check at one keyboard of all that one server says."""
        place = who.address, self.site.name
        if place not in self._witnesses:
            now = lambda: self._world.agenda.now
            self._witnesses[place] = Witness(self.site.name, now=now)
        return self._witnesses[place]

    def _go_to(self, site: "FleetSite", table: str) -> None:
        if (site, table) != (self.site, self.who.table):
            self.site, self.who = site, replace(self.who, table=table)
            self._witness = self._witness_of(self.who)
            self.forget()

    def _wander(self) -> None:
        """Go on to any server, for any table."""
        tables = self._world.plan.tables
        table = self._chance.choice(tables).name
        self._go_to(self._chance.choice(self._world.fleet), table)

    def come(self) -> None:
        if self.line is None and self._chance.random() < 0.2:
            self._wander()
        super().come()

    def closed(self, code: int) -> None:
        super().closed(code)
        if code == CloseCode.LEFT:
            self._wander()

    def move(self) -> None:
        """Leave, or go away without a word, and come back elsewhere."""
        if self.line is None or self._chance.random() < 0.7:
            self.leave()
            return
        line, self.line = self.line, None
        line.hush()
        line.hang_up()
        self._part()
        self._wander()
        self._agenda.after(self._chance.choice((0.0, 0.1, 2, 20)), self.come)

    def hear(self, text: str) -> None:
        message = read(text)
        if isinstance(message, Moved):
            self._follow(message)
        else:
            super().hear(text)
            self._moves = 0 if self.player.is_joined else self._moves

    def _follow(self, moved: Moved) -> None:
        line, self.line = self.line, None
        assert line is not None
        line.hush()
        line.hang_up()
        self._part()
        self._moves += 1
        self.follows += 1
        self._go_to(self._world.at(moved.address), moved.table)
        wait = 0.05 if self._moves <= _MOST_MOVES else 5
        self._moves %= _MOST_MOVES + 1
        self._agenda.after(wait, super().come)
