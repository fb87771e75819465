"""Q12, T13: a line that is cut again and again, beside one that is not."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bj_client.bot.bot import read_bot
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.play.bot_session import AutoSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import NoOutput
from bj_client.play.visit import Visit
from bj_protocol.messages import Snapshot, Update
from support.serving import serving
from whole.onlooker import Onlooker, picture_of
from whole.wire_cutter import Fate, Piece, Plan, WireCutter, wire_cutter

pytestmark = pytest.mark.no_cover  # the same lines, over and over

PATIENT = ("--no-clock", "--hold-seconds", "600")
BOUNDARIES = (b'"betting_opened"', b'"round_began"', b'"round_ended"')


class Diary(Narrator):
    """Compares all that is told with what a onlooker heard."""

    def __init__(self, onlooker: Onlooker) -> None:
        super().__init__(NoOutput(), Faces(symbols=False))
        self._witness = onlooker
        self._seat = 0
        self.cutter: WireCutter | None = None
        self.told = 0
        self.pictures = 0
        self.losses = self.returns = 0
        self.slowest = 0.0
        self._stirred = asyncio.Event()

    async def welcome(self, table: Table, notices: object) -> None:
        self._seat = table.seat_number
        assert self.cutter is not None
        self.cutter.is_armed = True

    async def update(self, table: Table, update: Update) -> None:
        await self._witness.until(update.seq)
        expected = self._witness.between(table.seq, update.seq)
        assert list(update.events) == expected
        await super().update(table, update)
        self.told += len(expected)
        self._compare(table)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        await self._witness.until(snapshot.seq)
        assert snapshot.seq > table.seq
        await super().picture(table, snapshot)
        self.pictures += 1
        self._compare(table)

    async def notice(self, sentence: str) -> None:
        self.losses += sentence.endswith("is lost; trying again...")
        if sentence.endswith("is back."):
            assert self.cutter is not None
            now = asyncio.get_running_loop().time()
            self.slowest = max(self.slowest, now - self.cutter.opened_at)
            self.returns += 1
        self._stirred.set()

    async def stir(self) -> None:
        """Wait until something is told."""
        self._stirred.clear()
        await self._stirred.wait()

    def _compare(self, table: Table) -> None:
        """Hold the table against that of the onlooker at the same update."""
        assert picture_of(table) == self._witness.pictures[table.seq]
        assert table.seat_number == self._seat
        handles = [seat.handle for seat in table.seats.values()]
        assert len(handles) == len(set(handles))
        self._stirred.set()


def at_random(chance: random.Random) -> Plan:
    """Cut somewhere in a piece, on average after a dozen, also while greeting."""

    def plan(_: Piece) -> Fate:
        return _cut(chance) if chance.random() < 1 / 12 else Fate()

    return plan


def at_boundaries(chance: random.Random) -> Plan:
    """Cut before, in or after every piece that opens or ends a round."""

    def plan(piece: Piece) -> Fate:
        is_boundary = any(word in piece.data for word in BOUNDARIES)
        return _cut(chance) if is_boundary and not piece.is_upward else Fate()

    return plan


def _cut(chance: random.Random) -> Fate:
    return Fate(part=chance.choice((0.0, chance.random(), 1.0)), is_last=True)


def with_mercy(plan: Plan, chance: random.Random, diary: Diary) -> Plan:
    """Cut no more than three lines in a row, so that the player comes back at last."""
    returns, left = -1, 0

    def merciful(piece: Piece) -> Fate:
        nonlocal returns, left
        if diary.returns != returns:
            returns, left = diary.returns, chance.choice((1, 1, 2, 3))
        fate = plan(piece) if left else Fate()
        left -= fate.is_last
        return fate

    return merciful


async def run_drops(
    folder: Path, drops: int, make: Callable[[random.Random], Plan]
) -> str:
    """Let ned21 play through a proxy that cuts the line, and compare all along."""
    chance = random.Random(12)
    policy = ReconnectPolicy(seconds=60, chance=lambda: 0.01 * chance.random())
    async with serving(folder / "bank", *PATIENT) as uri:
        onlooker = await Onlooker.sit(uri, "lia9")
        diary = Diary(onlooker)
        plan = with_mercy(make(chance), chance, diary)
        async with wire_cutter(uri, plan) as (cutter, address):
            diary.cutter = cutter
            visit = Visit(
                ("ned21",),
                diary,
                lambda hotseat, narrator: AutoSession(
                    hotseat.storyteller, narrator, read_bot("basic").make(1000)
                ),
                keys=Keyring(address.name, warn=pytest.fail),
                policy=policy,
            )
            tasks = [
                asyncio.create_task(onlooker.play()),
                asyncio.create_task(visit.run(address)),
                asyncio.create_task(lose_enough(diary, cutter, drops)),
            ]
            done, _ = await asyncio.wait(
                tasks, return_when=asyncio.FIRST_COMPLETED, timeout=60 + drops
            )
            for task in reversed(tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert done, "the table stands still"
            for task in done:
                task.result()
        await onlooker.line.close()
    return (
        f"{cutter.cuts} cuts, {diary.losses} losses, {diary.returns} returns, the "
        f"slowest {diary.slowest:.3f} s; {diary.told} events and {diary.pictures} "
        "pictures were those of the onlooker"
    )


async def lose_enough(diary: Diary, cutter: WireCutter, drops: int) -> None:
    """Wait until the line was lost so often, and more was heard after the last time."""
    while diary.losses < drops:
        await diary.stir()
    cutter.is_armed = False
    told = diary.told
    while diary.returns < diary.losses or diary.told < told + 20:
        await diary.stir()


@pytest.mark.parametrize("plan", [at_random, at_boundaries])
async def test_Q12_T13_after_some_drops_all_is_as_a_witness_saw_it(
    tmp_path: Path, plan: Callable[[random.Random], Plan]
) -> None:
    print(await run_drops(tmp_path, 15, plan))


@pytest.mark.torture
@pytest.mark.parametrize("plan", [at_random, at_boundaries])
async def test_Q12_T13_after_1000_drops_all_is_as_a_witness_saw_it(
    tmp_path: Path, plan: Callable[[random.Random], Plan]
) -> None:
    print(await run_drops(tmp_path, 1000, plan))
