"""Players with real linkers and checkers at a table on a bench."""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from bj_client.fair import record
from bj_client.fair.checker import Checker
from bj_client.fair.finding import Finding, Note, Proof, Remark
from bj_client.fair.linker import Linker
from bj_client.verify import Verification
from bj_protocol import PROTOCOL_VERSION, commands
from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer, Command, Leave, Resync, Watch
from bj_protocol.messages import Message, Refused, Signed, Snapshot, Update
from bj_server.history.retelling import recall
from bj_server.table.calling import Calling
from bj_server.table.inbox import FromLine, Give, Halt, Reshuffle
from bj_server.table.playing import Playing
from bj_server.table.refusal import RefusalError
from support.gambler import any_answer, legal_answer
from support.rig import KeptOutlet, Rig, hello

NAMES = ("ned21", "lia9", "ibad", "tess", "kim")


class Cheat(Protocol):
    """Changes what is told: to one line, or to all of them if that is None."""

    def __call__(
        self, message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]: ...


def honest(message: Message, text: str, line: int | None) -> list[tuple[Message, str]]:
    return [(message, text)]


class Player:
    """One client, through all its lines; without a handle it watches."""

    def __init__(self, handle: str | None, *, unproven: bool = False) -> None:
        self.handle = handle
        self.unproven = unproven
        self.checker = Checker()
        self.linker = Linker(self.checker)
        self.has_links = True
        """Whether it has a part in the draw."""
        self.remarks: list[Remark] = []
        self.log: list[str] = []
        self.refusals: list[str] = []
        self.refused: dict[int, Command] = {}
        """The bets that were not placed, by how many lines the log had then."""
        self.last_remark = 0
        """How many lines the log had then."""
        self.links: list[str] = []
        """The links that were drawn, in their order."""
        self.at = 0.0
        self.seq = -1

    @property
    def findings(self) -> list[Finding]:
        return [remark for remark in self.remarks if isinstance(remark, Finding)]

    @property
    def notes(self) -> list[Note]:
        return [remark for remark in self.remarks if isinstance(remark, Note)]

    @property
    def proofs(self) -> list[Proof]:
        return [remark for remark in self.remarks if isinstance(remark, Proof)]

    def hear(self, message: Message, text: str) -> list[Command]:
        self.log.append(record.heard(self.handle, self.at, text))
        if remarks := self.checker.hear(message, text, self.at):
            self.remarks += remarks
            self.last_remark = len(self.log)
        if isinstance(message, Snapshot | Update):
            self.seq = message.seq
        answers: list[Command] = [*self.linker.answer()]
        self.linker.is_private(message)
        return answers

    def send(self, command: Command) -> Command | None:
        """Return what the client sends; None for a bet that it does not place."""
        why = "" if self.unproven else self.linker.why_not(command)
        if why:
            self.refusals.append(why)
            self.refused[len(self.log)] = command
            return None
        if self.has_links:
            command = self.linker.dress(command)
            if self.linker._link not in ("", *self.links[-1:]):
                self.links.append(self.linker._link)
        self.log.append(record.sent(self.handle, self.at, encode(command)))
        self.checker.send(command, self.at)
        return command

    def lose(self) -> None:
        self.log += [
            record.line_news(self.handle, self.at, state) for state in ("lost", "back")
        ]
        self.checker.lose()
        self.linker.lose()


class LiveOutlet(KeptOutlet):
    """Speaks to the players; ``cheat`` may change what each of them hears."""

    def __init__(self, now: Any) -> None:
        super().__init__()
        self._now = now
        self.players: dict[int, Player] = {}
        self.recent: list[tuple[Update | Signed, str]] = []
        self.cheat: Cheat = honest
        self.deaf: set[int] = set()
        """Lines on which nothing arrives."""
        self.said: deque[tuple[int, Command]] = deque()

    def announce(self, message: Update | Signed, text: str) -> None:
        super().announce(message, text)
        self.recent.append((message, text))
        told = self.cheat(message, text, None)
        for line in sorted(self.audience):
            for each, words in told:
                self._say(line, each, words)

    def tell(self, line: int, message: Message) -> None:
        super().tell(line, message)
        self._say(line, message, encode(message))

    def catch_up(self, line: int, seq: int) -> bool:
        missed = [
            (message, text)
            for message, text in self.recent
            if message.seq > seq or (message.seq == seq and isinstance(message, Signed))
        ]
        oldest = self.recent[0][0].seq if self.recent else seq
        if line not in self.audience or not missed or seq + 1 < oldest:
            return False
        for message, text in missed:
            for each, words in self.cheat(message, text, None):
                self._say(line, each, words)
        return True

    def _say(self, line: int, message: Message, text: str) -> None:
        player = self.players.get(line)
        if player is None or line in self.deaf:
            return
        player.at = self._now()
        for each, words in self.cheat(message, text, line):
            for command in player.hear(each, words):
                if player.has_links or not isinstance(command, commands.Link):
                    player.send(command)
                    self.said.append((line, command))


class Company(Rig):
    """A table at which everyone who sits there has a part in the draw."""

    outlet: LiveOutlet

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__(folder, **{"seed": None} | options)
        self.unproven = "stack" in options or "seed" in options
        self.outlet = LiveOutlet(self.clock.now)
        self.dealer._outlet = self.outlet
        self.players: dict[str, Player] = {}
        self.watchers: list[Player] = []
        self.mute: set[str] = set()
        """Players whose links do not arrive."""
        self.lies: int | None = None
        """How many updates were told otherwise; None where nobody counts."""

    def send(self, *batch: Any) -> None:
        super().send(*batch)
        while self.outlet.said:
            line, command = self.outlet.said.popleft()
            self.carry(line, command)

    def carry(self, line: int, command: Command) -> None:
        """Bring a command of a client to the table, if it is one for it."""
        player = self.outlet.players.get(line)
        name = "" if player is None else player.handle or ""
        match command:
            case commands.Link() if name not in self.mute:
                self.link(line, command)
            case commands.Recall():
                self.recall(line, command)
            case _:
                pass

    def recall(self, line: int, command: commands.Recall) -> None:
        """Tell a player the last rounds, as the session does."""
        try:
            mark = replace(self.dealer.bookmark(line), synced=2**62)
        except RefusalError:
            return  # who asked has left
        self.outlet.tell(line, recall(mark, command.rounds))

    def join(self, handle: str) -> int:
        """Join, or come back on another line, and ask for what was missed."""
        player = self.players.setdefault(handle, Player(handle, unproven=self.unproven))
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
        self.send(hello(line, handle))
        if before >= 0 and player.seq > before:
            player.send(commands.Resync(seq=before))
            self.send(FromLine(line, Resync(seq=before)))
        return line

    def watch(self) -> None:
        self._lines += 1
        player = Player(None)
        self.watchers.append(player)
        self.outlet.players[self._lines] = player
        self.send(FromLine(self._lines, Watch(version=PROTOCOL_VERSION)))

    def answer(self, handle: str, answer: AnyAnswer) -> Refused | None:
        line = self.line[handle]
        player = self.outlet.players.get(line)
        if player is None:
            return super().answer(handle, answer)
        player.at = self.clock.now()
        sent = player.send(answer)
        if sent is None:
            sat_out = commands.SitOut(prompt=answer.prompt)
            player.send(sat_out)
            return super().answer(handle, sat_out)
        assert isinstance(sent, commands.Answer)
        return super().answer(handle, sent)

    def everyone(self) -> list[Player]:
        return [*self.players.values(), *self.watchers]

    def kill(self, folder: Path) -> None:
        self._hang_up()
        super().kill(folder)

    def restore(self, folder: Path) -> None:
        """Start a server on another folder, as after a disaster."""
        self._hang_up()
        self.line.clear()
        self.settings = replace(self.settings, bank=folder)
        self._open(folder)

    def restart(self, **changes: Any) -> None:
        self.send(Halt())
        self._hang_up()
        super().restart(**changes)

    def _hang_up(self) -> None:
        """Lose every line, as a server that ends does."""
        self.outlet.audience.clear()
        self.outlet.updates.clear()
        self.outlet.recent.clear()
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
        folder = self._folder / f"killed-{self._kills}"
        here = list(self._rig.line)
        self._rig.kill(folder)
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
        """Tell whether a round in one of these phases would be the first to be void."""
        if isinstance(self._rig.table.phase, phases):
            if self._voids:
                return False
            self._voids += 1
        return True

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


@contextlib.contextmanager
def repeatable(chance: random.Random) -> Iterator[None]:
    """Have all secrets follow from ``chance``, so that what fails fails again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", chance.randbytes)
        patch.setattr("secrets.token_hex", lambda size: chance.randbytes(size).hex())
        yield


def record_of(*players: Player) -> list[bytes]:
    """Return the record that the clients of these players would have written."""
    lines = [record.header("127.0.0.1:8765", "main")]
    lines += [line for player in players for line in player.log]
    return [line.encode() for line in lines]


def verified(
    lines: list[bytes], server_key: str | None = None
) -> tuple[list[Remark], Verification]:
    """Return what the check of a record says."""
    verification = Verification(server_key)
    return [noted.remark for noted in verification.run(lines)], verification
