"""Players with real cutters and checkers at a table on a bench."""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bj_client.fair import record
from bj_client.fair.checker import Checker
from bj_client.fair.cutter import Cutter
from bj_client.fair.finding import Finding, Proof, Remark
from bj_client.fair.verification import Verification
from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer, Command, CommitCut, RevealCut
from bj_protocol.messages import (
    Answered,
    Message,
    Refused,
    Snapshot,
    TableList,
    Update,
)
from bj_server.table.inbox import (
    CutShoe,
    Give,
    Halt,
    Join,
    Look,
    Quit,
    Reshuffle,
    Show,
)
from gambler import any_answer, legal_answer
from rig import KeptOutlet, Rig, hello

__all__ = ["Company", "Evening", "Player", "record_of", "verified"]

NAMES = ("ned21", "lia9", "ibad", "tess", "kim")

Cheat = Callable[[Message], Message]


class Player:
    """One client, through all its lines; without a handle it watches."""

    def __init__(self, handle: str | None) -> None:
        self.handle = handle
        self.cutter = Cutter()
        self.checker = Checker()
        self.remarks: list[Remark] = []
        self.log: list[Message | Command | str] = []
        self.seq = -1

    @property
    def findings(self) -> list[Finding]:
        return [remark for remark in self.remarks if isinstance(remark, Finding)]

    @property
    def proofs(self) -> list[Proof]:
        return [remark for remark in self.remarks if isinstance(remark, Proof)]

    def hear(self, message: Message) -> list[CommitCut | RevealCut]:
        self.log.append(message)
        self.remarks += self.checker.hear(message)
        if isinstance(message, Snapshot | Update):
            self.seq = message.seq
        return self.cutter.hear(message) if self.handle else []

    def send(self, command: Command) -> None:
        self.log.append(command)
        self.remarks += self.checker.send(command)

    def lose(self) -> None:
        self.log += ["lost", "back"]
        self.checker.lose()


class LiveOutlet(KeptOutlet):
    """Speaks to the players; ``cheat`` may change what each of them hears."""

    def __init__(self) -> None:
        super().__init__()
        self.players: dict[int, Player] = {}
        self.cheat: Cheat = lambda message: message
        self.cuts: deque[CutShoe] = deque()

    def announce(self, update: Update) -> None:
        super().announce(update)
        said = self.cheat(update)
        for line in sorted(self.audience):
            self._say(line, said)

    def tell(self, line: int, message: Message) -> None:
        super().tell(line, message)
        self._say(line, self.cheat(message))

    def catch_up(self, line: int, seq: int) -> bool:
        missed = [update for update in self.updates if update.seq > seq]
        for update in missed:
            self.heard[line].append(update)
            self._say(line, self.cheat(update))
        return bool(missed)

    def _say(self, line: int, message: Message) -> None:
        player = self.players.get(line)
        if player is not None:
            for command in player.hear(message):
                player.send(command)
                self.cuts.append(CutShoe(line, command))


class Company(Rig):
    """A table whose shoes are cut by everyone who sits there."""

    outlet: LiveOutlet

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__(folder, **{"seed": None} | options)
        self.outlet = LiveOutlet()
        self.dealer._outlet = self.outlet
        self.players: dict[str, Player] = {}
        self.watchers: list[Player] = []

    def send(self, *batch: Any) -> None:
        super().send(*batch)
        while self.outlet.cuts:
            super().send(self.outlet.cuts.popleft())

    def join(self, handle: str) -> int:
        """Join, or come back on another line, and ask for what was missed."""
        player = self.players.setdefault(handle, Player(handle))
        if player.seq >= 0:
            player.lose()
        before = player.seq
        self._lines += 1
        line = self._lines
        for old, other in list(self.outlet.players.items()):
            if other is player:
                del self.outlet.players[old]
        self.outlet.players[line] = player
        self.line[handle] = line
        known = hello(line, handle)
        self.send(Join(line, handle, known.sha256, cuts=True))
        if before >= 0 and player.seq > before:
            self.send(Show(line, before))
        return line

    def watch(self) -> None:
        self._lines += 1
        player = Player(None)
        self.watchers.append(player)
        self.outlet.players[self._lines] = player
        self.send(Look(self._lines))

    def answer(self, handle: str, answer: AnyAnswer) -> Refused | None:
        line = self.line[handle]
        if line in self.outlet.players:
            self.outlet.players[line].send(answer)
        return super().answer(handle, answer)

    def everyone(self) -> list[Player]:
        return [*self.players.values(), *self.watchers]

    def kill(self, folder: Path) -> None:
        self._hang_up()
        super().kill(folder)

    def restart(self, **changes: Any) -> None:
        self.send(Halt())
        self._hang_up()
        super().restart(**changes)

    def _hang_up(self) -> None:
        """Lose every line, as a server that ends does."""
        self.outlet.audience.clear()
        self.outlet.updates.clear()
        self.outlet.players.clear()
        for watcher in self.watchers:
            watcher.lose()


class Done(asyncio.Future[bool]):
    """An order for which nobody waits, outside of any loop."""

    def __init__(self) -> None:
        loop = asyncio.new_event_loop()
        loop.close()
        super().__init__(loop=loop)


class Evening:
    """Anything that honest people and servers do, by chance."""

    def __init__(self, rig: Company, chance: random.Random, folder: Path) -> None:
        self._rig, self._chance, self._folder = rig, chance, folder
        self._kills = 0

    @property
    def rounds(self) -> int:
        return int(self._rig.table.felt.round)

    def play(self, rounds: int, *, is_calm: bool = False) -> None:
        steps = 0
        while self.rounds < rounds:
            steps += 1
            assert steps < rounds * 500, "the table is stuck"
            self._step(is_calm=is_calm)

    def close(self) -> None:
        """Let everyone leave, at which the last seed is told; all watch to the end."""
        for name, line in list(self._rig.line.items()):
            if self._rig.table.felt.seats.of_handle(name) is not None:
                self._rig.send(Quit(line))

    def _step(self, *, is_calm: bool) -> None:
        seats = self._rig.table.felt.seats
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
            self._rig.send(Quit(self._rig.line[name]))

    def _look(self) -> None:
        if (name := self._someone()) is not None:
            seq = self._chance.choice((None, self._rig.table.felt.seq - 2))
            self._rig.send(Show(self._rig.line[name], seq))

    def _err(self) -> None:
        if (name := self._someone()) is not None:
            last = self._rig.table.felt.last_prompt
            self._rig.answer(name, any_answer(self._chance, last))

    def _watch(self) -> None:
        if len(self._rig.watchers) < 3:
            self._rig.watch()

    def _kill(self) -> None:
        self._kills += 1
        folder = self._folder / f"killed-{self._kills}"
        here = list(self._rig.line)
        self._rig.kill(folder)
        if here and self._chance.random() < 0.3:  # as bj-bank does meanwhile
            self._rig.table.felt.till.give(here[0], 700)
            self._rig.send()
        self._come_back(here)

    def _change_rules(self) -> None:
        """Start another server, whose house is not that of the tables it finds."""
        here, old = list(self._rig.line), self._rig.plan.house
        self._rig.restart(house=replace(old, donor_gift=old.donor_gift + 100))
        self._come_back(here)

    def _come_back(self, here: list[str]) -> None:
        for name in here:
            if self._chance.random() < 0.8:
                self._rig.join(name)

    def _void(self) -> None:
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


def record_of(*players: Player) -> list[bytes]:
    """Return the record that the clients of these players would have written."""
    lines = [record.header("127.0.0.1:8765", "main")]
    for player in players:
        for said in player.log:
            match said:
                case str():
                    lines.append(record.line_news(player.handle, 0, said))
                case Snapshot() | Update() | Refused() | Answered() | TableList():
                    lines.append(record.heard(player.handle, 0, encode(said)))
                case _:
                    lines.append(record.sent(player.handle, 0, encode(said)))
    return [line.encode() for line in lines]


def verified(lines: list[bytes]) -> tuple[list[Remark], Verification]:
    """Return what the check of a record says."""
    verification = Verification()
    return [noted.remark for noted in verification.run(lines)], verification
