"""An evening of honest people at a table on a bench."""

import asyncio
import random
from dataclasses import replace

from bj_protocol import commands
from bj_protocol.commands import Leave, Resync
from bj_server.table.calling import Calling
from bj_server.table.inbox import FromLine, Give, Reshuffle
from bj_server.table.playing import Playing
from support.company import Company
from support.gambler import any_answer, legal_answer

NAMES = ("ned21", "lia9", "ibad", "tess", "kim")


class Done(asyncio.Future[bool]):
    """An order for which nobody waits, outside of any loop."""

    def __init__(self) -> None:
        loop = asyncio.new_event_loop()
        loop.close()
        super().__init__(loop=loop)


class Evening:
    """Anything that honest people and servers do, by chance."""

    def __init__(self, rig: Company, chance: random.Random) -> None:
        self._rig, self._chance = rig, chance
        self._kills = self._voids = 0

    @property
    def rounds(self) -> int:
        return int(self._rig.table.context.round)

    def play(self, rounds: int, *, is_calm: bool = False) -> None:
        steps = 0
        while self.rounds < rounds:
            steps += 1
            assert steps < rounds * 500, "the table is stuck"
            self._step(is_calm=is_calm)

    def close(self) -> None:
        """Let everyone leave, at which the last seed is told; all watch to the end."""
        for name, line in list(self._rig.line.items()):
            if self._rig.table.context.seats.of_handle(name) is not None:
                self._rig.send(FromLine(line, Leave()))

    def _step(self, *, is_calm: bool) -> None:
        seats = self._rig.table.context.seats
        asked = [s for s in seats if s.ask and s.handle in self._rig.line]
        if asked and (is_calm or self._chance.random() < 0.85):
            seat = self._chance.choice(asked)
            assert seat.ask is not None
            self._rig.answer(seat.handle, legal_answer(self._chance, seat.ask))
            return
        if is_calm:
            self._chance.choice((self._come, self._rest, self._rest))()
            return
        acts = (self._come, self._wait, self._drop, self._leave, self._look)
        rare = (self._watch, self._kill, self._void, self._reshuffle, self._err)
        odds = (20, 15, 8, 3, 8, 1, 2, 1, 1, 8, 1, 2)
        host = (self._change_rules, self._give)
        self._chance.choices((*acts, *rare, *host), odds)[0]()

    def _come(self) -> None:
        self._rig.join(self._chance.choice(NAMES))

    def _wait(self) -> None:
        self._rig.wait(self._chance.choice((0.5, 5, 29, 30, 31, 61)))

    def _rest(self) -> None:
        """Let the bets be closed, as they are where everyone sits out."""
        self._rig.wait(31)

    def _drop(self) -> None:
        if (name := self._someone()) is not None:
            line = self._rig.line[name]
            self._rig.drop(name)
            self._rig.outlet.audience.discard(line)

    def _leave(self) -> None:
        if (name := self._someone()) is not None:
            self._rig.players[name].send(commands.Leave())
            self._rig.send(FromLine(self._rig.line[name], Leave()))

    def _look(self) -> None:
        if (name := self._someone()) is not None:
            seq = self._chance.choice((None, self._rig.table.context.seq - 2))
            self._rig.send(FromLine(self._rig.line[name], Resync(seq=seq)))

    def _err(self) -> None:
        if (name := self._someone()) is not None:
            last = self._rig.table.context.last_prompt
            self._rig.answer(name, any_answer(self._chance, last))

    def _watch(self) -> None:
        if len(self._rig.watchers) < 3:
            self._rig.watch()

    def _kill(self) -> None:
        """End the server; of a second bet that comes back so people are warned."""
        if not self._may_break_off(Calling):
            return
        self._kills += 1
        here = list(self._rig.line)
        self._rig.kill()
        if here and self._chance.random() < 0.3:  # as bj-bank does meanwhile
            self._rig.table.context.till.give(here[0], 700)
            self._rig.send()
        self._come_back(here)

    def _change_rules(self) -> None:
        """Start another server, whose house is not that of the tables it finds."""
        if not self._may_break_off(Calling, Playing):
            return
        here, old = list(self._rig.line), self._rig.plan.house
        self._rig.restart(house=replace(old, donor_gift=old.donor_gift + 100))
        self._come_back(here)

    def _come_back(self, here: list[str]) -> None:
        for name in here:
            if self._chance.random() < 0.8:
                self._rig.join(name)

    def _may_break_off(self, *phases: type[Calling | Playing]) -> bool:
        """Tell whether a round in one of these phases would be the first to be void.

        One that ended without a link that the line has lost looks so after it, too.
        """
        if isinstance(self._rig.table.phase, phases) or self._is_link_lost():
            if self._voids:
                return False
            self._voids += 1
        return True

    def _is_link_lost(self) -> bool:
        """Whether somebody told a link for a round, and missed what became of it."""
        now = self._rig.table.context.round
        return any(
            owed.link and owed.deal is None and owed.number < now
            for player in self._rig.players.values()
            for owed in player.checker.rounds.owing.values()
        )

    def _void(self) -> None:
        """Have one fault of ours; of a second one people are warned."""
        if self._voids:
            return
        self._voids += 1
        self._rig.table.void("Something went wrong with this round; it is void.")
        self._rig.send()

    def _reshuffle(self) -> None:
        self._rig.send(Reshuffle())

    def _give(self) -> None:
        """Have the host give money, whatever is on at the table."""
        if (name := self._someone()) is not None:
            self._rig.send(Give(name, self._chance.choice((100, 70_000)), Done()))

    def _someone(self) -> str | None:
        return self._chance.choice(list(self._rig.line) or [None])
