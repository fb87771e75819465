"""Bets and decisions that nobody has made."""

from typing import Any

import pytest

from bj_game.play import By, Play, Reply
from bj_protocol import commands
from bj_protocol.action import Action
from bj_protocol.messages import Refused, Update
from bj_protocol.refusal import RefusalCode
from bj_server.table.context import TableContext
from bj_server.table.inbox import FromLine
from bj_server.table.playing import Playing
from support.cheating import answer_to, deal_to_ask, found, noted, own, play, told
from support.company import Company

ROUNDS = 2
"""Those that were played before the server cheats."""

Patch = pytest.MonkeyPatch


def test_a_bet_that_is_placed_unasked_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    seat = own(rig)

    def change(update: Update) -> Update:
        turn = update.turn
        if turn is not None and any(Action.PLACE_BET in a.actions for a in turn.asks):
            asks = tuple(ask for ask in turn.asks if ask.seat != seat)
            turn = turn.model_copy(update={"asks": asks})
        return update.model_copy(update={"turn": turn})

    told(rig, monkeypatch, change)
    line = rig.line["ned21"]
    play(rig)  # to questions that we do not see
    felt_seat = rig.table.context.seats.of_handle("ned21")
    assert felt_seat is not None
    ask = felt_seat.ask
    if ask is not None and ask.wager is not None:
        bet = commands.PlaceBet(prompt=ask.prompt, amount=ask.wager.minimum)
        rig.send(FromLine(line, bet))
    found(rig, "played otherwise than we did")


@pytest.mark.usefixtures("hands_to_play")
@pytest.mark.parametrize("by", [By.PLAYER, By.CLOCK, By.ABSENCE])
def test_a_hand_that_is_played_unasked_is_found(
    rig: Company, monkeypatch: Patch, by: By
) -> None:
    ask = Playing._ask

    def unasked(playing: Playing) -> list[Any]:
        fresh = ask(playing)
        for seat in fresh:
            if seat.handle == "ned21" and seat.ask is not None:
                prompt = next(p for p in playing.deal.prompts if p.seat == seat.number)
                reply = Reply(play=prompt.default, by=By(by.value))
                playing._play(seat, reply)
        return fresh

    monkeypatch.setattr(Playing, "_ask", unasked)
    play(rig, 6)
    found(rig, "played otherwise|decided for us")


def test_an_answer_that_is_used_twice_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    if rig.plan.house.ace == "player":
        pytest.skip("in this house a hit may bring a question about an ace")
    for _ in range(20):
        deal_to_ask(rig)
        number = rig.table.context.round
        ask = rig.ask("ned21")
        if Action.HIT not in ask.actions:
            rig.answer("ned21", answer_to(rig, "ned21"))
            continue
        with monkeypatch.context() as patch:
            patch.setattr(
                TableContext, "next_prompt", lambda context: context.last_prompt
            )
            rig.answer("ned21", commands.Hit(prompt=ask.prompt))
        seat, phase = rig.table.context.seats.of_handle("ned21"), rig.table.phase
        if rig.table.context.round == number and rig.is_asked("ned21"):
            assert seat is not None
            assert isinstance(phase, Playing)
            phase._play(seat, Reply(play=Play.HIT, by=By.PLAYER))
            rig.table._step()
            rig.send()
            break
        play(rig)
    play(rig, 3)
    found(rig, "one answer of ours is carried out a second time")


_LATE = [RefusalCode.BANK_STALLED, RefusalCode.TOO_FAST, RefusalCode.PROMPT_OVER]


@pytest.mark.parametrize("code", _LATE)
def test_an_answer_that_is_held_back_until_its_time_is_up_is_told(
    rig: Company, code: RefusalCode
) -> None:
    for _ in range(3):
        deal_to_ask(rig)
        ned, answer = rig.players["ned21"], answer_to(rig, "ned21")
        ned.at = rig.clock.now()
        ned.send(answer)
        rig.wait(31)
        refused = Refused(code=code, text="No.", prompt=answer.prompt)
        rig.outlet.tell(rig.line["ned21"], refused)
        rig.wait(31)
        play(rig)
    noted(rig, r"the clock has decided for you \d+ seconds after your answer, the 2.")


def test_an_answer_in_time_that_is_refused_as_late_is_counted(rig: Company) -> None:
    for _ in range(3):
        deal_to_ask(rig)
        ned, answer = rig.players["ned21"], answer_to(rig, "ned21")
        ned.at = rig.clock.now()
        ned.send(answer)
        over = RefusalCode.PROMPT_OVER
        refused = Refused(code=over, text="No.", prompt=answer.prompt)
        rig.outlet.tell(rig.line["ned21"], refused)
        rig.wait(31)
        rig.wait(31)
        play(rig)
    play(rig)
    found(rig, "decided for us before the time was up")
