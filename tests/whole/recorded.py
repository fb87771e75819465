"""A table whose players' clients cut, and the record that such a client would keep.

The format is that of docs/fairness.md, "The record".
"""

import json
import random
from typing import Any

from bj_client.fair.cutter import Cutter
from bj_protocol.codec import encode
from bj_protocol.commands import CommitCut, RevealCut
from bj_protocol.messages import Message
from bj_protocol.views import Phase
from bj_server.table.inbox import CutShoe, Join, Look, Reshuffle, Say
from gambler import legal_answer
from rig import Rig, hello

__all__ = ["Recorded"]

Line = dict[str, Any]


class Recorded:
    """Plays at a rig at random, and keeps what every line hears and sends."""

    def __init__(self, rig: Rig, number: int) -> None:
        self.rig = rig
        self._lines: list[tuple[int, Line]] = []
        self._chance = random.Random(number)
        self._began = rig.clock.now()
        self._cutters: dict[str | None, Cutter] = {}
        self._handles: dict[int, str | None] = {}
        self._read: dict[int, int] = {}
        self.is_slow = False
        """Whether commitments and nonces do not come through."""

    def sit(self, *handles: str) -> None:
        """Join with clients that cut, all at the same time."""
        joins = []
        for handle in handles:
            number = len(self._handles) + 1
            who = hello(number, handle)
            joins.append(Join(number, handle, who.sha256, cuts=True))
            self._handles[number] = handle
            self._cutters.setdefault(handle, Cutter())
            self.rig.line[handle] = number
        self.rig.send(*joins)
        self._listen()

    def come_back(self, handle: str) -> int:
        """Lose the line and join anew; return the number of the new line."""
        self.rig.outlet.audience.discard(self.rig.line[handle])
        self.rig.drop(handle)
        self.sit(handle)
        return self.rig.line[handle]

    def watch(self) -> None:
        """Look on."""
        number = len(self._handles) + 1
        self._handles[number] = None
        self.rig.send(Look(number))
        self._listen()

    def play(self, rounds: int) -> None:
        """Play until so many rounds more have ended."""
        end = self.rig.table.felt.round + rounds
        while self.rig.table.felt.round < end:
            self.step()

    def play_into_a_round(self) -> None:
        """Play until somebody must decide about a hand."""
        while self.rig.picture.phase is not Phase.PLAYING:
            self.step()

    def step(self) -> None:
        """Give one answer, or let the time pass that all want to let pass."""
        seats = {seat.number: seat for seat in self.rig.table.felt.seats}
        asks = list(self.rig.asks.values())
        if asks:
            ask = self._chance.choice(asks)
            self._say(self.rig.line[seats[ask.seat].handle], ask)
        else:
            self.rig.wait(30)
        self._listen()

    def reshuffle(self) -> None:
        """Have the host want another shoe."""
        self.rig.send(Reshuffle())
        self._listen()

    def leave(self, *handles: str) -> None:
        """Leave the table, one after another."""
        for handle in handles:
            self.rig.leave(handle)
            self._listen()

    def record(self, *numbers: int) -> list[Line]:
        """Return what one client would have kept, whose lines have these numbers."""
        kept = [line for number, line in self._lines if number in numbers]
        return [{"record": 1, "server": "127.0.0.1:8765", "table": "main"}, *kept]

    def _say(self, line: int, ask: Any) -> None:
        answer = legal_answer(self._chance, ask)
        self._keep(line, "sent", encode(answer))
        self.rig.send(Say(line, answer))

    def _listen(self) -> None:
        """Let everyone hear what was said, and cut whenever it is asked for."""
        while news := self._news():
            for line, message in news:
                self._keep(line, "heard", encode(message))
                for command in self._answers(line, message):
                    if not self.is_slow:
                        self._keep(line, "sent", encode(command))
                        self.rig.send(CutShoe(line, command))

    def _answers(self, line: int, message: Message) -> list[CommitCut | RevealCut]:
        cutter = self._cutters.get(self._handles[line])
        return [] if cutter is None else cutter.hear(message)

    def _news(self) -> list[tuple[int, Message]]:
        news = []
        for line in self._handles:
            heard = self.rig.outlet.heard[line]
            news += [(line, message) for message in heard[self._read.get(line, 0) :]]
            self._read[line] = len(heard)
        return news

    def _keep(self, line: int, what: str, text: str) -> None:
        at = self.rig.clock.now() - self._began
        who = {"handle": self._handles[line], "at": at}
        self._lines.append((line, who | {what: json.loads(text)}))
