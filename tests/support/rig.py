"""A table on a bench: its own clock, a bank in a folder, and all it says kept."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from bj_game.card import parse_cards
from bj_game.house import House
from bj_protocol import commands
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Leave, Link
from bj_protocol.events import Event
from bj_protocol.messages import Message, Refused, Signed, Snapshot, Update
from bj_protocol.refusal import CloseCode
from bj_protocol.views import Ask, SeatView
from bj_server.bank.bank import Bank
from bj_server.bank.key import digest_of
from bj_server.bank.store import SEGMENT_BYTES, Pause
from bj_server.host import set_table
from bj_server.settings import Settings, TablePlan, load_house
from bj_server.table.clock import Pace
from bj_server.table.dealer import Dealer
from bj_server.table.inbox import (
    Command,
    ConnectionLost,
    FromLine,
    Halt,
    Join,
    Linked,
    TimeUp,
)
from bj_server.table.refusal import RefusalError
from bj_server.table.snapshot import phase_of
from bj_server.table.state import taken_down
from bj_server.table.table import Table
from support.nursery import PATIENCE
from support.serving import key_of

PLAYS: dict[str, Callable[[int], AnyAnswer]] = {
    "hit": lambda prompt: commands.Hit(prompt=prompt),
    "stand": lambda prompt: commands.Stand(prompt=prompt),
    "double": lambda prompt: commands.Double(prompt=prompt),
    "split": lambda prompt: commands.Split(prompt=prompt),
    "decline": lambda prompt: commands.Decline(prompt=prompt),
    "sit_out": lambda prompt: commands.SitOut(prompt=prompt),
    "surrender": lambda prompt: commands.Surrender(prompt=prompt),
    "give_up": lambda prompt: commands.GiveUp(prompt=prompt),
    "even_money": lambda prompt: commands.EvenMoney(prompt=prompt),
    "ace_high": lambda prompt: commands.AceHigh(prompt=prompt),
    "ace_low": lambda prompt: commands.AceLow(prompt=prompt),
    "accept_gift": lambda prompt: commands.AcceptGift(prompt=prompt),
}

_Kind = TypeVar("_Kind", bound=Event)


@dataclass
class FakeAlarm:
    at: float
    ring: Callable[[], None]
    is_set: bool = True

    def cancel(self) -> None:
        self.is_set = False


@dataclass
class FakeClock:
    """A clock that stands still until a test moves it."""

    time: float = 1000.0
    alarms: list[FakeAlarm] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def alarm(self, at: float, ring: Callable[[], None]) -> FakeAlarm:
        self.alarms.append(FakeAlarm(at, ring))
        return self.alarms[-1]

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and ring every alarm that is due, in order."""
        self.time += seconds
        due = sorted((a for a in self.alarms if a.at <= self.time), key=lambda a: a.at)
        for alarm in due:
            if alarm.is_set:
                alarm.cancel()
                alarm.ring()


async def until(condition: Callable[[], object]) -> None:
    """Let the loop and its threads run until ``condition`` holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0)
            await asyncio.to_thread(int)


class KeptOutlet:
    """An outlet that keeps what is said, per line, as a client would hear it."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.texts: list[str] = []
        self.heard: dict[int, list[Message]] = {}
        self.audience: set[int] = set()
        self.dismissed: dict[int, tuple[CloseCode, str]] = {}

    def announce(self, *told: tuple[Update | Signed, str]) -> None:
        for message, text in told:
            if isinstance(message, Update):
                self.updates.append(message)
                self.texts.append(text)
            for line in self.audience:
                self.heard[line].append(message)

    def tell(self, line: int, message: Message) -> None:
        self.heard.setdefault(line, []).append(message)
        if isinstance(message, Snapshot):
            self.audience.add(line)

    def catch_up(self, line: int, seq: int) -> bool:
        missed = [update for update in self.updates if update.seq > seq]
        self.heard[line] += missed
        return bool(missed)

    def dismiss(self, line: int, code: CloseCode, reason: str) -> None:
        self.audience.discard(line)
        self.dismissed[line] = (code, reason)


def hello(line: int, handle: str, player: str | None = None) -> Join:
    """Return the join of a player, by default the one who is named like the handle."""
    return Join(line, handle, digest_of(key_of(player or handle)))


class Rig:
    """A dealer whose commands are carried out at once, as its task would."""

    def __init__(
        self,
        folder: Path,
        *,
        stack: str = "",
        seats: int = 4,
        seed: int | None = 8,
        house: House | None = None,
        pace: Pace | None = None,
        pause: Pause = asyncio.sleep,
        segment_bytes: int = SEGMENT_BYTES,
    ) -> None:
        self.clock = FakeClock()
        self.outlet = KeptOutlet()
        self._pause, self._segment_bytes = pause, segment_bytes
        self.settings = Settings(
            hosts=("",),
            port=0,
            bank=folder,
            tables=(
                TablePlan(
                    name="main",
                    house=house or load_house("cpsc386"),
                    seats=seats,
                    pace=pace or Pace(),
                ),
            ),
            seed=seed,
            stack=parse_cards(stack),
        )
        self._lines = 0
        self.line: dict[str, int] = {}
        self._open(folder)

    def _open(self, folder: Path) -> None:
        self.bank = Bank.open(
            folder,
            keep=self.settings.table_names,
            pause=self._pause,
            segment_bytes=self._segment_bytes,
        )
        try:
            self.table = set_table(self.settings, self.plan, self.bank, self.clock)
        except BaseException:
            self.bank.close()  # as the command does
            raise
        self.dealer = Dealer(self.table, self.outlet)

    @property
    def plan(self) -> TablePlan:
        """How the table is set up."""
        return self.settings.tables[0]

    def restart(self, **changes: Any) -> None:
        """Stop the server in order, and start another, its table set up otherwise.

        Nobody's line outlives it; who was here must ``join`` again.
        """
        self.send(Halt())
        self.bank.close()
        self.line.clear()
        own = {field.name for field in fields(TablePlan)} & changes.keys()
        plan = replace(self.plan, **{name: changes.pop(name) for name in own})
        self.settings = replace(self.settings, tables=(plan,), **changes)
        self._open(self.settings.bank)

    def kill(self) -> None:
        """End the server, which leaves what ``kill -9`` would, and start another."""
        self.bank.journal.write()
        self.bank.stop()
        self.line.clear()
        self._open(self.settings.bank)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.bank.audit()
        self.bank.close()

    def send(self, *batch: Command) -> None:
        """Have the commands carried out as one batch, and say what there is to say."""
        self.dealer.carry_out(batch)
        self.dealer.speak()

    def link(self, line: int, link: Link) -> None:
        """Have a link come on a line, as the session does."""
        try:
            if self.table.hear_link(line, link):
                self.send(Linked())
        except RefusalError as refusal:
            refused = Refused(code=refusal.code, text=refusal.text, prompt=None)
            self.outlet.tell(line, refused)

    def join(self, handle: str) -> int:
        """Join as the player who has always had the handle; return the line."""
        line = self.knock(handle, handle)
        self.line[handle] = line
        return line

    def knock(self, handle: str, player: str) -> int:
        """FromLine hello under a handle with the key of a player; return the line."""
        self._lines += 1
        self.send(hello(self._lines, handle, player))
        return self._lines

    def drop(self, handle: str) -> None:
        self.send(ConnectionLost(self.line[handle]))

    def leave(self, handle: str) -> None:
        self.send(FromLine(self.line[handle], Leave()))

    def answer(self, handle: str, answer: AnyAnswer) -> Refused | None:
        """Send an answer; return the refusal, if it was refused."""
        line = self.line[handle]
        before = len(self.outlet.heard[line])
        self.send(FromLine(line, answer))
        new = self.outlet.heard[line][before:]
        return next((m for m in new if isinstance(m, Refused)), None)

    def bet(self, handle: str, dollars: int = 100) -> None:
        prompt = self.ask(handle).prompt
        bet = commands.PlaceBet(prompt=prompt, amount=dollars * 100)
        assert self.answer(handle, bet) is None

    def insure(self, handle: str, dollars: int) -> None:
        prompt = self.ask(handle).prompt
        insure = commands.Insure(prompt=prompt, amount=dollars * 100)
        assert self.answer(handle, insure) is None

    def play(self, handle: str, *plays: str) -> None:
        for play in plays:
            assert self.answer(handle, PLAYS[play](self.ask(handle).prompt)) is None

    def act(self, handle: str, text: str) -> None:
        """Do what a text says, such as ``bet 50, split, insure 20, stand``."""
        for words in text.split(", "):
            name, _, dollars = words.partition(" ")
            if name == "bet":
                self.bet(handle, int(dollars))
            elif name == "insure":
                self.insure(handle, int(dollars))
            else:
                self.play(handle, name)

    def ask(self, handle: str) -> Ask:
        ask = self._ask(handle)
        assert ask is not None, f"{handle} is not asked"
        return ask

    def is_asked(self, handle: str) -> bool:
        return self._ask(handle) is not None

    def _ask(self, handle: str) -> Ask | None:
        seat = self.table.context.seats.of_handle(handle)
        assert seat is not None, f"{handle} has no seat"
        return self.asks.get(seat.number)

    def legal(self, handle: str) -> set[Action]:
        return set(self.ask(handle).actions)

    @property
    def asks(self) -> dict[int, Ask]:
        """The open asks by seat, as the last message to everyone had them."""
        turn = self.table.turn
        return {ask.seat: ask for ask in turn.asks} if turn else {}

    @property
    def picture(self) -> Snapshot:
        """The table as anyone who sits there would see it now."""
        seat = next(iter(self.table.context.seats))
        line, seat.line = seat.line, -1
        snapshot = self.table.snapshot(-1)
        seat.line = line
        assert snapshot is not None
        return snapshot

    def seat(self, handle: str) -> SeatView:
        return _seat(self.picture, handle)

    def balance(self, handle: str) -> int:
        """Return the free dollars of a player; cents are a fault here."""
        dollars, cents = divmod(self.bank.balance(handle), 100)
        assert not cents
        return dollars

    @property
    def events(self) -> list[Event]:
        """Everything that has been announced."""
        return [event for update in self.outlet.updates for event in update.events]

    def seen(self, kind: type[_Kind]) -> list[_Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    def wait(self, seconds: float) -> None:
        """Let time pass, waking the table whenever it wants to be woken."""
        end = self.clock.time + seconds
        while (wake_at := self.table.wake_at) is not None and wake_at <= end:
            self.clock.time = max(self.clock.time, wake_at)
            self.send(TimeUp())
        self.clock.time = end


def _seat(picture: Snapshot, handle: str) -> SeatView:
    return next(seat for seat in picture.seats if seat.handle == handle)


def state_of(table: Table) -> dict[str, object]:
    """Return all that the bank keeps of a table between two commands."""
    return taken_down(table.context, phase_of(table.phase))


def play_alone(folder: Path, stack: str, text: str) -> None:
    """Have ned21 play at a table with a bank in a folder, as ``Rig.act`` has it."""
    with Rig(folder, stack=stack) as rig:
        rig.join("ned21")
        rig.act("ned21", text)


class Lay:
    """Makes tables whose bank is in one folder; their books are audited at the end."""

    def __init__(self, folder: Path, tables: ExitStack) -> None:
        self._folder, self._tables = folder, tables

    def __call__(self, **options: Any) -> Rig:
        """Make a table; the options are those of ``Rig``."""
        return self._tables.enter_context(Rig(self._folder, **options))
