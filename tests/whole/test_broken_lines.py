"""A client that dies in the middle of what is told to all is missed by nobody."""

import asyncio
import json
from pathlib import Path

import pytest

from support.serving import hello, serving
from whole.guest import Guest
from whole.raw import RawLine, frame

OPTIONS = ("--no-clock",)


class Survivor:
    """Plays round after round, and hears every update in its order."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.seq: int = guest.snapshot["seq"]
        self.answered = 0

    async def play_round(self) -> None:
        """Bet, answer whatever is asked, and hear until bets are open again."""
        kinds = {""}
        while "betting_opened" not in kinds:
            await self.answer()
            kinds = await self.hear()

    async def hear(self) -> set[str]:
        """Return the types of the events in the next update."""
        message = await self.guest.hear()
        assert message["type"] == "update", message
        assert message["seq"] == self.seq + 1, "an update was left out"
        self.seq = message["seq"]
        return {event["type"] for event in message["events"]}

    async def answer(self) -> None:
        """Answer what this seat is asked, once."""
        for ask in self.guest.turn["asks"] if self.guest.turn else ():
            if ask["seat"] == self.guest.seat and ask["prompt"] > self.answered:
                self.answered = ask["prompt"]
                kinds = ("place_bet", "stand", "decline", "accept_gift")
                kind = next(kind for kind in kinds if kind in ask["actions"])
                amount = {"amount": 100} if kind == "place_bet" else {}
                text = json.dumps({"type": kind, "prompt": ask["prompt"], **amount})
                await self.guest.line.send(text)


async def sit_down(uri: str) -> RawLine:
    """Join as the one who will die."""
    line = await RawLine.open(uri)
    line.send(frame(hello("victim").encode()))
    assert (await line.hear())["type"] == "snapshot"
    assert (await line.hear())["type"] == "signed"
    return line


async def die(line: RawLine, *, is_abrupt: bool) -> None:
    """Wait for the first of the updates that follow, and be gone."""
    assert (await line.hear())["type"] == "update"
    line.drop() if is_abrupt else line.writer.close()


@pytest.mark.parametrize("times", [20, pytest.param(1_000, marks=pytest.mark.torture)])
async def test_N7_a_client_that_dies_between_two_frames_is_missed_by_nobody(
    tmp_path: Path, times: int
) -> None:
    async with serving(tmp_path / "bank", *OPTIONS) as uri:
        guests = [await Guest.sit(uri, handle) for handle in ("ned21", "lia9")]
        survivors = [Survivor(guest) for guest in guests]
        await survivors[0].hear()  # the other one has joined
        for number in range(times):
            dying = die(await sit_down(uri), is_abrupt=number % 2 == 0)
            await asyncio.gather(*[each.play_round() for each in survivors], dying)
        assert survivors[0].seq == survivors[1].seq
        for guest in guests:
            assert len(guest.seen("round_ended")) == times
            await guest.line.close()
    print(f"N7: {times} deaths in the middle of a broadcast, 0 updates left out")
