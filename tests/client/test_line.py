"""Whole visits by typed lines, against a server that the test plays."""

from typing import Any

import pytest

from bj_client.error import LineLostError, TakenOverError
from bj_protocol.action import Action, By
from bj_protocol.commands import (
    AcceptGift,
    Command,
    Hit,
    Leave,
    PlaceBet,
    Resync,
    SitOut,
    Stand,
)
from bj_protocol.events import (
    BetPlaced,
    BettingOpened,
    HandStood,
    PlayerJoined,
    SatOut,
)
from bj_protocol.messages import Answered, Refused
from bj_protocol.refusal import CloseCode, RefusalCode
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.told import told
from support.visit import run_lines

DEALT = told("""
    2 bets 50 -> 9950
    round 3 begins: 2
    2a 8s = 8
    dealer Td = 10
    2a 9h = 17
    dealer ?? = 10
""")
STOOD = HandStood(seat=2, hand=0, total=17, by=By.PLAYER)
(WON,) = told("2a win 50 -> 100 = 10050: dealer_busted")
OVER = (
    STOOD,
    WON,
    *told("""
        round 3 ends: 400 left, cut in 330
        round 4 opens
    """),
)


async def test_c1_a_round_is_played_from_a_pipe() -> None:
    heard: list[Command] = []

    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        heard.append(await server.hear())
        await server.update(11, *DEALT, asks=(make_ask(2, Action.HIT, Action.STAND),))
        heard.append(await server.hear())
        await server.update(12, *OVER, asks=(make_ask(3),))
        await server.part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "50\ns\nn\n")
    assert heard == [PlaceBet(prompt=1, amount=5000), Stand(prompt=2)]
    assert [line for line in shown.splitlines() if line.endswith("?")] == [
        "Bet ($1 to $10,000, o to sit out)?",
        "Hit (h) or stand (s)?",
        "Play again (y/n)?",
    ]
    assert "ned21 gets 9♥: 17.\n" in shown
    assert "The dealer gets a hidden card.\n" in shown
    assert "ned21 has 8♠ 9♥ (17), stake $50.00; bank $9,950.00.\n" in shown


@pytest.mark.parametrize("wrong", ["", "x", "-5", "0", "0.5", "1e3", "9" * 5000])
async def test_a_wrong_line_is_asked_again(wrong: str) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=700)
        await server.update(11, BetPlaced(seat=2, amount=700, balance=999_300))
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, f"{wrong}\n7\nq\n")
    assert shown.count("Bet ($1 to $10,000, o to sit out)?") == 3
    assert "whole dollars from $1 to $10,000" in shown


async def test_lines_typed_ahead_wait_for_their_question() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.update(11, PlayerJoined(seat=3, handle="tess", balance=1))
        await server.update(12, BettingOpened(round=3), asks=(make_ask(1),))
        assert await server.hear() == PlaceBet(prompt=1, amount=700)
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "7\n")
    assert "tess sits down" in shown


@pytest.mark.parametrize(
    "actions",
    [
        (Action.PLACE_BET, Action.SIT_OUT),
        (Action.ACCEPT_GIFT, Action.SIT_OUT),
        (Action.INSURE, Action.DECLINE),
        (Action.SPLIT, Action.DECLINE),
        (Action.HIT, Action.STAND),
    ],
)
async def test_c3_the_end_of_the_input_leaves_in_order_at_every_prompt(
    actions: tuple[Action, ...],
) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1, *actions))
        assert await server.hear() == Leave()

    async with fake_server(script) as address:
        await run_lines(address, "")


async def test_c3_the_end_of_the_input_leaves_at_play_again() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.update(11, *DEALT, *OVER, asks=(make_ask(3),))
        assert await server.hear() == Leave()

    async with fake_server(script) as address:
        assert "Play again (y/n)?" in await run_lines(address, "")


async def test_yes_to_play_again_goes_on_to_the_bet() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.update(11, *DEALT, *OVER, asks=(make_ask(3),))
        assert await server.hear() == PlaceBet(prompt=3, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        await run_lines(address, "maybe\ny\n5\n")


async def test_time_can_run_out_while_a_question_is_open() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        await server.update(11, SatOut(seat=2, by=By.CLOCK))
        await server.update(12, BettingOpened(round=4), asks=(make_ask(2),))
        # Nothing was typed until now, so the line answers what is open by then.
        assert await server.hear() == SitOut(prompt=2)
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "o\n", when="Round 4")
    assert "Time is up.\nThe time is up and ned21 sits this round out." in shown


async def test_the_bets_can_close_during_play_again() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.update(11, *DEALT, *OVER, asks=(make_ask(3),))
        await server.update(12, SatOut(seat=2, by=By.CLOCK))
        await server.update(13, BettingOpened(round=5), asks=(make_ask(4),))
        assert await server.hear() == PlaceBet(prompt=4, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "5\n", when="Round 5")
    assert "Play again (y/n)?\nTime is up.\n" in shown


async def test_a_refused_answer_opens_its_question_again() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        await server.say(
            Refused(
                code=RefusalCode.NOT_ENOUGH_FUNDS,
                text="There is less than that in your bank.",
                prompt=1,
            )
        )
        assert await server.hear() == PlaceBet(prompt=1, amount=400)
        await server.say(
            Answered(prompt=1, answer=Action.PLACE_BET, seq=11),
        )
        await server.update(11, BetPlaced(seat=2, amount=400, balance=0))
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "5\n4\n")
    assert "There is less than that in your bank.\n" in shown


async def test_an_answer_that_came_too_late_is_not_asked_for_again() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        late = Refused(code=RefusalCode.PROMPT_OVER, text="Too late.", prompt=1)
        await server.say(late)
        await server.update(11, BettingOpened(round=4), asks=(make_ask(2),))
        assert await server.hear() == PlaceBet(prompt=2, amount=400)
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "5\n4\n")
    assert shown.count("Bet (") == 3


async def test_an_answer_is_sent_once_while_others_act() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), make_ask(2, seat=1))
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        lia9 = BetPlaced(seat=1, amount=100, balance=1)
        await server.update(11, lia9, asks=(make_ask(1),))
        await server.update(12, BetPlaced(seat=2, amount=500, balance=1))
        await server.update(
            13, *DEALT[1:], asks=(make_ask(3, Action.HIT, Action.STAND),)
        )
        assert await server.hear() == Hit(prompt=3)
        await server.ask_and_part()

    async with fake_server(script) as address:
        await run_lines(address, "5\nh\n")


async def test_a_gap_is_answered_with_a_resync() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        old = PlayerJoined(seat=3, handle="old", balance=1)
        lost = PlayerJoined(seat=3, handle="lost", balance=1)
        await server.update(10, old)
        await server.update(12, lost)
        await server.update(13, lost)
        assert await server.hear() == Resync(seq=10)
        await server.say(make_snapshot(make_ask(1), seq=13))
        await server.update(13, old)
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "5\n")
    assert "Some news was missed" in shown
    assert "old sits down" not in shown
    assert "lost sits down" not in shown


async def test_a_broke_player_can_take_the_gift() -> None:
    async def script(server: Any) -> None:
        gift = make_ask(1, Action.ACCEPT_GIFT, Action.SIT_OUT, gift=1_000_000)
        await server.hello(gift)
        assert await server.hear() == AcceptGift(prompt=1)
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "y\n")
    assert "An anonymous donor offers $10,000.00. Accept (y/n)?" in shown


async def test_words_show_the_table_the_rules_and_help() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        await server.part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "t\nr\n?\nq\n")
    assert shown.count("Seat 2: ned21 (you); bank $10,000.00") == 2
    assert "- The dealer stands on 17." in shown
    assert "Bet whole dollars from $1 to $10,000, or o to sit this round out." in shown
    assert shown.count("Bet ($1") == 4


async def test_the_visit_ends_after_its_rounds() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.update(11, *DEALT, *OVER, asks=(make_ask(3),))
        assert await server.hear() == Leave()

    async with fake_server(script) as address:
        assert "Play again" not in await run_lines(address, "", rounds=1)


@pytest.mark.parametrize(
    ("code", "ending"),
    [(CloseCode.TAKEN_OVER, TakenOverError), (CloseCode.TOO_SLOW, LineLostError)],
)
async def test_a_closed_line_ends_the_visit(
    code: CloseCode, ending: type[Exception]
) -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.socket.close(code, "reason")

    async with fake_server(script) as address:
        with pytest.raises(ending):
            await run_lines(address, "")


async def test_c12_markup_of_others_is_shown_to_the_letter() -> None:
    async def script(server: Any) -> None:
        name = "<b>&{0}%s[red]\x1b[31m\n\u202e"
        await server.hello(notices=(name,))
        await server.update(
            11, PlayerJoined(seat=3, handle=name, balance=1), asks=(make_ask(1),)
        )
        await server.part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "")
    assert "<b>&{0}%s[red][31m  sits down at seat 3 with $0.01.\n" in shown
    assert "\x1b" not in shown
