"""Messages that are well-formed and wrong change nothing at the table.

Two players are brought to every kind of question that a house asks. At each of them a
seeded stream of wrong answers, repeats, second hellos and answers to what another seat
is asked goes through both lines, and the state of the table is hashed around each.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bj_protocol.codec import decode_message, encode
from bj_protocol.views import Ask
from bj_server.net.limits import Limits, Rates
from bj_server.net.session import Session
from bj_server.settings import load_house
from support.door import Door
from support.rig import PLAYS, Rig, state_of
from support.serving import hello

pytestmark = pytest.mark.no_cover  # the same lines, over and over

PLAYERS = ("ned21", "lia9")
STAGES = [
    # house, stack, the answers that lead there
    ("cpsc386", "", ()),
    ("cpsc386", "", ("bet",)),
    ("cpsc386", "Ts 9s 6h 9d 9c 9h", ("bet", "bet")),
    ("cpsc386", "8s 9s 6h 8d 9c 9h", ("bet", "bet")),
    ("cpsc386", "8s 9s 6h 8d 9c 9h 2s 3s", ("bet", "bet", "split")),
    ("cpsc386", "Ts 9s Ah 9d 9c 9h", ("bet", "bet")),
    ("cpsc386", "4s 9s 6h 5d 9c 9h 2s", ("bet", "bet", "hit")),
    ("cpsc386", "4s 9s 6h 5d 9c 9h Ts", ("bet", "bet", "double")),
    ("vegas-strip", "As 9s Ah Kd 9c 9h", ("bet", "bet")),
    ("cs220", "As", ("bet", "bet")),
    ("iipp6", "", ("bet", "bet")),
]
KINDS = ("place_bet", "insure", *PLAYS)


class Bench:
    """A table whose players have come to one question."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.door = Door(rig)
        self.door.rates = Rates(Limits(rate=0))
        self.lines = [self.door.connect(line) for line in (1, 2)]

    async def sit(self) -> None:
        for (session, _), handle in zip(self.lines, PLAYERS, strict=True):
            await self.say(session, json.loads(hello(handle)))

    async def say(self, session: Session, message: dict[str, Any]) -> None:
        session.received(json.dumps(message))
        if self.door.dealer._inbox._commands:
            await self.door.work()

    async def answer(self, word: str) -> None:
        """Give the first open question an answer that is right."""
        ask = next(iter(self.rig.asks.values()))
        session, transport = self.lines[ask.seat - 1]
        message: dict[str, Any] = {"type": word, "prompt": ask.prompt}
        if word == "bet":
            assert ask.wager is not None
            message |= {"type": "place_bet", "amount": ask.wager.minimum}
        await self.say(session, message)
        assert decode_message(transport.sent[-1]).type == "update", transport.sent[-1]

    def hash(self) -> str:
        """Return what the table and the books are, in short."""
        books = [self.rig.bank.balance(handle) for handle in PLAYERS]
        asks = [ask.model_dump() for ask in self.rig.asks.values()]
        state = json.dumps([state_of(self.rig.table), books, asks], default=str)
        return hashlib.sha256(state.encode()).hexdigest()


@contextmanager
def benches(folder: Path) -> Iterator[list[tuple[Bench, tuple[str, ...]]]]:
    rigs = []
    try:
        for number, (house, stack, answers) in enumerate(STAGES):
            path = folder / str(number)
            rig = Rig(path, stack=stack, seats=2, house=load_house(house))
            rigs.append((rig, answers))
        yield [(Bench(rig), answers) for rig, answers in rigs]
    finally:
        for rig, _ in rigs:
            rig.__exit__(None, None, None)


def is_right(ask: Ask, message: dict[str, Any]) -> bool:
    """Tell whether a message is one of those for which it is asked."""
    amount, wager = message.get("amount"), ask.wager
    if message["type"] not in ask.actions:
        return False
    if amount is None or wager is None:
        return True
    is_in_range = bool(wager.minimum <= amount <= wager.maximum)
    is_one_spot = message.get("spots", 1) == 1
    return is_in_range and is_one_spot and not amount % wager.step


def wrong(random_: random.Random, ask: Ask | None, asks: dict[int, Ask]) -> str:
    """Return a message that the player who is asked ``ask`` must not send."""
    if random_.random() < 0.05:
        return hello(random_.choice([*PLAYERS, "eve"]))
    while True:
        prompts = [asked.prompt for asked in asks.values()]
        others = [*prompts, 0, -1, 1, 99, 2**63, max(prompts) + 1]
        is_own = ask is not None and random_.random() < 0.7
        prompt = ask.prompt if ask and is_own else random_.choice(others)
        kind = random_.choice(KINDS)
        message: dict[str, Any] = {"type": kind, "prompt": prompt}
        if kind in {"place_bet", "insure"}:
            message["amount"] = random_.choice([-100, -1, 0, 1, 150, 2**53, 10**12])
        if kind == "place_bet" and random_.random() < 0.5:
            message["amount"], message["spots"] = 100, random_.choice([-1, 0, 2, 99])
        if ask is None or prompt != ask.prompt or not is_right(ask, message):
            return json.dumps(message)


async def send_wrong(bench: Bench, random_: random.Random, before: str) -> str:
    """Send one wrong message, see that nothing changes, and return the answer."""
    seat = random_.choice([1, 2])
    session, transport = bench.lines[seat - 1]
    _, others = bench.lines[2 - seat]
    heard, said = len(others.sent), len(transport.sent)
    text = wrong(random_, bench.rig.asks.get(seat), bench.rig.asks)
    await bench.say(session, json.loads(text))
    assert bench.hash() == before, text
    assert len(others.sent) == heard, text
    assert len(transport.sent) == said + 1, text
    message = decode_message(transport.sent[-1])
    assert message.type in {"refused", "answered"}, encode(message)
    return str(getattr(message, "code", message.type))


@pytest.mark.parametrize(
    "number", [1_000, pytest.param(20_000, marks=pytest.mark.torture)]
)
async def test_Q8_messages_that_are_wrong_leave_the_table_as_it_is(
    tmp_path: Path, number: int
) -> None:
    random_ = random.Random(8)
    codes: dict[str, int] = {}
    with benches(tmp_path) as all_of_them:
        for bench, answers in all_of_them:
            await bench.sit()
            for word in answers:
                await bench.answer(word)
            before = bench.hash()
            for _ in range(number // len(STAGES)):
                code = await send_wrong(bench, random_, before)
                codes[code] = codes.get(code, 0) + 1
    assert {"not_asked", "wrong_answer", "already_joined"} <= set(codes)
    assert {"below_minimum", "prompt_over", "answered"} <= set(codes)
    shown = ", ".join(f"{code} {n}" for code, n in sorted(codes.items()))
    print(f"Q8: {number} wrong messages in {len(STAGES)} places, 0 changes; {shown}")
