"""A quick player bets at once, and no sooner than the server has signed."""

from collections import deque
from pathlib import Path

import pytest

from bj_client.fair.witness import Witness
from bj_client.net.connection import Arrival
from bj_client.net.reconnect import ReconnectingLine, ReconnectPolicy
from bj_protocol.codec import encode
from bj_protocol.commands import Command, PlaceBet
from bj_protocol.messages import Message, Refused, Signed, Snapshot
from support.company import Company


class FakeConnection:
    """Brings messages one after another, and keeps what is sent."""

    def __init__(self, messages: list[Message]) -> None:
        first, *rest = messages
        self.first_text = encode(first)
        self.arrivals = deque(
            Arrival(message=each, at=0.0, text=encode(each)) for each in rest
        )
        self.sent: list[Command] = []
        self.waiting = 0

    async def receive(self) -> Arrival:
        if not self.arrivals:
            raise TimeoutError  # nothing comes in time
        return self.arrivals.popleft()

    async def send(self, command: Command) -> None:
        self.sent.append(command)

    async def echo(self, message: Message) -> None:
        self.arrivals.append(Arrival(message=message, at=0.0, is_ours=True))


@pytest.fixture
def welcome(tmp_path: Path) -> list[Message]:
    """Return what a table says to a newcomer."""
    with Company(tmp_path / "bank") as rig:
        line = rig.join("ned21")
        return rig.outlet.heard[line]


async def line_of(connection: FakeConnection, first: Message) -> ReconnectingLine:
    assert isinstance(first, Snapshot)

    async def join() -> tuple[FakeConnection, Snapshot]:
        assert isinstance(first, Snapshot)
        return connection, first

    ear = Witness("here").ear("ned21")
    line = ReconnectingLine("here", join, ReconnectPolicy(), ear)  # type: ignore[arg-type]
    await line.open()
    return line


def bet_on(first: Message) -> PlaceBet:
    assert isinstance(first, Snapshot)
    assert first.turn is not None
    return PlaceBet(prompt=first.turn.asks[0].prompt, amount=1000)


async def test_a_bet_right_after_the_picture_is_sent_with_its_commitment(
    welcome: list[Message],
) -> None:
    assert isinstance(welcome[1], Signed)
    connection = FakeConnection(welcome)
    line = await line_of(connection, welcome[0])
    await line.send(bet_on(welcome[0]))
    (sent,) = connection.sent
    assert isinstance(sent, PlaceBet)
    assert sent.commitment is not None
    assert line.waiting == 1  # the signature, for who wants to see it


async def test_a_bet_where_nothing_is_signed_is_refused_by_the_client_itself(
    welcome: list[Message],
) -> None:
    connection = FakeConnection(welcome[:1])
    line = await line_of(connection, welcome[0])
    await line.send(bet_on(welcome[0]))
    assert not connection.sent
    refused = (await line.receive()).message
    assert isinstance(refused, Refused)
    assert refused.prompt == bet_on(welcome[0]).prompt
    assert "has not signed the start" in refused.text
    assert "--unproven" in refused.text
