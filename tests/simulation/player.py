"""The player behind a guest: what they know of the table, and what they answer.

The table is folded as ``bj_client.net.follow`` does it: what is missed is asked for, a
picture waits until what leads to it is here, and an answer that may be lost with a line
is sent again on the next one.
"""

import random
from dataclasses import dataclass
from typing import Protocol

from bj_client.model.table import Table, run_of
from bj_protocol import commands
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Command
from bj_protocol.messages import Answered, Message, Refused, Snapshot, Update
from bj_protocol.views import Ask, Phase
from simulation.agenda import Agenda, Entry
from simulation.failure import Failure
from support.gambler import legal_answer
from whole.invariant import known


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
    """Whether they bet though no link of theirs would count."""
    is_checking: bool = True
    """Whether their client holds the server to its proofs."""
    address: str = "10.0.1.1"


class Voice(Protocol):
    """The line of a player, by way of the check."""

    def say(self, command: Command) -> None: ...

    def is_kept_from(self, answer: AnyAnswer) -> bool:
        """Whether the client would not send an answer."""


class Player:
    """What one player, or watcher, makes of what they hear, through all lines."""

    def __init__(
        self, who: Character, voice: Voice, agenda: Agenda, chance: random.Random
    ) -> None:
        self.who, self._voice = who, voice
        self._agenda, self._chance = agenda, chance
        self.table: Table | None = None
        self.answers = self.refusals = self.shy = 0
        self.decided = 0
        """The last question that was thought about."""
        self.is_joined = False
        """Whether they were shown the table on this line."""
        self._missing: Snapshot | None = None
        """The picture to which what was missed leads."""
        self._is_behind = False
        self._is_in_doubt = False
        """Whether what was told last may have been lost with the power."""
        self._unconfirmed: AnyAnswer | None = None
        self._due: Entry | None = None

    def part(self) -> None:
        """Note that the line is gone."""
        self._missing, self._is_behind = None, False
        self.is_joined = False

    def doubt(self) -> None:
        """Note that the server may know less than it has told."""
        self._is_in_doubt = True

    def forget(self) -> None:
        """End the visit: who comes next knows nothing of it."""
        self.table, self._unconfirmed = None, None

    # What they answer.

    def _consider(self) -> None:
        """Think about a question that is new."""
        table = self.table
        if table is None or self._missing is not None or self.who.is_watching:
            return
        for ask in table.my_asks:
            if ask.prompt != self.decided or self._due is None:
                self._think(ask.prompt)

    def _think(self, prompt: int) -> None:
        if self._unconfirmed is not None and self._unconfirmed.prompt == prompt:
            return
        is_new, self.decided = prompt != self.decided, prompt
        if is_new and self._chance.random() < self.who.absence:
            return
        if self._due is not None:
            self._due.cancel()
        wait = self._chance.expovariate(1 / self.who.slowness)
        self._due = self._agenda.after(wait, lambda: self._answer(prompt))

    def _answer(self, prompt: int) -> None:
        self._due = None
        table = self.table
        if table is None or self._missing is not None or not self.is_joined:
            return
        ask = next((ask for ask in table.my_asks if ask.prompt == prompt), None)
        if ask is None:
            return
        answer = self._choose(ask)
        if self._voice.is_kept_from(answer):
            self.shy += 1
            answer = commands.SitOut(prompt=prompt)
        self._unconfirmed = answer
        self.answers += 1
        self._voice.say(answer)
        if self._chance.random() < self.who.doubling:
            self._voice.say(answer)

    def _choose(self, ask: Ask) -> AnyAnswer:
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

    def _send_again(self) -> None:
        if self._unconfirmed is not None:
            self._voice.say(self._unconfirmed)

    # What they hear.

    def hear(self, message: Message) -> None:
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
        table, was_joined, self.is_joined = self.table, self.is_joined, True
        self._is_behind = False
        if table is None or self._is_elsewhere(table, picture):
            self.table, self._missing, self._is_in_doubt = Table(picture), None, False
        elif picture.seq == table.seq and was_joined:
            _same("what a client folded is the picture", table, Table(picture))
            table.reset(picture)
        elif picture.seq > table.seq and not was_joined:
            self._missing = picture
            self._voice.say(commands.Resync(seq=table.seq))
            return
        else:
            table.reset(picture)
            self._missing = None
        if not was_joined:
            self._send_again()
        self._consider()

    def _is_elsewhere(self, table: Table, picture: Snapshot) -> bool:
        """Whether a picture does not lead on from what is known.

        Another server may have begun from less than was told; one without proof does
        not tell that it is another.
        """
        run = run_of(picture)
        is_new = run != table.run or (run is None and self._is_in_doubt)
        mine = 0 if picture.you is None else picture.you.seat
        return is_new or mine != table.seat_number or picture.seq < table.seq

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
                self._voice.say(commands.Resync(seq=table.seq))
        if self._unconfirmed is not None and self._missing is None:
            open_now = {ask.prompt for ask in table.asks}
            if self._unconfirmed.prompt not in open_now:
                self._unconfirmed = None
        self._consider()

    def _catch_up(self, table: Table) -> None:
        missing = self._missing
        if missing is not None and table.seq >= missing.seq:
            if table.seq == missing.seq:
                _same("what was missed leads to the picture", table, Table(missing))
            self._missing = None
            self._send_again()


def _same(name: str, folded: Table, shown: Table) -> None:
    if shown.phase is Phase.WAITING:
        return  # the round that is over lies on the table until another one begins
    ours, theirs = known(folded), known(shown)
    for key, value in ours.items():
        if theirs[key] != value:
            raise Failure(name, f"{key}: {value} is not {theirs[key]}")
