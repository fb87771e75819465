"""Cheats by those who had read all the others: pictures, seats, recalls and rules.

Each of them makes the client look away: at another seat, another table, other rules
or a question less, and takes its profit then.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_protocol import commands, events
from bj_protocol.action import Action, By
from bj_protocol.messages import Message, Recalled, Signed, Snapshot, Update
from bj_protocol.proof import StatementKind, statement
from bj_protocol.recall import PastDecision, PastRound
from bj_protocol.views import Phase, You
from bj_server.settings import load_house
from bj_server.table.inbox import FromLine, Reshuffle
from support.cheating import (
    HOME,
    Once,
    answer_to,
    assert_found,
    bet_all,
    changed,
    deal_to_ask,
    found,
    hang_up,
    noted,
    own,
    pictured,
    play,
    told,
)
from support.company import Company, Player

Patch = pytest.MonkeyPatch

ROUNDS = 1


def resync(rig: Company) -> None:
    """Have ned21 ask for a picture of the table."""
    command = commands.Resync()
    rig.players["ned21"].send(command)
    rig.send(FromLine(rig.line["ned21"], command))


# Pictures that make the client look at another seat, or at other cards and bets.


@pytest.mark.parametrize("you", [None, You(handle="ned21", seat=2)])
def test_a_picture_that_takes_our_seat_away_is_found(
    rig: Company, you: You | None
) -> None:
    """Our plays and links would be those of nobody then."""
    rig.outlet.cheat = pictured(lambda shown: shown.model_copy(update={"you": you}))
    resync(rig)
    assert_found(rig.players["ned21"], "picture of the table")


def test_a_picture_of_another_player_is_found(rig: Company) -> None:
    you = You(handle="lia9", seat=1)
    hang_up(rig, "ned21")
    rig.outlet.cheat = pictured(lambda shown: shown.model_copy(update={"you": you}))
    rig.join("ned21")
    play(rig, 1, most=3)
    assert_found(rig.players["ned21"], "picture of the table")


def with_seats(shown: Snapshot, **fields: Any) -> Snapshot:
    seats = tuple(seat.model_copy(update=fields) for seat in shown.seats)
    return shown.model_copy(update={"seats": seats})


@pytest.mark.parametrize("fields", [{"bet": 777}, {"spots": 2}, {"handle": "zed"}])
def test_a_picture_with_other_bets_is_found(
    rig: Company, fields: dict[str, Any]
) -> None:
    rig.mute.update(rig.players)
    bet_all(rig)
    rig.outlet.cheat = pictured(lambda shown: with_seats(shown, **fields))
    resync(rig)
    assert_found(rig.players["ned21"], "picture of the table does not follow", 2)


@pytest.mark.usefixtures("hands_to_play")
@pytest.mark.parametrize("fields", [{"stake": 777}, {"insurance": 100}])
def test_a_picture_with_other_stakes_is_found(
    rig: Company, fields: dict[str, Any]
) -> None:
    deal_to_ask(rig)

    def shrunk(shown: Snapshot) -> Snapshot:
        hands = tuple(
            hand.model_copy(update=fields)
            for view in shown.seats
            for hand in view.hands
            if view.seat == own(rig)
        )
        seats = tuple(
            view.model_copy(update={"hands": hands}) if view.seat == own(rig) else view
            for view in shown.seats
        )
        return shown.model_copy(update={"seats": seats})

    rig.outlet.cheat = pictured(shrunk)
    resync(rig)
    assert_found(rig.players["ned21"], "picture of the table does not follow")


# Seats.


def test_a_newcomer_on_a_seat_that_is_taken_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """The money of who sits there would be what is said of the newcomer."""
    poor = events.PlayerJoined(seat=own(rig), handle="zed", balance=5000)
    changed(rig, monkeypatch, Once(events.BettingOpened, lambda old: [poor, old]))
    play(rig)
    found(rig, f"seat {own(rig)} is taken")


@pytest.mark.usefixtures("hands_to_play")
def test_who_is_said_to_leave_in_the_middle_of_a_round_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """The hand would be played as nobody wants, and nothing of it be ours."""
    deal_to_ask(rig)
    gone = events.PlayerLeft(seat=own(rig), handle="ned21")

    def leave(update: Update) -> Update:
        return update.model_copy(update={"events": (gone, *update.events)})

    with monkeypatch.context() as patch:
        told(rig, patch, leave)
        rig.send(FromLine(rig.line["ned21"], answer_to(rig, "ned21")))
    play(rig)
    found(rig, "played otherwise than we did|leaves")


def test_bets_that_are_closed_while_we_are_asked_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    def silent(update: Update) -> Update:
        kept = tuple(e for e in update.events if not isinstance(e, events.SatOut))
        return update.model_copy(update={"events": kept})

    if len(rig.players) < 2:
        pytest.skip("nobody else bets in this house")
    told(rig, monkeypatch, silent)
    rig.bet("lia9", 10)
    rig.wait(31)
    found(rig, "bets are closed while you are asked")


# Statements.


def test_a_statement_about_an_older_update_is_compared(
    rig: Company, monkeypatch: Patch
) -> None:
    """A good-bye with another head would be the word of the server for it."""
    forged = sign(rig, rig.table.context.seq - 1, "ab" * 32)
    rig.outlet.tell(rig.line["ned21"], forged)
    assert_found(rig.players["ned21"], "signed goodbye does not fit the story")


def sign(rig: Company, seq: int, head: str) -> Signed:
    story = rig.table.context.story
    assert story is not None
    said: dict[str, Any] = {
        "table": "main",
        "seq": seq,
        "kind": StatementKind.GOODBYE,
        "round": 2,
        "head": head,
    }
    note = f"ned21 {rig.table.context.till.balance('ned21')}"
    message = statement(key=story.view.key, run=story.view.run, note=note, **said)
    signature = rig.bank.signer.sign(message)
    return Signed(**said, note=note, signature=signature)


# Recalls.


def recalled(change: Callable[[PastRound], PastRound]) -> Any:
    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if not isinstance(message, Recalled):
            return [(message, text)]
        other = Recalled(rounds=tuple(map(change, message.rounds)))
        return [(other, other.model_dump_json())]

    return cheat


@pytest.mark.usefixtures("hands_to_play", "two_seats")
def test_plays_that_are_recalled_otherwise_than_they_were_heard_are_found(
    rig: Company,
) -> None:
    """We have stood, and heard it; as it is recalled, another has played for us."""
    while True:
        deal_to_ask(rig)
        rig.answer("ned21", commands.Stand(prompt=rig.ask("ned21").prompt))
        if rig.picture.phase is Phase.PLAYING:
            break
    hang_up(rig, "ned21")
    play(rig)
    rig.outlet.recent.clear()

    def by_clock(past: PastRound) -> PastRound:
        assert past.draw is not None
        plays = tuple(
            each.model_copy(update={"by": By.CLOCK}) for each in past.draw.plays
        )
        draw = past.draw.model_copy(update={"plays": plays})
        return past.model_copy(update={"draw": draw})

    rig.outlet.cheat = recalled(by_clock)
    rig.join("ned21")
    play(rig, 1, most=4)
    assert_found(rig.players["ned21"], "as it is recalled")


@pytest.mark.parametrize("field", ["total", "insurance", "decisions", "dealer", "bet"])
def test_what_is_recalled_of_our_hands_is_compared(rig: Company, field: str) -> None:
    bet_all(rig)
    hang_up(rig, "ned21")
    if not rig.players["ned21"].checker.rounds.owing:
        pytest.skip("in this house the round was over at once")
    play(rig, 2)
    rig.outlet.recent.clear()

    def other(past: PastRound) -> PastRound:
        if field == "decisions":
            made_up = PastDecision(hand=0, action=Action.HIT, by=By.PLAYER)
            decisions = past.decisions[1:] or (made_up,)
            return past.model_copy(update={"decisions": decisions})
        if field == "bet":
            return past.model_copy(update={"bet": past.bet + 100})
        if field == "dealer":
            assert past.dealer is not None
            dealer = past.dealer.model_copy(update={"total": 1})
            return past.model_copy(update={"dealer": dealer})
        hands = tuple(
            hand.model_copy(update={field: getattr(hand, field) + 1})
            for hand in past.hands
        )
        return past.model_copy(update={"hands": hands})

    rig.outlet.cheat = recalled(other)
    rig.join("ned21")
    play(rig, 1, most=4)
    assert_found(rig.players["ned21"], "as it is recalled")


# Rules.


def other_rules(house: House) -> House:
    return replace(house, deal="by_hand")


def missed_then_restarted(rig: Company) -> Player:
    """Miss a round, and the start of a server with other rules after it."""
    bet_all(rig)
    hang_up(rig, "ned21")
    play(rig)
    while rig.picture.phase is not Phase.BETTING:
        rig.wait(2.1)
    rig.restart(house=other_rules(rig.plan.house))
    rig.join("ned21")
    if len(rig.players) > 1:
        rig.join("lia9")
    play(rig, 2)
    return rig.players["ned21"]


def test_a_round_before_other_rules_is_recalled_by_its_own(tmp_path: Path) -> None:
    """An honest server is not accused, whatever the round was."""
    for number in range(12):
        with Company(tmp_path / str(number), house=load_house(HOME), seats=2) as rig:
            rig.join("ned21")
            rig.join("lia9")
            ned = missed_then_restarted(rig)
            assert not ned.findings
            assert 1 in {proof.round for proof in ned.proofs}


def test_a_new_deck_before_its_time_is_counted(tmp_path: Path) -> None:
    with Company(tmp_path / "bank", house=load_house("dsc20")) as rig:
        rig.join("ned21")
        play(rig, 1)
        rig.send(Reshuffle())
        play(rig, 2)
        noted(rig, "taken away")
