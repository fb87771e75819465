"""The hall: bank, tables and dealers in a process that can die, without a net.

Its lines pass whole commands and messages, after a while, in order. They can be cut, go
dead, and be read late. What a session does for its line, ``HallLine`` does here: it
says who came, and refuses what the table refuses at once. Limits, bans and pings belong
to the net, and so does whatever is said in frames.
"""

import asyncio
import itertools
import random
from collections import deque
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from bj_protocol import commands
from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer, Command
from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError
from bj_server.bank.key import digest_of
from bj_server.history.recall import recall
from bj_server.host import set_table
from bj_server.net.outbox import Recent
from bj_server.settings import Settings
from bj_server.table import inbox
from bj_server.table.clock import LoopClock
from bj_server.table.dealer import Dealer
from bj_server.table.refusal import RefusalError
from simulation.ear import know
from simulation.line import Line, Listener, Nobody
from simulation.server import Process, Tell
from simulation.thread import Dead

if TYPE_CHECKING:
    from simulation.agenda import Agenda
    from simulation.guest import Guest

_READ = 8
"""One in so many announcements is read from its text, as all are in worlds with a net;
the others are heard as the dealer had them."""
_NOTICED = 30.0
"""Seconds in which a server notices that a line is dead."""


class Hall(Process):
    """Serves each table of its settings."""

    _stop: asyncio.Event

    def _serve(self, settings: Settings, bank: Bank) -> Coroutine[Any, Any, None]:
        self._stop, clock = asyncio.Event(), LoopClock()
        self._rooms = {plan.name: Room() for plan in settings.tables}
        self._dealers = {
            plan.name: Dealer(
                set_table(settings, plan, bank, clock), self._rooms[plan.name]
            )
            for plan in settings.tables
        }
        return self._deal()

    async def _deal(self) -> None:
        async with asyncio.TaskGroup() as group:
            for dealer in self._dealers.values():
                group.create_task(dealer.run())
            await self._stop.wait()
            self._submit(inbox.Halt())

    def _submit(self, command: inbox.Command) -> None:
        for dealer in self._dealers.values():
            dealer.submit(command)

    def connect(
        self, guest: "Guest", chance: random.Random, number: int, tell: Tell
    ) -> Line:
        room, dealer = self._rooms[guest.who.table], self._dealers[guest.who.table]
        line = HallLine(guest, dealer, chance, self._agenda, number, tell)
        room.lines[number] = line
        return line

    def obey(self, order: dict[str, Any]) -> None:
        match order:
            case {"do": "kick" | "ban", "handle": handle}:
                self._submit(inbox.SendAway(handle))
            case {"do": "say", "text": text}:
                self._submit(inbox.Proclaim(text))
            case {"do": "shuffle"}:
                self._submit(inbox.Reshuffle())
            case {"do": "mute" | "unmute" as do, "handle": handle}:
                self._submit(inbox.Mute(handle, do == "mute"))
            case {"do": "notice", "text": text}:
                self._submit(inbox.Notice(text))
            case {"do": "gift", "handle": handle, "amount": cents}:
                self._give(handle, cents)
            case _:
                pass  # of the lists of the net

    def _give(self, handle: str, cents: int) -> None:
        dealers = list(self._dealers.values())
        seated = (each for each in dealers if each.is_seated(handle))
        dealer = next(seated, dealers[0])
        if dealer.balance(handle) is not None:
            done = self.loop.create_future()
            dealer.submit(inbox.Give(handle, min(cents, dealer.largest_gift), done))

    def stop(self) -> None:
        self._stop.set()


class Room:
    """The lines of one table, as its outlet."""

    def __init__(self) -> None:
        self.lines: dict[int, HallLine] = {}
        self._audience: dict[int, HallLine] = {}
        self._recent = Recent[str]()
        self._count = itertools.count()

    def announce(self, *told: tuple[Update | Signed, str]) -> None:
        for message, text in told:
            if next(self._count) % _READ:
                know(text, message)
        for line in self._hearing():
            for _, text in told:
                line.send(text)
        if not self._audience:
            self._recent.clear()
            return
        for message, text in told:
            self._recent.keep(message, text)

    def _hearing(self) -> "list[HallLine]":
        gone = [number for number, line in self.lines.items() if line.is_left]
        for number in gone:
            del self.lines[number]
            self._audience.pop(number, None)
        return list(self._audience.values())

    def tell(self, line: int, message: Message) -> None:
        told = self.lines.get(line)
        if told is not None:
            if isinstance(message, Snapshot):
                self._audience[line] = told
            told.tell(message)

    def catch_up(self, line: int, seq: int) -> bool:
        told, missed = self._audience.get(line), self._recent.after(seq)
        if told is None:
            return False
        for text in missed:
            told.send(text)
        return bool(missed)

    def dismiss(self, line: int, code: CloseCode, reason: str) -> None:
        told = self.lines.get(line)
        if told is not None:
            told.close(code, reason)


class HallLine:
    """A line to one table, and the session at its other end."""

    def __init__(
        self,
        guest: Listener,
        dealer: Dealer,
        chance: random.Random,
        agenda: "Agenda",
        number: int,
        tell: Tell,
    ) -> None:
        self._guest, self._dealer, self._chance = guest, dealer, chance
        self._agenda, self.line, self._tell = agenda, number, tell
        self.is_dead = self.is_over = False
        self.is_left = False
        """Whether the table knows that the line is gone."""
        self._is_frozen = False
        self._lag = chance.choice((0.0, 0.0005, 0.02, 0.4))
        self._up_at = self._down_at = agenda.now
        self._down: deque[str | int] = deque()
        """Texts for the guest, and the code of a close."""

    def _delay(self) -> float:
        return self._lag * (0.5 + self._chance.random()) if self._lag else 0.0

    # From the guest to the table.

    def say(self, command: Command) -> None:
        if not self.is_over and not self.is_dead:
            self._up_at = max(self._up_at, self._agenda.now + self._delay())
            self._agenda.at(self._up_at, partial(self._arrive, command))

    def offend(self, chance: random.Random, answer: AnyAnswer) -> None:
        for _ in range(chance.choice((1, 1, 2, 5))):
            self.say(answer)

    def _arrive(self, command: Command) -> None:
        if not self.is_left and not self.is_dead:
            try:
                self._obey(command)
            except RefusalError as refusal:
                self.tell(refusal.message(None))
            except Dead:
                pass  # while it read the past: the world sees to it

    def _obey(self, command: Command) -> None:
        dealer, line = self._dealer, self.line
        match command:
            case commands.Hello(handle=handle, key=key):
                assert key is not None
                dealer.submit(inbox.Join(line, handle, digest_of(key)))
            case commands.Link():
                dealer.hear_link(line, command)
            case commands.Recall(rounds=rounds):
                self._recall(rounds)
            case commands.ListTables():
                raise AssertionError(command)
            case _:
                dealer.submit(inbox.FromLine(line, command))

    def _recall(self, rounds: int) -> None:
        try:
            found = recall(self._dealer.bookmark(self.line), rounds, lambda: True)
        except BankError:  # the disk fails just now, or has lost something
            raise RefusalError(RefusalCode.RECALL_FAILED) from None
        self.tell(found)

    def _leave(self) -> None:
        """Note at the table that the line is gone."""
        if not self.is_left:
            self.is_left = True
            self._dealer.submit(inbox.ConnectionLost(self.line))

    # From the table to the guest.

    def send(self, text: str) -> None:
        self._tell(self.line, text)
        self._bring(text)

    def tell(self, message: Message) -> None:
        self.send(encode(message))

    def close(self, code: int, reason: str) -> None:
        self._bring(code)
        self._leave()

    def _bring(self, news: str | int) -> None:
        if not self.is_over and not self.is_dead:
            self._down.append(news)
            self._come_down()

    def _come_down(self) -> None:
        self._down_at = max(self._down_at, self._agenda.now + self._delay())
        self._agenda.at(self._down_at, self._read)

    def _read(self) -> None:
        if self._is_frozen or self.is_dead or self.is_over or not self._down:
            return
        news = self._down.popleft()
        if isinstance(news, str):
            self._guest.hear(news)
        else:
            self._end()
            self._guest.closed(news)

    # What happens to it.

    def _end(self) -> None:
        self.is_over = True
        self._down.clear()

    def cut(self) -> None:
        self._agenda.after(self._delay(), self._leave)
        self.break_down()

    def go_dead(self) -> None:
        self.is_dead = True
        self._agenda.after(_NOTICED, self._leave)

    def freeze(self) -> None:
        self._is_frozen = True

    def thaw(self) -> None:
        self._is_frozen = False
        for _ in range(len(self._down)):
            self._come_down()

    def hang_up(self) -> None:
        if not self.is_dead and not self.is_over:
            at = max(self._up_at, self._agenda.now + self._delay())
            self._agenda.at(at, self._leave)
        self._end()

    def break_down(self) -> None:
        self._agenda.after(self._delay(), self._lose)

    def _lose(self) -> None:
        if not self.is_over and not self.is_dead:
            self._end()
            self._guest.lost()

    def hush(self) -> None:
        self._guest = Nobody()
