"""Cheats by a stranger, who has read what the scheme promises and no test of it.

Most of them tell something twice, or leave away what nobody waits for.
"""

import pytest

from bj_protocol import commands, events
from bj_protocol.codec import encode
from bj_protocol.messages import Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_protocol.views import Phase, Turn
from bj_server.table.inbox import FromLine
from support.cheating import (
    answer_to,
    asked,
    assert_found,
    deal_to_ask,
    found,
    own,
    pictured,
    play,
    told,
)
from support.company import Company

Patch = pytest.MonkeyPatch

ROUNDS = 1


def say(rig: Company, *happened: events.Event) -> None:
    """Tell everyone of what has not happened, as an update of the story."""
    context = rig.table.context
    context.seq += 1
    update = Update(table="main", seq=context.seq, events=happened, turn=None)
    text = encode(update)
    signed = rig.table.tell(update, text)
    rig.outlet.announce((update, text), *((each, encode(each)) for each in signed))


def say_goodbye(rig: Company, cents: int | None, ahead: int = 0) -> None:
    """Sign that ned21 leaves with so many cents, after an update ``ahead``."""
    story, context = rig.table.context.story, rig.table.context
    assert story is not None
    note, seq = f"ned21 {cents}", context.seq + ahead
    signed = story.sign(StatementKind.GOODBYE, seq, context.round, note)
    rig.outlet.tell(rig.line["ned21"], signed)


def chat(rig: Company) -> None:
    """Have an update in which nothing happens but words."""
    rig.send(FromLine(rig.line["ned21"], commands.Chat(text="Hm.")))


# Questions.


@pytest.mark.usefixtures("hands_to_play")
def test_plays_that_are_offered_once_it_is_too_late_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Only standing is offered, and everything else when we have said that we stand."""

    def less(turn: Turn) -> Turn:
        asks = tuple(
            ask.model_copy(update={"actions": ("stand",)})
            if "stand" in ask.actions and ask.seat == own(rig)
            else ask
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    with monkeypatch.context() as patch:
        asked(rig, patch, less)
        deal_to_ask(rig)
        while "stand" not in rig.ask("ned21").actions:
            rig.answer("ned21", answer_to(rig, "ned21"))
            deal_to_ask(rig)
    chat(rig)
    play(rig)
    found(rig, r"this is not how the round goes on.*hand 0: stand; due:")


@pytest.mark.usefixtures("hands_to_play")
def test_a_question_that_a_picture_tells_first_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Nobody knows by a picture how long a question has been open."""

    def unasked(update: Update) -> Update:
        return update.model_copy(update={"turn": None})

    def late(picture: Snapshot) -> Snapshot:
        assert picture.turn is not None
        turn = picture.turn.model_copy(update={"milliseconds": 100})
        return picture.model_copy(update={"turn": turn})

    with monkeypatch.context() as patch:
        told(rig, patch, unasked)
        deal_to_ask(rig)
    rig.outlet.cheat = pictured(late)
    rig.send(FromLine(rig.line["ned21"], commands.Resync()))
    rig.wait(31)
    play(rig)
    found(rig, "no question; due:|nothing was asked")


# Good-byes.


@pytest.mark.usefixtures("two_seats")
def test_two_who_leave_with_the_money_of_each_other_are_found(rig: Company) -> None:
    say(rig, events.PlayerLeft(seat=own(rig), handle="lia9"))
    found(rig, "lia9 is said to leave, and is not there")


def test_a_good_bye_of_what_is_still_to_come_is_not_kept(rig: Company) -> None:
    say_goodbye(rig, 100, ahead=1)
    assert rig.players["ned21"].checker.parted is None


@pytest.mark.parametrize("is_void", [True, False])
def test_who_leaves_without_the_bet_that_was_placed_finds_it(
    rig: Company, monkeypatch: Patch, *, is_void: bool
) -> None:
    ned = rig.players["ned21"]
    rig.mute.update(rig.players)
    rig.answer("ned21", answer_to(rig, "ned21"))
    if is_void:
        rig.mute.clear()
        play(rig, 1, most=1)
        if rig.picture.phase is not Phase.PLAYING:
            pytest.skip("in this house the round was over at once")

        def void_alone(update: Update) -> Update:
            kept = tuple(e for e in update.events if isinstance(e, events.RoundVoided))
            return update.model_copy(update={"events": kept, "turn": None})

        told(rig, monkeypatch, void_alone)
        rig.table.void("Something went wrong with this round; it is void.")
        rig.send()
    cents = ned.checker.purses.cents(own(rig))
    say(rig, events.PlayerLeft(seat=own(rig), handle="ned21"))
    say_goodbye(rig, cents)
    assert_found(ned, "its bet has not come back")
