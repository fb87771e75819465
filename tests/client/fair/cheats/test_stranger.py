"""Cheats by a stranger, who has read what the scheme promises and no test of it.

Most of them tell something twice, or leave away what nobody waits for.
"""

import math

import pytest

from bj_protocol import commands, events
from bj_protocol.codec import encode
from bj_protocol.messages import Message, Recalled, Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_protocol.recall import RoundEnd
from bj_protocol.views import Phase, Turn
from bj_server.table.inbox import FromLine
from bj_server.table.playing import Playing
from support.cheating import (
    answer_to,
    asked,
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
    say,
    told,
    with_fields,
)
from support.company import Company

Patch = pytest.MonkeyPatch

ROUNDS = 1


def say_goodbye(rig: Company, cents: int | None, ahead: int = 0) -> None:
    """Sign that ned21 leaves with so many cents, after an update ``ahead``."""
    story, context = rig.table.context.story, rig.table.context
    assert story is not None
    note, seq = f"ned21 {cents}", context.seq + ahead
    signed = story.sign(StatementKind.GOODBYE, seq, context.round, note)
    rig.outlet.tell(rig.line["ned21"], signed)


def chat(rig: Company, handle: str = "ned21") -> None:
    """Have an update in which nothing happens but words."""
    rig.send(FromLine(rig.line[handle], commands.Chat(text="Hm.")))


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


@pytest.mark.usefixtures("hands_to_play")
@pytest.mark.parametrize(
    "seconds",
    [
        {"insurance_seconds": 0.1},
        {"insurance_seconds": None, "turn_seconds": math.nan},
    ],
)
def test_less_time_than_the_table_gives_for_a_play_is_told(
    rig: Company, monkeypatch: Patch, seconds: dict[str, float | None]
) -> None:
    """It gives hardly any time for insurances, or says nothing that is a number."""

    def paced(picture: Snapshot) -> Snapshot:
        pace = picture.pace.model_copy(update=seconds)
        return picture.model_copy(update={"pace": pace})

    def short(table: Playing) -> None:
        table.deadline = rig.clock.now() + 0.1

    rig.outlet.cheat = pictured(paced)
    hang_up(rig, "ned21")
    rig.join("ned21")
    monkeypatch.setattr(Playing, "_start_clock", short)
    for _ in range(3):
        deal_to_ask(rig)
        rig.wait(0.2)
        rig.wait(0.2)
        play(rig)
    noted(rig, r"we had 0\.1 of (30\.0|inf) seconds to decide")


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


@pytest.mark.parametrize("is_playing", [True, False])
def test_a_good_bye_after_a_restart_has_no_less_than_was_told_then(
    rig: Company, *, is_playing: bool
) -> None:
    """In a round nobody knows a balance for certain: the host may have given more."""
    if is_playing:
        deal_to_ask(rig)
    rig.restart()
    rig.join("ned21")
    say_goodbye(rig, 100)
    found(rig, r"good-bye has another balance than was told \(told: 100 cents; due: \d")
    assert rig.players["ned21"].checker.parted is None


def test_money_that_a_bet_takes_along_after_a_restart_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    def less(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BetPlaced) and event.seat == own(rig):
            return [with_fields(event, balance=event.balance - 5000)]
        return [event]

    rig.restart()
    rig.join("ned21")
    changed(rig, monkeypatch, less)
    rig.answer("ned21", answer_to(rig, "ned21"))
    found(rig, "the balance of seat . is wrong after bet_placed")


# Rounds without us.


@pytest.mark.usefixtures("two_seats")
@pytest.mark.parametrize("is_dealt", [True, False])
def test_wins_of_void_rounds_that_are_said_to_be_without_our_link_are_counted(
    rig: Company, *, is_dealt: bool
) -> None:
    """Where nobody plays the round to its end, nobody would see that we had won it."""
    ned = rig.players["ned21"]
    for _ in range(12):
        rig.mute.update({"ned21"} if is_dealt else {"ned21", "lia9"})
        bet_all(rig)
        rig.wait(2.1)
        if rig.picture.phase is Phase.PLAYING:
            rig.table.void("Something went wrong with this round; it is void.")
            rig.send()
        rig.mute.clear()
        play(rig, 6)
    left_out = [note for note in ned.notes if "did not come in time" in note.what]
    won = [note for note in ned.notes if "would have been won" in note.what]
    assert len(left_out) == 12
    assert len(won) > 2
    assert not ned.findings


@pytest.mark.usefixtures("two_seats")
def test_a_round_that_is_void_for_our_link_alone_is_broken_off(
    rig: Company, monkeypatch: Patch
) -> None:
    """Another is called as well, whose link was there: it would have been dealt to."""
    ned = rig.players["ned21"]

    def ours(event: events.Event) -> list[events.Event]:
        is_void = isinstance(event, events.RoundVoided)
        return [with_fields(event, missing=(own(rig),))] if is_void else [event]

    changed(rig, monkeypatch, ours)
    for _ in range(2):
        rig.mute.update(rig.players)
        bet_all(rig)
        rig.wait(2.1)
        rig.mute.clear()
        play(rig, 6)
    assert "the round is void after your link was told" in str(ned.notes[0])
    found(rig, "void after your link was told; that is the 2. time")


# Recalls.


@pytest.mark.usefixtures("hands_to_play")
def test_a_bet_that_is_recalled_as_returned_after_its_cards_is_found(
    rig: Company,
) -> None:
    """We have seen the cards, and lose the line when they are good."""
    deal_to_ask(rig)
    number = rig.table.context.round
    hang_up(rig, "ned21")
    play(rig, 2)
    rig.outlet.recent.clear()

    def back(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if not isinstance(message, Recalled):
            return [(message, text)]
        rounds = tuple(
            past.model_copy(
                update={
                    "end": RoundEnd.RETURNED,
                    "hands": (),
                    "dealer": None,
                    "decisions": (),
                    "balance_after": past.balance_before,
                }
            )
            for past in message.rounds
            if past.round == number
        )
        other = Recalled(rounds=rounds)
        return [(other, encode(other))]

    rig.outlet.cheat = back
    rig.join("ned21")
    play(rig, 1, most=6)
    found(rig, "your bet is back, and the cards were dealt to it", number)
