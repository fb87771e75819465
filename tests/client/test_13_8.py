"""What players are told, and that it is true: on leaving, returning and looking on."""

import asyncio
import os
from io import StringIO
from typing import Any

import pytest

from bj_client.command import _stopped
from bj_client.error import Exit, SentAwayError
from bj_client.fair.finding import Tally
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.net.keyring import Keyring
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import EndOfInputError, PipedInput
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from bj_client.verify import Verification, _closing
from bj_client.words.board import status
from bj_client.words.sentence import tell
from bj_game.house import House
from bj_game.rules import rules_card
from bj_protocol.action import Action, By, SettleReason
from bj_protocol.commands import PlaceBet, Recall, Resync
from bj_protocol.events import (
    BetPlaced,
    BettingOpened,
    CardDealt,
    DealerStood,
    HandStood,
    PlayerLeft,
    PresenceChanged,
    RoundBegan,
)
from bj_protocol.messages import Recalled, Refused
from bj_protocol.recall import PastHand, PastRound, RoundEnd
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import (
    HandState,
    HouseView,
    Outcome,
    Phase,
    Presence,
)
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.returning import AT_ONCE, cut, in_turn
from support.visit import run_lines

PLAY = (Action.HIT, Action.STAND)
LOST = PastRound(
    table="main",
    round=4,
    time="2024-05-01T12:30:00.000Z",
    seat=2,
    bet=500,
    spots=1,
    end=RoundEnd.SETTLED,
    is_retold=True,
    hands=(
        PastHand(
            cards=("Ts", "6d"),
            total=16,
            soft=False,
            stake=500,
            insurance=0,
            state=HandState.STOOD,
            outcome=Outcome.LOSE,
            reason=SettleReason.LOWER_TOTAL,
        ),
    ),
    dealer=None,
    decisions=(),
    balance_before=1_000_000,
    balance_after=999_500,
    draw=None,
)


@pytest.mark.parametrize("is_named_so", [True, False])
async def test_13_8_a_hand_that_was_played_meanwhile_is_told_and_counted(
    is_named_so: bool,
) -> None:
    async def before(server: Any) -> None:
        await server.hello()
        bet = BetPlaced(seat=2, amount=500, balance=999_500)
        dealt = RoundBegan(round=4, seats=(2,))
        await server.update(11, BettingOpened(round=4), bet, dealt)
        cut(server)

    async def after(server: Any) -> None:
        # the seat was given up, and the server keeps nothing for nobody
        await server.hello(seq=40, round=4)
        assert await server.hear() == Resync(seq=11)
        await server.say(server.picture(seq=40, round=4))
        assert await server.hear() == Recall(rounds=1)
        await server.update(41, BettingOpened(round=5), asks=(make_ask(9),))
        past = LOST if is_named_so else LOST.model_copy(update={"table": "other"})
        await server.say(Recalled(rounds=(past,)))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "score\nq\n", policy=AT_ONCE, when="Bet (")
    assert shown.count("Round 4 ended while ned21 was away.") == is_named_so
    assert ("Round 5: the bets are open." in shown) is True
    if is_named_so:
        assert "10♠ 6♦ (16) for $5.00, lost (lower total)" in shown
        assert "1 round, 0 won, 1 lost, 0 pushed, net -$5.00" in shown
    else:
        assert "0 rounds, 0 won, 0 lost" in shown


def test_13_8_no_round_is_counted_twice() -> None:
    table = Table(make_snapshot())
    assert table.play_past("ned21", LOST)
    assert not table.play_past("ned21", LOST)
    assert not table.play_past("eve", LOST)
    assert (table.rounds, table.record.lost, table.record.net) == (1, 1, -500)


async def test_13_8_an_answer_that_was_lost_is_answered_in_plain_words() -> None:
    async def before(server: Any) -> None:
        await server.hello(make_ask(7))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(9))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        text = "That question is over; answer the one in the latest turn."
        await server.say(Refused(code=RefusalCode.PROMPT_OVER, text=text, prompt=7))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "5\n", policy=AT_ONCE)
    assert "latest turn" not in shown
    assert "Your last answer was lost with the line, and its time is over." in shown


async def test_13_8_new_rules_are_told_to_one_who_returns() -> None:
    new = HouseView(
        name="cpsc386",
        title="Eight decks, even money",
        rules=("The dealer hits soft 17.",),
        minimum_bet=100,
    )

    async def before(server: Any) -> None:
        await server.hello()
        cut(server)

    async def after(server: Any) -> None:
        await server.hello(make_ask(7), house=new)
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        shown = await run_lines(address, "r\nq\n", policy=AT_ONCE, when="Bet (")
    assert "The house has new rules. The rules of Eight decks" in shown
    assert "No more: The dealer stands on 17." in shown
    assert shown.count("- The dealer hits soft 17.") == 2  # and on the card, too


@pytest.mark.parametrize("is_dealt", [False, True])
async def test_13_8_who_is_sent_away_is_not_told_that_the_time_is_up(
    is_dealt: bool,
) -> None:
    async def script(server: Any) -> None:
        actions = PLAY if is_dealt else (Action.PLACE_BET, Action.SIT_OUT)
        await server.hello(make_ask(7, *actions))
        gone = PresenceChanged(seat=2, presence=Presence.LEAVING)
        stood = HandStood(seat=2, hand=0, total=16, by=By.ABSENCE)
        went = PlayerLeft(seat=2, handle="ned21")
        await server.update(11, *((gone, stood, went) if is_dealt else (went,)))
        await server.socket.close(CloseCode.SENT_AWAY, "Go.")

    shown = StringIO()
    ours, theirs = os.pipe()
    paper = PlainOutput(shown)

    def session(hotseat: Hotseat, narrator: Narrator) -> LineSession:
        source = PipedInput(ours, paper, is_live=True, inline=False)
        return LineSession(hotseat, narrator, source)

    async with fake_server(script) as address, asyncio.timeout(60):
        keys = Keyring(address.name, warn=pytest.fail)
        narrator = Narrator(paper, Faces(symbols=True))
        with pytest.raises(SentAwayError) as ended:
            await Visit(("ned21",), narrator, session, keys=keys).run(address)
    os.close(ours)
    os.close(theirs)
    assert "The host has sent ned21 away from the table" in str(ended.value)
    assert "ned21 leaves seat 2." in shown.getvalue()
    assert ("ned21 is leaving and stands with 16." in shown.getvalue()) is is_dealt
    assert "ime is up" not in shown.getvalue()


def test_13_8_a_hand_of_one_who_is_sent_away_is_of_one_who_leaves(
    table: Table,
) -> None:
    table.fold(PresenceChanged(seat=2, presence=Presence.LEAVING))
    stood = HandStood(seat=2, hand=0, total=16, by=By.ABSENCE)
    said = tell(stood, table, Faces(symbols=True))
    assert said == "ned21 is leaving and stands with 16."
    assert "Time is up" not in said


@pytest.mark.parametrize(
    ("cards", "total", "soft", "terms", "said"),
    [
        (2, 16, False, {}, "The dealer has 16 and draws no card."),
        (3, 15, False, {}, "The dealer has 15 and draws no more."),
        (2, 17, True, {"hit_soft_17": True}, "The dealer has 17 and draws no card."),
        (2, 17, True, {}, "The dealer stands with 17."),
        (2, 17, False, {"hit_soft_17": True}, "The dealer stands with 17."),
        (2, 20, False, {}, "The dealer stands with 20."),
    ],
)
def test_13_8_a_dealer_stands_with_what_the_rules_say_alone(
    cards: int, total: int, soft: bool, terms: dict[str, bool], said: str
) -> None:
    known = make_snapshot()
    house = known.house.model_copy(update={"terms": terms})
    table = Table(known.model_copy(update={"house": house, "phase": Phase.PLAYING}))
    for _ in range(cards):
        card = CardDealt(seat=0, hand=0, card="8s", total=total, soft=soft)
        table.fold(card)
    stood = DealerStood(total=total, blackjack=False)
    assert tell(stood, table, Faces(symbols=True)) == said


def test_13_8_the_status_keeps_its_clock_in_a_narrow_window() -> None:
    table = Table(make_snapshot(make_ask(1)))
    for room in range(20, 80):
        line = status(table, 29, room)
        assert len(line) <= room
        assert line.endswith("your turn: 29 s")
    assert status(table, 29, 38) == "bank $10,000.00 | your turn: 29 s"
    assert "ned21 | bank $10,000.00 | wins minus losses +0" in status(table, 29, 78)


def test_13_8_a_house_without_a_limit_says_so() -> None:
    (bets,) = [
        line for line in rules_card(House(name="x", title="X")) if "Bets" in line
    ]
    assert bets.endswith("to your whole balance: there is no other limit.")
    limited = House(name="x", title="X", maximum_wager=20_000)
    (bets,) = [line for line in rules_card(limited) if "Bets" in line]
    assert bets.endswith("to your whole balance, and never over $200 at once.")


@pytest.mark.parametrize(
    ("tally", "said"),
    [
        (
            Tally(whole=1, proven=1),
            "1 round was played again, proven by secret and links.",
        ),
        (
            Tally(whole=5, proven=3, void=2),
            (
                "5 rounds were played again, 3 of them proven by secret and links. 2 "
                "were not proven and 2 were void."
            ),
        ),
        (Tally(partial=1), "no round was played again. 1 was not seen whole."),
    ],
)
def test_13_8_figures_of_nothing_are_not_told_and_one_is_one(
    tally: Tally, said: str
) -> None:
    verification = Verification()
    verification.tally = tally
    signed = "Nothing is signed: all of it is told by the player alone."
    assert _closing(verification) == f"All that could be checked holds: {said} {signed}"
    verification.findings = 1
    closing = _closing(verification)
    assert closing.startswith("NOT all holds, see the 1 finding above: ")


async def test_13_8_one_who_watches_needs_no_input() -> None:
    stays = PipedInput(
        None, PlainOutput(StringIO()), is_live=True, inline=False, stays=True
    )
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await stays.read()
    leaves = PipedInput(None, PlainOutput(StringIO()), is_live=True, inline=False)
    with pytest.raises(EndOfInputError):
        await leaves.read()


async def test_13_8_a_record_begins_without_the_help_of_a_table() -> None:
    for is_past, you in ((False, True), (True, True), (True, False)):
        shown = StringIO()
        faces = Faces(symbols=True)
        narrator = Narrator(PlainOutput(shown), faces, is_past=is_past)
        known = make_snapshot() if you else make_snapshot(you=None)
        await narrator.welcome(Table(known), ())
        assert ("q to leave" in shown.getvalue()) is not is_past


def test_13_8_before_there_is_a_table_nothing_is_claimed_of_a_seat() -> None:
    said = _stopped(Exit.INTERRUPTED, None)
    assert said == "Interrupted before play began: run bj-client again."


async def test_13_8_lines_lead_back_to_the_list_where_there_is_one() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        await server.part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "/tables\nq\n", when="Bet (", is_live=True)
    assert "This table was not chosen from a list" in shown


async def test_13_8_tables_leads_from_lines_back_to_the_list() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        await server.part()

    ours, theirs = os.pipe()
    os.write(theirs, b"/tables\n")
    paper = PlainOutput(StringIO())

    def session(hotseat: Hotseat, narrator: Narrator) -> LineSession:
        source = PipedInput(ours, paper, is_live=True, inline=False, stays=True)
        return LineSession(hotseat, narrator, source)

    async with fake_server(script) as address, asyncio.timeout(60):
        keys = Keyring(address.name, warn=pytest.fail)
        narrator = Narrator(paper, Faces(symbols=True))
        visit = Visit(("ned21",), narrator, session, keys=keys, has_lobby=True)
        await visit.run(address)
    os.close(ours)
    os.close(theirs)
    assert visit.hotseat is not None
    assert visit.hotseat.wants_lobby
