"""When a lost line is tried again, how often, and when not."""

from typing import Any

import pytest

from bj_client.error import (
    ClientError,
    HelloRefusedError,
    KeyRefusedError,
    LineLostError,
    UnreachableError,
)
from bj_client.net.address import read_address
from bj_client.net.connection import Connection
from bj_client.net.reconnect import ReconnectingLine, ReconnectPolicy
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Refused, Snapshot
from bj_protocol.refusal import CloseCode, RefusalCode
from support.fake_server import fake_server
from support.message import make_ask
from support.returning import AT_ONCE, cut, in_turn
from support.visit import run_lines


class FakeTime:
    """A clock that moves by sleeping alone."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

    def policy(self, seconds: float, **fields: Any) -> ReconnectPolicy:
        return ReconnectPolicy(
            seconds=seconds,
            chance=lambda: 1.0,
            now=self.now,
            sleep=self.sleep,
            **fields,
        )


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (RefusalCode.TABLE_FULL, HelloRefusedError),
        (RefusalCode.WRONG_KEY, KeyRefusedError),
        (RefusalCode.SEATED_ELSEWHERE, HelloRefusedError),
    ],
)
async def test_a_refusal_on_return_is_the_end(
    code: RefusalCode, kind: type[ClientError]
) -> None:
    async def before(server: Any) -> None:
        await server.hello()
        cut(server)

    async def after(server: Any) -> None:
        await server.hear()
        await server.say(Refused(code=code, text="There is no seat.", prompt=None))
        await server.socket.close(CloseCode.REFUSED, "There is no seat.")

    async with fake_server(in_turn(before, after)) as address:
        with pytest.raises(kind):
            await run_lines(address, "", policy=AT_ONCE)


async def test_a_server_that_refuses_for_a_while_is_tried_again() -> None:
    async def before(server: Any) -> None:
        await server.hello()
        await server.socket.close(CloseCode.SERVER_STOPPING, "Stopping.")

    async def stalled(server: Any) -> None:
        await server.hear()
        code = RefusalCode.BANK_STALLED
        await server.say(Refused(code=code, text="Later.", prompt=None))
        await server.socket.close(CloseCode.REFUSED, "Later.")

    async def no_server(server: Any) -> None:
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        await server.ask_and_part()

    scripts = in_turn(before, stalled, no_server, no_server, after)
    async with fake_server(scripts) as address:
        await run_lines(address, "5\n", policy=AT_ONCE)


@pytest.mark.parametrize(
    "code",
    [CloseCode.LEFT, CloseCode.BAD_MESSAGES, CloseCode.TAKEN_OVER, CloseCode.TOO_BIG],
)
async def test_after_some_closes_there_is_no_return(code: CloseCode) -> None:
    async def before(server: Any) -> None:
        await server.hello()
        await server.socket.close(code, "because")

    async with fake_server(in_turn(before)) as address:
        with pytest.raises(ClientError):
            await run_lines(address, "", policy=AT_ONCE)


@pytest.mark.parametrize("code", [CloseCode.TOO_SLOW, 1011, 1012])
async def test_after_most_closes_there_is(code: int) -> None:
    async def before(server: Any) -> None:
        await server.hello()
        await server.socket.close(code, "because")

    async def after(server: Any) -> None:
        await server.hello(make_ask(1))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        assert "is back" in await run_lines(address, "", policy=AT_ONCE)


async def lost_line(policy: ReconnectPolicy, *outcomes: Exception) -> ReconnectingLine:
    """Return a line that was lost, and that ``outcomes`` keep from coming back."""
    left = iter(outcomes)

    async def join() -> tuple[Connection, Snapshot]:
        raise next(left)

    line = ReconnectingLine("somewhere", join, policy)
    line._connection = Connection(NoSocket(), read_address("localhost"))  # type: ignore[arg-type]
    return line


class NoSocket:
    async def close(self) -> None:
        """Be closed."""


async def test_the_attempts_are_spaced_and_end_in_time() -> None:
    time = FakeTime()
    line = await lost_line(time.policy(12), *[UnreachableError("somewhere")] * 20)
    lost = LineLostError()
    assert line.note(lost)
    with pytest.raises(LineLostError) as ended:
        await line.rejoin()
    assert ended.value is lost
    assert time.slept == [0.25, 0.5, 1.0, 2.0, 4.0, 4.25]


async def test_our_own_server_is_not_waited_for_once_it_is_gone() -> None:
    time = FakeTime()
    line = await lost_line(time.policy(12, is_private=True), UnreachableError("here"))
    assert line.note(LineLostError())
    with pytest.raises(LineLostError):
        await line.rejoin()
    assert time.slept == [0.25]


async def test_without_patience_and_after_leaving_nothing_is_tried() -> None:
    time = FakeTime()
    assert not (await lost_line(time.policy(0))).note(LineLostError())
    assert not (await lost_line(time.policy(9))).note(LineLostError(is_final=True))
    line = await lost_line(time.policy(9))
    line.give_up()
    assert not line.note(LineLostError())
    assert time.slept == []
