"""The record that a client would keep which has a part in the draws of a table.

The format is that of docs/fairness.md, "The record".
"""

import json
import random
from typing import Any

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import encode
from bj_protocol.commands import Watch
from bj_protocol.views import Phase
from bj_server.table.inbox import FromLine, Reshuffle
from support.gambler import legal_answer
from support.linked import LinkedRig


class Recorded:
    """Plays at a rig at random, and keeps what every line hears and sends."""

    def __init__(self, rig: LinkedRig, number: int) -> None:
        self.rig = rig
        self._lines: list[tuple[int, str]] = []
        self._chance = random.Random(number)
        self._began = rig.clock.now()
        self._handles: dict[int, str | None] = {}
        self._read: dict[int, int] = {}

    def sit(self, *handles: str) -> None:
        """Join, one after another."""
        for handle in handles:
            self._handles[self.rig.join(handle)] = handle
        self._listen()

    def come_back(self, handle: str) -> int:
        """Lose the line and join anew; return the number of the new line."""
        self.rig.outlet.audience.discard(self.rig.line[handle])
        self.rig.drop(handle)
        self.sit(handle)
        return self.rig.line[handle]

    def watch(self) -> int:
        """Look on; return the number of the line."""
        number = 100 + len(self._handles)
        self._handles[number] = None
        self.rig.send(FromLine(number, Watch(version=PROTOCOL_VERSION)))
        self._listen()
        return number

    def play(self, rounds: int) -> None:
        """Play until so many rounds more have ended."""
        end = self.rig.table.context.round + rounds
        for _ in range(100 * rounds):
            if self.rig.table.context.round >= end:
                return
            self.step()
        raise AssertionError("the rounds do not end")

    def play_into_a_round(self) -> None:
        """Play until somebody must decide about a hand; some houses ask nobody."""
        for _ in range(60):
            if self.rig.picture.phase is Phase.PLAYING:
                return
            self.step()

    def step(self) -> None:
        """Give one answer, or let the time pass that all want to let pass."""
        seats = {seat.number: seat for seat in self.rig.table.context.seats}
        asks = list(self.rig.asks.values())
        if asks:
            ask = self._chance.choice(asks)
            answer = legal_answer(self._chance, ask)
            handle = seats[ask.seat].handle
            self._keep(self.rig.line[handle], "sent", encode(answer))
            self.rig.answer(handle, answer)
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

    def record(self, *numbers: int) -> list[str]:
        """Return what one client would have kept, whose lines have these numbers."""
        header = {"record": 2, "server": "127.0.0.1:8765", "table": "main"}
        kept = [line for number, line in self._lines if number in numbers]
        return [json.dumps(header), *kept]

    def heard(self, number: int) -> list[dict[str, Any]]:
        """Return what a line has heard."""
        lines = map(json.loads, self.record(number))
        return [line["heard"] for line in lines if "heard" in line]

    def _listen(self) -> None:
        """Keep what was said to each line, and the links that it has sent meanwhile."""
        for line in self._handles:
            heard, read = self.rig.outlet.heard[line], self._read.get(line, 0)
            links = [(at, link) for who, at, link in self.rig.given if who == line]
            for at, message in enumerate(heard[read:], read):
                for sent_at, link in links:
                    if sent_at == at:
                        self._keep(line, "sent", encode(link))
                self._keep(line, "heard", encode(message))
            self._read[line] = len(heard)

    def _keep(self, line: int, what: str, text: str) -> None:
        at = self.rig.clock.now() - self._began
        start = json.dumps({"handle": self._handles[line], "at": at})
        self._lines.append((line, f'{start[:-1]}, "{what}": {text}}}'))
