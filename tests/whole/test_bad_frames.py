"""Frames that are broken in every way change nothing for anybody else.

A real server plays a round with one witness, who has to decide and does not, while a
stranger sends one bad frame after another, before the hello and at the table.
"""

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.serving import hello
from whole.guest import Guest
from whole.host import Host
from whole.mutation import mutant
from whole.raw import DOCUMENTED, Closed, RawLine, frame

pytestmark = pytest.mark.no_cover  # the same lines, over and over

OPTIONS = (
    *("--max-rate", "0", "--seats", "7", "--no-clock"),
    *("--max-per-address", "60000"),  # so that no connection waits for its turn
)


def resident_kib(process: int) -> int:
    """Return the memory that a process holds."""
    status = Path(f"/proc/{process}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


class Stranger:
    """Sends mutants, on one line after another, and notes what each one brings."""

    def __init__(self, uri: str, seed: int) -> None:
        self.uri = uri
        self.random = random.Random(seed)
        self.line: RawLine | None = None
        self.outcomes: Counter[str | int | None] = Counter()
        self.marker = 1_000_000

    async def send_one(self) -> None:
        """Send one mutant, and wait until it is answered or the line is closed."""
        async with asyncio.timeout(60):
            line = self.line or await self._open()
            self.line = line
            # What needs no answer, such as a pong, is known by that of the next one.
            self.marker += 1
            line.send(mutant(self.random))
            line.send(frame(f'{{"type":"hit","prompt":{self.marker}}}'.encode()))
            try:
                while (message := await line.reply()).get("prompt") != self.marker:
                    self.outcomes[message.get("code", message["type"])] += 1
            except Closed as closed:
                self.outcomes[closed.code] += 1
                self.drop()

    async def _open(self) -> RawLine:
        line = await RawLine.open(self.uri)
        if self.random.random() < 0.5:
            line.send(frame(hello(f"eve{self.random.randrange(3)}").encode()))
            await line.reply()
        return line

    def drop(self) -> None:
        if self.line is not None:
            self.line.drop()
            self.line = None


def seen_of(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Return what a stranger must not change: all but the strangers' own seats."""
    seats = [seat for seat in snapshot["seats"] if seat["handle"] == "ned21"]
    snapshot["turn"].pop("milliseconds")
    kept = ("you", "phase", "round", "dealer", "shoe", "turn")
    return {"seats": seats, **{name: snapshot[name] for name in kept}}


async def mutate(host: Host, number: int) -> str:
    uri = f"ws://{host.address}"
    witness = await Guest.sit(uri, "ned21")
    while (await witness.asked())["actions"][0] == "place_bet":
        await witness.answer("place_bet", 100)  # again after a round without decisions
    before = seen_of(await witness.look())
    stranger = Stranger(uri, seed=7)
    memory = 0
    for sent in range(number):
        if sent == number // 10:  # all that is made once has been made
            memory = resident_kib(host.process.pid)
        if sent % 100 == 0:
            assert seen_of(await witness.look()) == before
        await stranger.send_one()
    stranger.drop()
    grown = resident_kib(host.process.pid) - memory
    assert seen_of(await witness.look()) == before
    while (await witness.asked())["actions"][0] not in {"place_bet", "accept_gift"}:
        actions = (await witness.asked())["actions"]
        await witness.answer("stand" if "stand" in actions else "decline")
    assert witness.seen("hand_settled")
    await witness.line.close()
    codes = {code for code in stranger.outcomes if not isinstance(code, str)}
    assert codes <= DOCUMENTED, codes
    assert grown < 10_000, grown
    assert {"bad_message", 1002, 1007, 1009} <= set(stranger.outcomes)
    told = ", ".join(f"{name} {n}" for name, n in stranger.outcomes.most_common())
    return f"Q7: {number} bad frames, memory +{grown} KiB; {told}"


@pytest.mark.parametrize(
    "number", [1_000, pytest.param(100_000, marks=pytest.mark.torture)]
)
def test_Q7_bad_frames_change_nothing_for_others(tmp_path: Path, number: int) -> None:
    with Host(tmp_path / "bank", *OPTIONS) as host:
        print(asyncio.run(mutate(host, number)))
