"""Rough evenings: slow lines, links that come late, full tables, books of yesterday.

A line of ``RoughCompany`` may be slow. What is said to it, and what it says, waits in
its two queues until it is delivered, in order, while time passes; what is in them when
the line is lost is lost with it. A player on a slow line answers what it has heard.
"""

import random
import shutil
from collections import defaultdict, deque
from pathlib import Path
from typing import Any

from bj_protocol import commands
from bj_protocol.commands import AnyAnswer, Command, Leave, Resync
from bj_protocol.messages import Message, Refused, Snapshot, Update
from bj_protocol.views import Ask, Turn
from bj_server.table.calling import Calling
from bj_server.table.inbox import FromLine
from support.company import Company, LiveOutlet, Player
from support.evening import Evening
from support.gambler import legal_answer

HANDLES = ("ned21", "lia9", "ibad", "tess", "kim", "oleg", "pia")


SLOWEST = 3.0
"""Seconds in which all that is said on a line arrives, unless the line is lost."""


class SlowOutlet(LiveOutlet):
    """Keeps what is said on slow lines until it is delivered."""

    def __init__(self, now: Any) -> None:
        super().__init__(now)
        self.held: dict[int, deque[tuple[float, Message, str]]] = {}
        """What is on its way to the client since when, for each slow line."""
        self.turns: dict[int, Turn | None] = {}
        """What the client on a slow line has heard last of who is asked."""

    def _say(self, line: int, message: Message, text: str) -> None:
        if line in self.held and line not in self.deaf:
            self.held[line].append((self._now(), message, text))
        else:
            super()._say(line, message, text)

    def last_prompt(self, line: int) -> int:
        turn = self.turns.get(line)
        asks = () if turn is None else turn.asks
        return max((ask.prompt for ask in asks), default=0)

    def deliver(self, line: int) -> Message:
        _, message, text = self.held[line].popleft()
        super()._say(line, message, text)
        if isinstance(message, Snapshot | Update):
            is_behind = self.players[line].checker._ahead is not None
            self.turns[line] = None if is_behind else message.turn
        return message


class RoughCompany(Company):
    """A table at which some of the lines are slow."""

    outlet: SlowOutlet

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__(folder, **options)
        self.outlet = SlowOutlet(self.clock.now)
        self.dealer._outlet = self.outlet
        self.slow: set[str] = set()
        """Players whose next line is slow."""
        self._sent: defaultdict[int, deque[tuple[float, Command]]] = defaultdict(deque)
        """What is on its way to the server since when, for each slow line."""
        self._since: dict[int, int] = {}
        """What a player who is back had heard, until the first picture is there."""

    def join(self, handle: str, *, asks: bool = True) -> int:
        next_line, player = self._lines + 1, self.players.get(handle)
        if handle in self.slow:
            self.outlet.held[next_line] = deque()
            self._since[next_line] = -1 if player is None else player.seq
        return super().join(handle, asks=asks)

    def carry(self, line: int, command: Command) -> None:
        if line in self.outlet.held:
            self._post(line, command)
        else:
            super().carry(line, command)

    def answer(self, handle: str, answer: AnyAnswer) -> Refused | None:
        line = self.line[handle]
        if line not in self.outlet.held:
            return super().answer(handle, answer)
        player, last = self.outlet.players.get(line), self.outlet.last_prompt(line)
        if player is None or answer.prompt > last:
            return None  # nobody answers what was not heard
        player.at = self.clock.now()
        sent = player.send(answer)
        if sent is None:
            sent = player.send(commands.SitOut(prompt=answer.prompt))
        assert sent is not None
        self._post(line, sent)
        return None

    def asked(self, handle: str) -> Ask | None:
        """Return what a player on a slow line takes itself to be asked."""
        line = self.line[handle]
        turn, player = self.outlet.turns.get(line), self.outlet.players.get(line)
        seat = None if player is None else player.checker.rounds.bets.own_seat
        asks = () if turn is None else turn.asks
        return next((ask for ask in asks if ask.seat == seat), None)

    def deliver(self, line: int, *, is_up: bool) -> None:
        """Bring the next thing to the server, or to the client."""
        if is_up and self._sent[line]:
            self._take(line, self._sent[line].popleft()[1])
        elif not is_up and self.outlet.held.get(line):
            message = self.outlet.deliver(line)
            if isinstance(message, Snapshot):
                self._ask_missed(line, self.outlet.players[line])
            self.send()

    def _ask_missed(self, line: int, player: Player) -> None:
        since = self._since.pop(line, -1)
        if since >= 0 and player.seq > since:
            resync = commands.Resync(seq=since)
            player.send(resync)
            self._post(line, resync)

    def _take(self, line: int, command: Command) -> None:
        match command:
            case commands.Resync():
                self.send(FromLine(line, Resync(seq=command.seq)))
            case commands.Leave():
                self.send(FromLine(line, Leave()))
            case commands.Answer():
                self.send(FromLine(line, command))
            case _:
                super().carry(line, command)
                self.send()

    def _post(self, line: int, command: Command) -> None:
        self._sent[line].append((self.clock.now(), command))

    def hurry(self) -> None:
        """Deliver what has been on its way for longer than a line takes that holds."""
        late = self.clock.now() - SLOWEST
        for line, held in list(self.outlet.held.items()):
            while self._sent[line] and self._sent[line][0][0] <= late:
                self.deliver(line, is_up=True)
            while held and held[0][0] <= late and line in self.outlet.players:
                self.deliver(line, is_up=False)

    def waiting(self) -> list[tuple[int, bool]]:
        """Return the lines with something on its way, and whether to the server."""
        lines = [line for line in self.outlet.held if line in self.outlet.players]
        up = [(line, True) for line in lines if self._sent[line]]
        return up + [(line, False) for line in lines if self.outlet.held[line]]


class RoughEvening(Evening):
    """An evening on lines that are slow, at a full table, with a disaster."""

    _rig: RoughCompany

    def __init__(
        self, rig: RoughCompany, chance: random.Random, *, is_full: bool
    ) -> None:
        super().__init__(rig, chance)
        self._rough = rig
        self._backup: Path | None = None
        self.is_restored = False
        """Whether the books of the backup were needed."""
        self._is_full = is_full
        rig.slow.update(chance.sample(HANDLES, chance.randint(1, 4)))
        for handle in HANDLES if is_full else ():
            rig.join(handle)

    @property
    def kills(self) -> int:
        return self._kills

    def _step(self, *, is_calm: bool) -> None:
        waiting = self._rough.waiting()
        roll = self._chance.random()
        if waiting and roll < 0.7:
            line, is_up = self._chance.choice(waiting)
            for _ in range(self._chance.choice((1, 1, 2, 5))):
                self._rough.deliver(line, is_up=is_up)
            if self._chance.random() < 0.5:
                self._rig.wait(self._chance.choice((0.02, 0.1, 0.4, 1, 1.9)))
                self._rough.hurry()
        elif roll < 0.72:
            self._chance.choice((self._back_up, self._restore))()
        else:
            self._answer_or_step(is_calm=is_calm)

    def _answer_or_step(self, *, is_calm: bool) -> None:
        """Answer on a slow line what was heard there, or let something happen."""
        slow = [
            (handle, ask)
            for handle, line in self._rig.line.items()
            if line in self._rough.outlet.held
            and line in self._rough.outlet.players
            and (ask := self._rough.asked(handle)) is not None
        ]
        if slow and self._chance.random() < 0.4:
            handle, ask = self._chance.choice(slow)
            self._rig.answer(handle, legal_answer(self._chance, ask))
            return
        super()._step(is_calm=is_calm)

    def _wait(self) -> None:
        for _ in range(self._chance.choice((1, 5, 29, 30, 31, 61))):
            self._rig.wait(1)
            self._rough.hurry()

    def _rest(self) -> None:
        self._wait()

    def _leave(self) -> None:
        if not self._is_full or self._chance.random() < 0.2:
            super()._leave()

    def _come(self) -> None:
        self._rig.join(self._chance.choice(HANDLES))

    def _back_up(self) -> None:
        if self._backup is None:
            self._backup = self._rig.settings.bank.with_name("backup")
            self._rig.bank.journal.write()
            shutil.copytree(self._rig.settings.bank, self._backup)

    def _restore(self) -> None:
        """Lose the books, once, and go on from those of the backup."""
        if self._backup is None or self.is_restored or not self._may_break_off(Calling):
            return
        self.is_restored = True
        here = list(self._rig.line)
        self._rig.bank.close()
        self._rig.restore(self._backup)
        self._come_back(here)
