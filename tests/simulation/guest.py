"""Guests: each has a line, the real model and check of the client, and a character.

A guest does on bytes what ``bj_client.net`` does on a socket: it opens, says hello,
answers pings, asks for what it has missed, and after a loss comes back and sends its
last answer again. A hostile one also says what no client would.
"""

import random
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Protocol

from bj_client.fair.finding import Finding
from bj_client.fair.witness import LineRecorder, Witness
from bj_client.model.table import Table
from bj_protocol import PROTOCOL_VERSION, commands
from bj_protocol.action import Action
from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer, Command
from bj_protocol.messages import Answered, Message, Refused, Snapshot, Update
from bj_protocol.refusal import CloseCode
from bj_protocol.views import Ask, Phase
from simulation.agenda import Agenda, Entry
from simulation.ear import read
from simulation.failure import Failure
from simulation.frames import CLOSE, OPENING, PING, PONG, TEXT, Frames, frame
from simulation.network import Wire
from support.gambler import any_answer, legal_answer
from support.serving import key_of
from whole.invariant import known

_AGAIN = re.compile(r"that is the \d+\. time")
"""What happens once by a mishap is noted; of more, people are warned."""

_SOON = "before the time was up by our clock"

_NOTICED = 13.0
"""Seconds in which a guest notices that a line is dead."""


@dataclass(frozen=True, slots=True)
class Character:
    """Who comes, and how they are."""

    name: str
    table: str
    is_watching: bool = False
    is_hostile: bool = False
    slowness: float = 1.0
    """Seconds to think, about."""
    absence: float = 0.0
    """How often a question is not answered."""
    doubling: float = 0.0
    """How often an answer is sent twice."""
    is_unproven: bool = False
    address: str = "10.0.1.1"


class Place(Protocol):
    """The world, as a guest knows it."""

    agenda: Agenda
    mishaps: int
    """How often the server has ended as nobody wants it to."""

    def connect(self, guest: "Guest", chance: random.Random) -> Wire | None: ...

    def note(self, text: str) -> None: ...


class Hush:
    """The end of a line whose guest listens no more."""

    def take(self, data: bytes) -> None:
        pass

    def lost(self) -> None:
        pass


class Guest:
    """One player or watcher, through all lines."""

    def __init__(
        self, place: Place, who: Character, chance: random.Random, witness: Witness
    ) -> None:
        self._place, self.who, self._chance = place, who, chance
        self._agenda = place.agenda
        self._witness = witness
        self.wire: Wire | None = None
        self.table: Table | None = None
        self.proofs = self.answers = self.refusals = self.shy = 0
        self._lines = 0
        self._frames = Frames()
        self._recorder = LineRecorder(witness, None if who.is_watching else who.name)
        self._missing: Snapshot | None = None
        """The picture to which what was missed leads."""
        self._is_behind = False
        self._is_in_doubt = False
        """Whether what was told last may have been lost with the power."""
        self._unconfirmed: AnyAnswer | None = None
        self._decided = 0
        self._due: Entry | None = None
        self._is_joined = False

    @property
    def is_here(self) -> bool:
        """Whether it hears all that is said at its table."""
        wire = self.wire
        return wire is not None and self._is_joined and not wire.is_dead

    # The line.

    def come(self) -> None:
        """Open a line, unless there is one."""
        if self.wire is not None:
            return
        self._lines += 1
        self._frames, self._is_joined = Frames(), False
        seed = f"{self._chance.random()} {self._lines}"
        wire = self._place.connect(self, random.Random(seed))
        if wire is None:
            self._agenda.after(self._chance.choice((0.5, 2, 5)), self.come)
            return
        self.wire = wire
        wire.send(OPENING)
        who = self.who
        if who.is_watching:
            first: Command = commands.Watch(version=PROTOCOL_VERSION, table=who.table)
        else:
            first = commands.Hello(
                version=PROTOCOL_VERSION,
                handle=who.name,
                table=who.table,
                key=key_of(who.name),
            )
        self._send(first)

    def take(self, data: bytes) -> None:
        for code, content in self._frames.take(data):
            if self.wire is None:
                return
            if code == TEXT:
                self._hear(content.decode())
            elif code == PING:
                self.wire.send(frame(PONG, content))
            elif code == CLOSE:
                self._closed(int.from_bytes(content[:2], "big"))
                return
        if self._frames.status not in (None, 101):
            self.lost()

    def lost(self) -> None:
        """Note that the line is gone, and come back soon."""
        wire, self.wire = self.wire, None
        if wire is not None and not wire.is_over:
            wire.hang_up()
        self._part()
        self._agenda.after(self._chance.choice((0.1, 0.5, 2, 5)), self.come)

    def _part(self) -> None:
        self._recorder.lose()
        self._missing, self._is_behind = None, False
        self._is_joined = False

    def _closed(self, code: int) -> None:
        wire, self.wire = self.wire, None
        if wire is not None:
            wire.send(frame(CLOSE, code.to_bytes(2, "big")))
            wire.hang_up()
        self._part()
        if code == CloseCode.LEFT:
            self.forget()
        self._agenda.after(self._chance.choice((1, 5, 20)), self.come)

    def doubt(self) -> None:
        """Note that the server may know less than it has told."""
        self._is_in_doubt = True

    def forget(self) -> None:
        """End the visit: who comes next knows nothing of it."""
        self.table, self._unconfirmed = None, None
        name = None if self.who.is_watching else self.who.name
        self._recorder = LineRecorder(self._witness, name)

    # What the world does to it.

    def cut(self) -> None:
        if self.wire is not None:
            self.wire.cut()

    def go_dead(self) -> None:
        wire = self.wire
        if wire is not None:
            wire.is_dead = True
            wait = _NOTICED * (1 + self._chance.random())
            self._agenda.after(wait, lambda: self.lost() if self.wire is wire else None)

    def freeze(self, seconds: float) -> None:
        wire = self.wire
        if wire is not None:
            wire.is_frozen = True
            self._agenda.after(seconds, wire.thaw)

    def take_over(self) -> None:
        """Come on another line while the first one is open."""
        if self.wire is not None:
            old, self.wire = self.wire, None
            old.ear = Hush()
            self._agenda.after(20, old.hang_up)
            self._part()
            self.come()

    def leave(self) -> None:
        if self._is_joined:
            self.say(commands.Leave())

    def look(self) -> None:
        if self._is_joined:
            self.say(commands.Resync())

    def look_back(self) -> None:
        if self._is_joined and not self.who.is_watching:
            self.say(commands.Recall(rounds=self._chance.randint(1, 20)))

    def chat(self) -> None:
        if self._is_joined:
            self.say(commands.Chat(text=self._chance.choice(("hm", "well", "x" * 80))))

    def offend(self) -> None:
        """Say what no client says."""
        wire, table = self.wire, self.table
        if wire is None or table is None or not self._is_joined:
            return
        chance = self._chance
        answer = any_answer(chance, max(self._decided, 1))
        text = encode(answer).encode()
        kind = chance.randrange(7)
        if kind == 0:
            wire.send(frame(TEXT, chance.randbytes(chance.randrange(40))))
        elif kind == 1:
            wire.send(frame(2, text))
        elif kind == 2:
            half = len(text) // 2
            wire.send(frame(TEXT, text[:half], is_last=False) + frame(0, text[half:]))
        elif kind == 3:
            wire.send(frame(PING, b"x") * chance.choice((1, 30)))
        elif kind == 4:
            wire.send(frame(TEXT, b'{"type":"hello","version":2,"handle":"ned21"}'))
        elif kind == 5 and chance.random() < 0.2:
            wire.send(frame(TEXT, b" " * 20_000))
        else:
            wire.send(frame(TEXT, text) * chance.choice((1, 1, 2, 5)))

    # What it says.

    def _send(self, command: Command) -> None:
        if self.wire is not None:
            self.wire.send(frame(TEXT, encode(command).encode()))

    def say(self, command: Command) -> None:
        """Say something by way of the check, which has its part in it."""
        if self.wire is None:
            return
        if not self.who.is_hostile:
            command = self._recorder.send(command)
        self._send(command)

    def _answer(self, prompt: int) -> None:
        self._due = None
        table = self.table
        if table is None or self._missing is not None or not self._is_joined:
            return
        ask = next((ask for ask in table.my_asks if ask.prompt == prompt), None)
        if ask is None:
            return
        answer = self._choose(ask, table)
        if not (self.who.is_unproven or self.who.is_hostile):
            why = self._recorder.why_not(answer)
            if why:
                self.shy += 1
                answer = commands.SitOut(prompt=prompt)
        self._unconfirmed = answer
        self.answers += 1
        self.say(answer)
        if self._chance.random() < self.who.doubling:
            self.say(answer)

    def _choose(self, ask: Ask, table: Table) -> AnyAnswer:
        chance, wager = self._chance, ask.wager
        if Action.PLACE_BET in ask.actions and wager and chance.random() < 0.9:
            most = min(wager.maximum, wager.minimum + 20 * wager.step)
            if chance.random() < 0.03:
                most = wager.maximum
            amount = chance.randrange(wager.minimum, most + 1, wager.step)
            spots = chance.randint(1, ask.spots) if amount * ask.spots <= most else 1
            return commands.PlaceBet(prompt=ask.prompt, amount=amount, spots=spots)
        if Action.ACCEPT_GIFT in ask.actions and chance.random() < 0.9:
            return commands.AcceptGift(prompt=ask.prompt)
        return legal_answer(chance, ask)

    # What it hears.

    def _hear(self, text: str) -> None:
        message = read(text)
        if not self.who.is_hostile:
            replies = self._recorder.hear(message, text)
            self._judge()
            for reply in replies:
                self.say(reply)
            if self._recorder.is_private(message):
                return
        self._take(message)

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

    def _take(self, message: Message) -> None:
        match message:
            case Snapshot():
                self._see(message)
            case Update():
                self._follow(message)
            case Refused(prompt=prompt):
                self.refusals += 1
                self._confirm(prompt)
            case Answered(prompt=prompt):
                self._confirm(prompt)
            case _:
                pass

    def _confirm(self, prompt: int | None) -> None:
        if self._unconfirmed is not None and self._unconfirmed.prompt == prompt:
            self._unconfirmed = None

    def _see(self, picture: Snapshot) -> None:
        table, was_joined, self._is_joined = self.table, self._is_joined, True
        self._is_behind = False
        mine = 0 if picture.you is None else picture.you.seat
        is_other = table is not None and mine != table.seat_number
        if table is None or is_other or self._is_in_doubt or picture.seq < table.seq:
            self.table, self._missing, self._is_in_doubt = Table(picture), None, False
        elif picture.seq == table.seq and was_joined:
            _same("what a client folded is the picture", table, Table(picture))
            table.reset(picture)
        elif picture.seq > table.seq and not was_joined:
            self._missing = picture
            self.say(commands.Resync(seq=table.seq))
            return
        else:
            table.reset(picture)
            self._missing = None
        if not was_joined:
            self._send_again()
        self._consider()

    def _follow(self, update: Update) -> None:
        table = self.table
        if table is None:
            return
        if update.seq == table.seq + 1:
            table.apply(update)
            self._is_behind = False
            self._catch_up(table)
        elif update.seq > table.seq + 1 and not self._is_behind:
            self._is_behind = True
            if self._missing is None:
                self.say(commands.Resync(seq=table.seq))
        open_now = {ask.prompt for ask in table.asks}
        if self._unconfirmed is not None and self._missing is None:
            self._confirm(
                None
                if self._unconfirmed.prompt in open_now
                else self._unconfirmed.prompt
            )
        self._consider()

    def _catch_up(self, table: Table) -> None:
        missing = self._missing
        if missing is not None and table.seq >= missing.seq:
            if table.seq == missing.seq:
                _same("what was missed leads to the picture", table, Table(missing))
            self._missing = None
            self._send_again()

    def _send_again(self) -> None:
        if self._unconfirmed is not None:
            self.say(self._unconfirmed)

    def _consider(self) -> None:
        """Think about a question that is new."""
        table = self.table
        if table is None or self._missing is not None or self.who.is_watching:
            return
        for ask in table.my_asks:
            if ask.prompt != self._decided or self._due is None:
                self._think(ask.prompt)

    def _think(self, prompt: int) -> None:
        if self._unconfirmed is not None and self._unconfirmed.prompt == prompt:
            return
        is_new, self._decided = prompt != self._decided, prompt
        if is_new and self._chance.random() < self.who.absence:
            return
        if self._due is not None:
            self._due.cancel()
        wait = self._chance.expovariate(1 / self.who.slowness)
        self._due = self._agenda.after(wait, lambda: self._answer(prompt))


def _same(name: str, folded: Table, shown: Table) -> None:
    if shown.phase is Phase.WAITING:
        return  # the round that is over lies on the table until another one begins
    ours, theirs = known(folded), known(shown)
    for key, value in ours.items():
        if theirs[key] != value:
            raise Failure(name, f"{key}: {value} is not {theirs[key]}")


def links_from(chance: random.Random) -> Any:
    """Return what stands for ``secrets`` where the clients draw their links."""
    return SimpleNamespace(token_bytes=chance.randbytes)
