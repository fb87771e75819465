"""A line that is lost comes back: what the players see, and what the server hears."""

import asyncio
import os
from io import StringIO
from typing import Any

import pytest

from bj_client.bot.bot import read_bot
from bj_client.error import ClientError
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.net.address import Address
from bj_client.net.keyring import Keyring
from bj_client.net.reconnect import ReconnectPolicy
from bj_client.play.bot_session import AutoSession
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import PipedInput
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from bj_protocol.action import Action
from bj_protocol.commands import Chat, Hit, Leave, PlaceBet, Resync, Stand
from bj_protocol.events import Announced, BetPlaced, PlayerJoined
from bj_protocol.messages import Answered, Refused
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import StoryView, You
from support.fake_server import fake_server
from support.message import make_ask, make_seat, make_snapshot
from support.returning import AT_ONCE, cut, in_turn
from support.visit import run_lines

TESS = PlayerJoined(seat=3, handle="tess", balance=100)
MY_BET = BetPlaced(seat=2, amount=500, balance=999_500)
PLAY = (Action.HIT, Action.STAND)


async def test_an_answer_that_may_be_lost_is_sent_again_under_its_prompt() -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        cut(server)

    async def after(server: Any) -> None:
        hello = await server.hello(make_ask(7))
        assert hello.handle == "ned21"
        assert hello.key
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        await server.update(11, MY_BET, asks=(make_ask(8, *PLAY),))
        assert await server.hear() == Stand(prompt=8)
        await server.ask_and_part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\nstand\n", policy=AT_ONCE)
    assert f"The line to {address.shown} is lost; trying again..." in shown
    assert f"The line to {address.shown} is back." in shown
    assert "missed" not in shown
    assert shown.count("ned21 bets") == 1


@pytest.mark.parametrize("is_known", [True, False])
async def test_an_answer_that_is_known_to_have_arrived_is_not_sent_again(
    is_known: bool,
) -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        if is_known:
            await server.update(11, MY_BET)
        await server.socket.close(CloseCode.SERVER_STOPPING, "Stopping.")

    async def after(server: Any) -> None:
        await server.hello(make_ask(8, *PLAY), seq=11)
        if not is_known:
            assert await server.hear() == Resync(seq=10)
            await server.update(11, MY_BET, asks=(make_ask(8, *PLAY),))
            assert await server.hear() == PlaceBet(prompt=7, amount=500)
            repeat = Answered(prompt=7, answer=Action.PLACE_BET, seq=11)
            await server.say(repeat)
        assert await server.hear() == Hit(prompt=8)
        await server.update(12, asks=(make_ask(9),))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\nhit\n", policy=AT_ONCE)
    assert shown.count("ned21 bets") == 1


async def test_what_was_missed_is_told_in_order_and_once() -> None:
    bob = PlayerJoined(seat=4, handle="bob", balance=100)
    kim = PlayerJoined(seat=5, handle="kim", balance=100)

    async def before(server: Any) -> None:
        await server.hello()
        await server.update(11, TESS, asks=(make_ask(4),))
        await server.socket.close(CloseCode.TOO_SLOW, "Too slow.")

    async def after(server: Any) -> None:
        await server.hello(make_ask(6), seq=13)
        await server.update(14, kim, asks=(make_ask(6),))
        assert await server.hear() == Resync(seq=11)
        await server.update(12, bob, asks=(make_ask(5),))
        await server.update(13, Announced(text="Dinner."), asks=(make_ask(6),))
        await server.update(14, kim, asks=(make_ask(6),))
        assert await server.hear() == PlaceBet(prompt=6, amount=500)
        await server.ask_and_part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE, when="kim sits down")
    words = ("tess sits", "lost", "back", "bob sits", "Dinner.", "kim sits")
    places = [shown.index(word) for word in words]
    assert places == sorted(places)
    assert [shown.count(f"{name} sits") for name in ("tess", "bob", "kim")] == [1, 1, 1]
    assert "Some news was missed" not in shown


async def test_a_picture_stands_for_what_the_server_no_longer_has() -> None:
    async def after(server: Any) -> None:
        await server.hello(make_ask(6), seq=30, notices=("Your stake came back.",))
        assert await server.hear() == Resync(seq=10)
        await server.say(make_snapshot(make_ask(7), seq=31, notices=("Welcome.",)))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        await server.update(32, MY_BET)
        await server.ask_and_part()

    async def before(server: Any) -> None:
        await server.hello(make_ask(1), notices=("Welcome.",))
        cut(server)

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE, when="missed")
    assert shown.count("Some news was missed; this is the table now.") == 1
    assert shown.count("Your stake came back.") == 1
    assert shown.count("Welcome.") == 1


@pytest.mark.parametrize("is_same", [True, False])
async def test_what_another_run_of_the_server_tells_is_not_folded_on(
    is_same: bool,
) -> None:
    """Its numbers may have been given before, to what was never written down."""

    def story(run: str) -> StoryView:
        return StoryView(key="1" * 64, run=run * 64, head="3" * 64)

    async def before(server: Any) -> None:
        await server.hello(make_ask(6), story=story("a"))
        await server.update(11, Announced(text="The table pauses."))
        cut(server)

    async def after(server: Any) -> None:
        run = story("a" if is_same else "b")
        await server.hello(make_ask(7), seq=12, story=run)
        if is_same:
            assert await server.hear() == Resync(seq=11)
            await server.update(12, TESS, asks=(make_ask(7),))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        await server.update(13, MY_BET)
        await server.ask_and_part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE, when="is back")
    assert ("Some news was missed" in shown) is not is_same
    assert ("tess sits" in shown) is is_same


async def test_a_line_that_is_lost_again_while_catching_up_comes_back_again() -> None:
    async def before(server: Any) -> None:
        await server.hello()
        cut(server)

    async def halfway(server: Any) -> None:
        await server.hello(seq=12, notices=("Mind the step.",))
        assert await server.hear() == Resync(seq=10)
        await server.update(11, TESS)
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(3), seq=11)
        assert await server.hear() == Resync(seq=10)
        await server.update(11, TESS)
        assert await server.hear() == PlaceBet(prompt=3, amount=500)
        await server.ask_and_part()

    async with fake_server(in_turn(before, halfway, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE)
    for words in ("is lost", "is back", "tess sits down", "Mind the step."):
        assert shown.count(words) == 1


async def test_a_new_seat_is_taken_for_ours() -> None:
    async def before(server: Any) -> None:
        await server.hello()
        cut(server)

    async def after(server: Any) -> None:
        seats = (make_seat(1, "lia9"), make_seat(2, "tess"), make_seat(3, "ned21"))
        you = You(handle="ned21", seat=3)
        await server.hello(make_ask(3, seat=3), seq=40, seats=seats, you=you)
        assert await server.hear() == PlaceBet(prompt=3, amount=500)
        await server.update(41, asks=(make_ask(4, seat=3),))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE)
    assert "Seat 3: ned21 (you)" in shown


class Typist(StringIO):
    """An output whose reader types a line each time that certain words appear."""

    def __init__(self, typed: dict[str, str]) -> None:
        super().__init__()
        self.keyboard, self._end = os.pipe()
        self.said = asyncio.Event()
        self._typed = typed

    def write(self, text: str) -> int:
        for words in [words for words in self._typed if words in text]:
            os.write(self._end, f"{self._typed.pop(words)}\n".encode())
        if "counts for nothing" in text:
            self.said.set()
        return super().write(text)

    def close(self) -> None:
        # Collecting a stream closes it once more; the numbers are others' by then.
        for end in (self.keyboard, self._end):
            if end >= 0:
                os.close(end)
        self.keyboard = self._end = -1


async def play_live(address: Address, typist: Typist, policy: ReconnectPolicy) -> str:
    """Play by the lines that a person types, and return what was shown."""
    paper = PlainOutput(typist)

    def session(hotseat: Hotseat, narrator: Narrator) -> LineSession:
        source = PipedInput(typist.keyboard, paper, is_live=True, inline=False)
        return LineSession(hotseat, narrator, source)

    visit = Visit(
        ("ned21",),
        Narrator(paper, Faces(symbols=True)),
        session,
        keys=Keyring(address.name, warn=pytest.fail),
        policy=policy,
    )
    try:
        async with asyncio.timeout(60):
            await visit.run(address)
    finally:
        typist.close()
    return typist.getvalue()


async def test_what_a_person_types_meanwhile_answers_no_later_question() -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(1, *PLAY))
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(2, *PLAY))
        assert await server.hear() == Stand(prompt=2)
        await server.update(11, TESS)
        assert await server.hear() == Leave()
        await server.socket.close()

    typist = Typist({"trying again": "hit", "is back.": "stand", "tess sits": "q"})

    async def wait(_: float) -> None:
        await typist.said.wait()

    async with fake_server(in_turn(before, after)) as address:
        policy = ReconnectPolicy(seconds=30, sleep=wait)
        shown = await play_live(address, typist, policy)
    assert shown.count("so that counts for nothing") == 1


async def test_13_8_what_was_said_and_not_heard_is_not_kept_secret() -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == Chat(text="hello")
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == Leave()
        await server.socket.close()

    typist = Typist({"Bet (": "/say hello", "were lost with the line": "q"})
    async with fake_server(in_turn(before, after)) as address:
        shown = await play_live(address, typist, AT_ONCE)
    assert shown.count("Your last words were lost with the line") == 1


async def test_q_leaves_while_the_line_is_lost() -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(1))
        cut(server)

    async def forever(_: float) -> None:
        await asyncio.Event().wait()

    async with fake_server(in_turn(before)) as address:
        policy = ReconnectPolicy(seconds=30, sleep=forever)
        shown = await play_live(address, Typist({"trying again": "q"}), policy)
    assert "back" not in shown


async def test_a_bot_plays_on() -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=1000)
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(2), seq=11, notices=("Hello again.",))
        assert await server.hear() == Resync(seq=10)
        await server.update(11, TESS, asks=(make_ask(2),))
        assert await server.hear() == PlaceBet(prompt=1, amount=1000)
        over = Refused(code=RefusalCode.PROMPT_OVER, text="Too late.", prompt=1)
        await server.say(over)
        assert await server.hear() == PlaceBet(prompt=2, amount=1000)
        await server.socket.close(CloseCode.TAKEN_OVER, "again")

    output = StringIO()
    bot = read_bot("basic").make(1000)
    visit = Visit(
        ("ned21",),
        Narrator(PlainOutput(output), Faces(symbols=True)),
        lambda hotseat, narrator: AutoSession(hotseat.storyteller, narrator, bot),
        keys=Keyring("bot", warn=pytest.fail),
        policy=AT_ONCE,
    )
    async with fake_server(in_turn(before, after)) as address, asyncio.timeout(60):
        with pytest.raises(ClientError):
            await visit.run(address)
    late = "Your last answer was lost"
    words = ("is lost; trying again", "is back", "Hello again.", "tess sits", late)
    places = [output.getvalue().index(word) for word in words]
    assert places == sorted(places)


def test_a_record_goes_with_its_player_to_another_seat(table: Table) -> None:
    record = table.record
    seats = (make_seat(1, "lia9"), make_seat(2, "tess"), make_seat(4, "ned21"))
    table.apply(make_snapshot(seats=seats, you=You(handle="ned21", seat=4)))
    assert table.record is record
    assert (table.me.number, table.me.handle) == (4, "ned21")
    table.fold(PlayerJoined(seat=5, handle="ned21", balance=1))
    assert list(table.ours) == [5]
