"""Two players at one keyboard, lia9 and ned21, against a server the test plays."""

from typing import Any

import pytest

from bj_client.error import HelloRefusedError, LineLostError, TakenOverError
from bj_client.net.address import Address
from bj_protocol.action import By
from bj_protocol.commands import Command, Leave, PlaceBet, Resync, SitOut, Stand
from bj_protocol.events import (
    BettingOpened,
    PlayerJoined,
    RoundBegan,
    SatOut,
)
from bj_protocol.messages import Refused
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import Outcome, You
from support.fake_server import fake_server
from support.hotseat import (
    BETS,
    DEALT,
    HANDLES,
    OVER,
    PLAYS,
    Table,
    bet,
    settled,
)
from support.message import make_ask, make_seat, make_snapshot
from support.visit import run_lines


def prompts(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if line.endswith("?")]


class Played:
    """Plays both visits by typed lines, and returns what was shown."""

    async def __call__(self, table: Table, typed: str, **fields: Any) -> str:
        async with fake_server(table.serve) as address:
            return await run_lines(address, typed, handles=HANDLES, **fields)


@pytest.fixture
def played() -> Played:
    return Played()


async def test_cpsc386_01_players_decide_in_turn_each_on_a_line_of_their_own(
    played: Played,
) -> None:
    heard: list[Command] = []

    async def play(table: Table) -> None:
        heard.append(await table.lia.hear())
        await table.tell(bet(1), asks=BETS[1:])
        heard.append(await table.ned.hear())
        await table.tell(bet(2), *DEALT, asks=(make_ask(3, *PLAYS, seat=1),))
        heard.append(await table.lia.hear())
        await table.tell(PlayerJoined(seat=3, handle="tess", balance=1))
        await table.tell(SatOut(seat=3, by=By.PLAYER), asks=(make_ask(4, *PLAYS),))
        heard.append(await table.ned.hear())
        await table.tell(*OVER, asks=(make_ask(5, seat=1), make_ask(6)))
        await table.part()

    shown = await played(Table(play, *BETS), "50\n50\ns\ns\nn\n")
    assert heard == [
        PlaceBet(prompt=1, amount=5000),
        PlaceBet(prompt=2, amount=5000),
        Stand(prompt=3),
        Stand(prompt=4),
    ]
    assert prompts(shown) == [
        "lia9, bet ($1 to $10,000, o to sit out)?",
        "ned21, bet ($1 to $10,000, o to sit out)?",
        "lia9, hit (h) or stand (s)?",
        "ned21, hit (h) or stand (s)?",
        "lia9 for all: Play again (y/n)?",
    ]
    told = shown.splitlines()
    for sentence in ("lia9 bets $50.00.", "ned21 gets 9♥: 17.", "Round 3 is over."):
        assert told.count(sentence) == 1
    assert told.index("lia9 bets $50.00.") < told.index(prompts(shown)[1])


async def test_cpsc386_13_the_first_player_says_yes_for_all(played: Played) -> None:
    async def play(table: Table) -> None:
        await table.tell(*DEALT, *OVER, asks=(make_ask(5, seat=1), make_ask(6)))
        assert await table.lia.hear() == PlaceBet(prompt=5, amount=700)
        await table.tell(bet(1), asks=(make_ask(6),))
        assert await table.ned.hear() == SitOut(prompt=6)
        await table.tell(SatOut(seat=2, by=By.PLAYER), asks=(make_ask(7),))
        await table.part()

    assert prompts(await played(Table(play), "y\n7\no\n"))[:3] == [
        "lia9 for all: Play again (y/n)?",
        "lia9, bet ($1 to $10,000, o to sit out)?",
        "ned21, bet ($1 to $10,000, o to sit out)?",
    ]


@pytest.mark.parametrize("seat", [1, 2])
async def test_a_round_of_any_of_them_is_followed_by_play_again(
    played: Played, seat: int
) -> None:
    async def play(table: Table) -> None:
        await table.tell(
            RoundBegan(round=3, seats=(seat,)), settled(seat, Outcome.WIN), *OVER[2:]
        )
        await table.part()

    assert "Play again" in await played(Table(play), "n\n")


async def test_the_rounds_are_those_in_which_any_of_them_played(
    played: Played,
) -> None:
    async def play(table: Table) -> None:
        await table.tell(*DEALT, *OVER)
        await table.part()

    assert "Play again" not in await played(Table(play), "", rounds=1)


@pytest.mark.parametrize("typed", ["q\n", ""])
@pytest.mark.parametrize("first", [1, 2])
async def test_leaving_at_any_prompt_leaves_with_all(
    played: Played, typed: str, first: int
) -> None:
    async def play(table: Table) -> None:
        await table.part()

    shown = await played(Table(play, make_ask(1, seat=first)), typed)
    assert len(prompts(shown)) == 1


async def test_a_refusal_names_the_player_it_concerns_and_is_asked_again(
    played: Played,
) -> None:
    poor = RefusalCode.NOT_ENOUGH_FUNDS

    async def play(table: Table) -> None:
        await table.lia.hear()
        await table.tell(bet(1), asks=BETS[1:])
        assert await table.ned.hear() == PlaceBet(prompt=2, amount=600)
        await table.ned.say(Refused(code=poor, text="That is too much.", prompt=2))
        assert await table.ned.hear() == PlaceBet(prompt=2, amount=500)
        await table.lia.say(Refused(code=poor, text="Why not.", prompt=None))
        await table.tell(bet(2))
        await table.tell(BettingOpened(round=3), asks=BETS)
        await table.part()

    shown = await played(Table(play, *BETS), "1\n6\n5\n")
    assert "ned21: That is too much.\n" in shown
    assert "lia9: Why not.\n" in shown
    assert [p.partition(",")[0] for p in prompts(shown)[:3]] == [*HANDLES, "ned21"]


async def test_time_can_run_out_for_one_while_another_is_asked(played: Played) -> None:
    async def play(table: Table) -> None:
        await table.tell(SatOut(seat=2, by=By.CLOCK), asks=BETS[:1])
        assert await table.lia.hear() == PlaceBet(prompt=1, amount=500)
        await table.tell(bet(1))
        await table.tell(BettingOpened(round=4), asks=BETS)
        await table.part()

    shown = await played(Table(play, *BETS), "5\n", when="ned21 sits")
    assert "Time is up for ned21.\nThe time is up and ned21 sits" in shown
    assert prompts(shown)[0].startswith("lia9, bet")
    assert shown.index("ned21 sits") < shown.index("lia9 bets $50")


async def test_time_can_run_out_for_all_of_them(played: Played) -> None:
    async def play(table: Table) -> None:
        await table.tell(*DEALT, *OVER, asks=(make_ask(5, seat=1), make_ask(6)))
        out = (SatOut(seat=1, by=By.CLOCK), SatOut(seat=2, by=By.CLOCK))
        await table.tell(*out)
        await table.tell(
            BettingOpened(round=5), asks=(make_ask(7, seat=1), make_ask(8))
        )
        assert await table.lia.hear() == PlaceBet(prompt=7, amount=500)
        await table.tell(bet(1), asks=(make_ask(8),))
        await table.part()

    shown = await played(Table(play), "5\n", when="Round 5")
    assert "Time is up for lia9 and ned21.\n" in shown


async def test_the_table_marks_all_of_them(played: Played) -> None:
    async def play(table: Table) -> None:
        await table.part()

    shown = await played(Table(play, *BETS), "t\nq\n")
    assert shown.count("Seat 1: lia9 (you); bank") == 2
    assert shown.count("Seat 2: ned21 (you); bank") == 2
    assert "Welcome, lia9: table main, seat 1, bank $10,000.00.\n" in shown
    assert "Welcome, ned21: table main, seat 2, bank $10,000.00.\n" in shown


async def test_notices_are_told_once_with_whom_they_concern(played: Played) -> None:
    async def play(table: Table) -> None:
        await table.part()

    table = Table(play, *BETS)
    table.notices = {"lia9": ("Stacked.",), "ned21": ("Stacked.", "$5 came back.")}
    shown = await played(table, "")
    assert shown.count("Stacked.") == 1
    assert "\nStacked.\nned21: $5 came back.\n" in shown


async def test_the_first_catches_up_with_how_the_second_sat_down() -> None:
    seats = (make_seat(1, "lia9"), make_seat(2, "ned21"))
    first: list[Any] = []

    async def script(server: Any) -> None:
        if not first:
            first.append(server)
            you = You(handle="lia9", seat=1)
            await server.hello(make_ask(1, seat=1), you=you, seats=seats[:1])
        else:
            joined = PlayerJoined(seat=2, handle="ned21", balance=1_000_000)
            both = (make_ask(1, seat=1), make_ask(2))
            await server.hello(*both, seats=seats, seq=11)
            await first[0].update(11, joined, asks=both)
        assert await server.hear() == Leave()

    async with fake_server(script) as address:
        shown = await run_lines(address, "", handles=HANDLES)
    assert "Seat 2: ned21 (you); bank $10,000.00\n" in shown
    assert "sits down" not in shown


async def test_what_only_another_line_misses_is_not_told(played: Played) -> None:
    async def play(table: Table) -> None:
        tess = PlayerJoined(seat=3, handle="tess", balance=1)
        await table.lia.update(11, tess)
        await table.lia.update(12, BettingOpened(round=3), asks=BETS)
        await table.ned.update(12, BettingOpened(round=3), asks=BETS)
        assert await table.ned.hear() == Resync(seq=10)
        you = You(handle="ned21", seat=2)
        await table.ned.say(make_snapshot(*BETS, seq=12, you=you))
        assert await table.lia.hear() == PlaceBet(prompt=1, amount=500)
        table.seq = 12
        await table.tell(bet(1), asks=BETS[1:])
        await table.part()

    shown = await played(Table(play), "5\n")
    assert "missed" not in shown
    assert shown.count("tess sits down") == 1


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        (CloseCode.TAKEN_OVER, TakenOverError, "The handle {} joined from another"),
        (CloseCode.SERVER_STOPPING, LineLostError, "The server is stopping"),
    ],
)
@pytest.mark.parametrize(("lost", "left"), [("lia", "ned"), ("ned", "lia")])
async def test_the_end_of_any_line_is_the_end_for_all(
    played: Played,
    code: CloseCode,
    kind: type[Exception],
    text: str,
    lost: str,
    left: str,
) -> None:
    async def play(table: Table) -> None:
        await getattr(table, lost).socket.close(code, "reason")
        await getattr(table, left).part()

    handle = {"lia": "lia9", "ned": "ned21"}[lost]
    with pytest.raises(kind) as ended:
        await played(Table(play), "")
    assert str(ended.value).startswith(text.format(handle))


async def test_a_refused_handle_is_named_and_the_others_leave() -> None:
    seated: list[str] = []

    async def script(server: Any) -> None:
        if not seated:
            seated.append("lia9")
            await server.hello(you=You(handle="lia9", seat=1))
            await server.part()
            seated.clear()
            return
        await server.hear()
        full = RefusalCode.TABLE_FULL
        await server.say(Refused(code=full, text="There is no seat.", prompt=None))

    async with fake_server(script) as address:
        with pytest.raises(HelloRefusedError, match=r"^ned21: There is no seat\.$"):
            await run_lines(address, "", handles=HANDLES)
    assert seated == []


async def test_nobody_joins_under_a_handle_that_can_be_none() -> None:
    nowhere = Address(uri="ws://127.0.0.1:1", shown="127.0.0.1:1")
    with pytest.raises(HelloRefusedError, match=r"^a b: The handle cannot be used"):
        await run_lines(nowhere, "", handles=("lia9", "a b"))
