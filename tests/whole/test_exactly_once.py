"""Q9, N12: answers that arrive up to three times, or not at all, act once."""

import asyncio
import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from bj_client.bot.bot import Bot
from bj_client.model.table import Table
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.play.bot_session import AutoSession
from bj_client.play.hotseat import Hotseat
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Visit
from bj_game.strategies import BasicPlayer
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.views import Ask
from bj_server.bank.history import read_history
from bj_server.bank.line import Line
from bj_server.bank.pending import changed
from support.serving import serving
from whole.guest import Guest, table
from whole.wire_cutter import Fate, Piece, Plan, WireCutter, wire_cutter

pytestmark = pytest.mark.no_cover  # the same lines, over and over

HANDLES = ("ned21", "lia9")
PATIENT = ("--no-clock", "--hold-seconds", "600")
GREETINGS = 2
"""Pieces that open a line before the first answer: the request and the hello."""


class Noted(Bot):
    """A bot that notes what it has answered, by prompt."""

    def __init__(self, answers: dict[int, AnyAnswer], enough: asyncio.Event) -> None:
        super().__init__(BasicPlayer(bet=10))
        self._answers = answers
        self._enough = enough

    def answer(self, ask: Ask, table: Table) -> AnyAnswer:
        answer = super().answer(ask, table)
        self._answers[ask.prompt] = answer
        self._enough.set()
        return answer


class Applied:
    """What the journal says of the players' answers."""

    def __init__(self, folder: Path) -> None:
        self.lines: dict[str, int] = defaultdict(int)
        """Bets and decisions of each player that were written down."""
        self.prompts: dict[str, set[int]] = defaultdict(set)
        """The prompts of each player that were answered."""
        self._bets: set[tuple[str, int | None]] = set()
        self._handles: dict[int, str] = {}
        self._state: Any = {}
        read_history(folder, None, self._note)

    def _note(self, line: Line) -> None:
        data: Any = line.data
        match line.kind:
            case "stake":
                (source,) = {move.source for move in line.moves}
                handle = source.removeprefix("player:")
                assert (handle, line.round) not in self._bets
                self._bets.add((handle, line.round))
                self.lines[handle] += 1
            case "answer" if "by" not in data:
                self.lines[self._handles[data["seat"]]] += 1
            case "seal":
                self._state = changed(self._state, data)
                for seat in self._state["seats"]:
                    self._handles[seat["seat"]] = seat["handle"]
                    if "last" in seat:
                        self.prompts[seat["handle"]].add(seat["last"][0])
            case _:
                pass


def clumsy(chance: random.Random) -> Plan:
    """Send an answer up to three times, and cut the line now and then.

    Either the answer is lost, or what the server says to it, or both arrive.
    """

    def plan(piece: Piece) -> Fate:
        if not piece.is_upward:
            return Fate(part=0.0, is_last=True) if chance.random() < 0.05 else Fate()
        if piece.number < GREETINGS:
            return Fate()
        is_last = chance.random() < 0.2
        part = chance.choice((0.0, chance.random(), 1.0)) if is_last else 1.0
        return Fate(copies=chance.choice((1, 2, 3)), part=part, is_last=is_last)

    return plan


async def run_answers(folder: Path, count: int) -> str:
    """Let two bots answer ``count`` times, then compare with the journal."""
    chance = random.Random(9)
    answers: dict[str, dict[int, AnyAnswer]] = {handle: {} for handle in HANDLES}
    async with (
        serving(folder / "bank", *PATIENT) as uri,
        wire_cutter(uri, clumsy(chance)) as (cutter, address),
    ):
        visits = []
        enough = asyncio.Event()
        keys = Keyring(address.name, warn=pytest.fail)
        policy = ReconnectPolicy(seconds=60, chance=lambda: 0.01 * chance.random())
        for handle in HANDLES:
            bot = Noted(answers[handle], enough)

            def session(
                hotseat: Hotseat, narrator: Narrator, by: Bot = bot
            ) -> AutoSession:
                return AutoSession(hotseat.storyteller, narrator, by)

            visit = Visit(
                (handle,), Narrator.silent(), session, keys=keys, policy=policy
            )
            visits.append(asyncio.create_task(visit.run(address)))
            await visit.seated.wait()
        async with asyncio.timeout(60 + count / 5):
            await answer_enough(cutter, enough, answers, count, visits)
        for task in visits:
            task.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
    return compare(Applied(folder / "bank"), answers, cutter)


async def answer_enough(
    cutter: WireCutter,
    enough: asyncio.Event,
    answers: dict[str, dict[int, AnyAnswer]],
    count: int,
    visits: list[asyncio.Task[None]],
) -> None:
    cutter.is_armed = True
    while sum(map(len, answers.values())) < count:
        enough.clear()
        waiting = asyncio.create_task(enough.wait())
        await asyncio.wait({waiting, *visits}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        for visit in visits:
            assert not visit.done(), visit.exception()
    cutter.is_armed = False


def compare(
    applied: Applied, answers: dict[str, dict[int, AnyAnswer]], cutter: WireCutter
) -> str:
    """See that what was answered was done, and done once."""
    late = 0
    for handle, given in answers.items():
        prompts = applied.prompts[handle]
        assert applied.lines[handle] == len(prompts)
        assert prompts <= given.keys()
        in_vain = (
            given.keys() - prompts - {max(given)}
        )  # the last is cut off by leaving
        late += len(in_vain)
        # A bet may come when the bets are closed; nobody is hurried once cards lie.
        assert {given[prompt].type for prompt in in_vain} <= {Action.PLACE_BET}
    return (
        f"{sum(map(len, answers.values()))} answers over {cutter.cuts} cut lines: "
        f"{sum(applied.lines.values())} were applied, each once, and {late} bets came "
        "too late for their round"
    )


async def test_Q9_N12_some_answers_sent_again_and_again_act_once(
    tmp_path: Path,
) -> None:
    print(await run_answers(tmp_path, 100))


@pytest.mark.torture
async def test_Q9_N12_10000_answers_sent_again_and_again_act_once(
    tmp_path: Path,
) -> None:
    print(await run_answers(tmp_path, 10_000))


def doubles(bank: Path) -> int:
    """Return how many doubles are in the journal."""
    found: list[Line] = []
    read_history(bank, None, found.append)
    return sum(line.data.get("play") == "double" for line in found)


async def test_N12_a_double_whose_answer_is_lost_is_sent_again_and_acts_once(
    tmp_path: Path,
) -> None:
    answers: dict[int, AnyAnswer] = {}
    enough, bank = asyncio.Event(), tmp_path / "bank"

    def lose_the_answer_to_the_double(piece: Piece) -> Fate:
        is_doubled = any(a.type is Action.DOUBLE for a in answers.values())
        if piece.is_upward or not is_doubled or cutter.cuts:
            return Fate()
        return Fate(part=0.0, is_last=True)

    def session(hotseat: Hotseat, narrator: Narrator) -> AutoSession:
        bot = Noted(answers, enough)
        return AutoSession(hotseat.storyteller, narrator, bot)

    async with (
        serving(bank, *PATIENT, "--stack", "6s 9h 5d 8h Ts") as uri,
        wire_cutter(uri, lose_the_answer_to_the_double) as (cutter, address),
    ):
        cutter.is_armed = True
        visit = Visit(
            ("ned21",),
            Narrator.silent(),
            session,
            keys=Keyring(address.name, warn=pytest.fail),
            policy=ReconnectPolicy(seconds=60, chance=lambda: 0.0),
        )
        playing = asyncio.create_task(visit.run(address))
        async with asyncio.timeout(60):
            while len(answers) < 3:  # the third is the bet on the next round
                enough.clear()
                await enough.wait()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        assert cutter.cuts == 1
    kinds = [answer.type for answer in answers.values()]
    assert kinds == [Action.PLACE_BET, Action.DOUBLE, Action.PLACE_BET]
    assert doubles(bank) == 1
    assert set(list(answers)[:2]) <= Applied(bank).prompts["ned21"]


async def test_N12_a_double_that_comes_again_gets_the_recorded_answer(
    tmp_path: Path,
) -> None:
    stack = ("--stack", "6s Ts 9h 5d 9s 8h Td 2s")
    async with table(tmp_path, "ned21", "lia9", options=(*PATIENT, *stack)) as guests:
        ned, lia = guests
        await ned.answer("place_bet", 100)
        await lia.answer("place_bet", 100)
        bet, prompt = 1, (await ned.asked())["prompt"]
        double = {"type": "double", "prompt": prompt}
        await ned.line.send(json.dumps(double))
        while not lia.seen("hand_doubled"):
            await lia.hear()
        ned.line.transport.abort()  # what the server has said to it is not read
        ned = guests[0] = await Guest.sit(ned.uri, "ned21")
        (seat,) = (s for s in ned.snapshot["seats"] if s["handle"] == "ned21")
        assert (seat["balance"], seat["hands"][0]["stake"]) == (980_000, 20_000)
        recorded = await say(ned, double)
        assert (recorded["type"], recorded["answer"]) == ("answered", "double")
        assert recorded["prompt"] == prompt
        assert await say(ned, double) == recorded
        assert await say(ned, double | {"type": "hit"}) == recorded
        # What is in progress is asked of another, and no answer to what is over.
        assert ned.turn is not None
        (ask,) = ned.turn["asks"]
        for other, code in ((ask["prompt"], "not_asked"), (bet, "prompt_over")):
            refused = await say(ned, double | {"prompt": other})
            assert (refused["type"], refused["code"]) == ("refused", code)
        await lia.answer("stand")
        assert await say(ned, double) == recorded
        await ned.answer("place_bet", 100)
        assert (await say(ned, double))["code"] == "prompt_over"
    assert doubles(tmp_path / "bank") == 1


async def say(guest: Guest, answer: dict[str, Any]) -> dict[str, Any]:
    """Send an answer, and return what is said to it alone."""
    await guest.line.send(json.dumps(answer))
    while (message := await guest.hear())["type"] == "update":
        pass
    return message
