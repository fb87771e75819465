"""Guests: each has lines, the real model and check of the client, and a character.

A guest does on its line what ``bj_client.net`` does on a socket: it says hello, passes
all by the check, and after a loss comes back. What it makes of the table is its
``Player``'s. A hostile one also says what no client would, and checks nothing.
"""

import random
import re
from typing import Protocol

from bj_client.fair.finding import Finding
from bj_client.fair.witness import LineRecorder, NoEar, Witness
from bj_protocol import PROTOCOL_VERSION, commands
from bj_protocol.commands import AnyAnswer, Command
from bj_protocol.refusal import CloseCode
from simulation.agenda import Agenda
from simulation.ear import read
from simulation.failure import Failure
from simulation.line import Line
from simulation.player import Character, Player
from support.gambler import any_answer
from support.serving import key_of

_AGAIN = re.compile(r"that is the \d+\. time")
"""What happens once by a mishap is noted; of more, people are warned."""

_SOON = "before the time was up by our clock"

_NOTICED = 13.0
"""Seconds in which a guest notices that a line is dead."""


class Place(Protocol):
    """The world, as a guest knows it."""

    agenda: Agenda

    @property
    def mishaps(self) -> int:
        """How often the server has ended as nobody wants it to."""

    def connect(self, guest: "Guest", chance: random.Random) -> Line | None:
        """Return a line to the server; None while there is none."""


class Guest:
    """One player or watcher, through all lines."""

    def __init__(
        self, place: Place, who: Character, chance: random.Random, witness: Witness
    ) -> None:
        self._place, self.who, self._chance = place, who, chance
        self._agenda = place.agenda
        self._witness = witness
        self.line: Line | None = None
        self.player = Player(who, self, place.agenda, chance)
        self.proofs = 0
        self._lines = 0
        self._recorder = self._new_recorder()

    @property
    def is_here(self) -> bool:
        """Whether it hears all that is said at its table."""
        line = self.line
        return line is not None and self.player.is_joined and not line.is_dead

    @property
    def hello(self) -> Command:
        """The first words on each line."""
        who = self.who
        if who.is_watching:
            return commands.Watch(version=PROTOCOL_VERSION, table=who.table)
        return commands.Hello(
            version=PROTOCOL_VERSION,
            handle=who.name,
            table=who.table,
            key=key_of(who.name),
        )

    def _new_recorder(self) -> LineRecorder | NoEar:
        if self.who.is_hostile or not self.who.is_checking:
            return NoEar()
        return LineRecorder(
            self._witness, None if self.who.is_watching else self.who.name
        )

    # The line.

    def come(self) -> None:
        """Open a line, unless there is one."""
        if self.line is not None:
            return
        self._lines += 1
        seed = f"{self._chance.random()} {self._lines}"
        line = self._place.connect(self, random.Random(seed))
        if line is None:
            self._agenda.after(self._chance.choice((0.5, 2, 5)), self.come)
            return
        self.line = line
        line.say(self.hello)

    def lost(self) -> None:
        """Note that the line is gone, and come back soon."""
        self.line = None
        self._part()
        self._agenda.after(self._chance.choice((0.1, 0.5, 2, 5)), self.come)

    def closed(self, code: int) -> None:
        self.line = None
        self._part()
        if code == CloseCode.LEFT:
            self.forget()
        self._agenda.after(self._chance.choice((1, 5, 20)), self.come)

    def _part(self) -> None:
        self._recorder.lose()
        self.player.part()

    def forget(self) -> None:
        """End the visit: who comes next knows nothing of it."""
        self.player.forget()
        self._recorder = self._new_recorder()

    # What the world does to it.

    def cut(self) -> None:
        if self.line is not None:
            self.line.cut()

    def go_dead(self) -> None:
        line = self.line
        if line is not None:
            line.go_dead()
            wait = _NOTICED * (1 + self._chance.random())
            self._agenda.after(wait, lambda: self._give_up(line))

    def _give_up(self, line: Line) -> None:
        if self.line is line:
            line.hang_up()
            self.lost()

    def freeze(self, seconds: float) -> None:
        line = self.line
        if line is not None:
            line.freeze()
            self._agenda.after(seconds, line.thaw)

    def take_over(self) -> None:
        """Come on another line while the first one is open."""
        old, self.line = self.line, None
        if old is not None:
            old.hush()
            self._agenda.after(20, old.hang_up)
            self._part()
            self.come()

    def leave(self) -> None:
        if self.player.is_joined:
            self.say(commands.Leave())

    def look(self) -> None:
        if self.player.is_joined:
            self.say(commands.Resync())

    def look_back(self) -> None:
        if self.player.is_joined and not self.who.is_watching:
            self.say(commands.Recall(rounds=self._chance.randint(1, 20)))

    def chat(self) -> None:
        if self.player.is_joined:
            self.say(commands.Chat(text=self._chance.choice(("hm", "well", "x" * 80))))

    def offend(self) -> None:
        """Say what no client says."""
        if self.line is not None and self.player.is_joined:
            answer = any_answer(self._chance, max(self.player.decided, 1))
            self.line.offend(self._chance, answer)

    # What it says, and hears.

    def say(self, command: Command) -> None:
        """Say something by way of the check, which has its part in it."""
        if self.line is not None:
            self.line.say(self._recorder.send(command))

    def is_kept_from(self, answer: AnyAnswer) -> bool:
        if self.who.is_unproven:
            return False
        return self._recorder.why_not(answer) is not None

    def hear(self, text: str) -> None:
        message = read(text)
        replies = self._recorder.hear(message, text)
        self._judge()
        for reply in replies:
            self.say(reply)
        if not self._recorder.is_private(message):
            self.player.hear(message)

    def _judge(self) -> None:
        for remark in self._witness.take():
            if isinstance(remark, Finding):
                is_warning = _AGAIN.search(remark.what) and self._place.mishaps > 1
                # Lines here are slower than a client takes them to be: the monitor
                # holds the server to its clock.
                is_warning = is_warning or _SOON in remark.what
                if not is_warning:
                    raise Failure("no honest server is accused", f"{remark}")
                continue
            self.proofs += "is proven" in remark
