"""Ways out of a round: lost lines, restarts and gaps, counted and told."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from bj_protocol import commands, events
from bj_protocol.action import By
from bj_protocol.messages import Message, Recalled, Snapshot, Update
from bj_protocol.views import Phase
from bj_server.table.inbox import FromLine
from support.cheating import (
    asked,
    assert_found,
    bet_all,
    changed,
    found,
    hang_up,
    play,
    with_fields,
)
from support.company import Company

OTHER = "cd" * 32


def links_of(rig: Company) -> set[str]:
    log = rig.players["ned21"].log
    return {line for line in log if '"sent": {"type":"link"' in line}


def test_what_was_missed_is_told_again_and_the_round_is_proven(rig: Company) -> None:
    play(rig)
    bet_all(rig)
    hang_up(rig, "ned21")
    play(rig)
    rig.join("ned21")
    play(rig)
    ned = rig.players["ned21"]
    assert not ned.findings
    assert not ned.refusals
    assert [proof.round for proof in ned.proofs][:3] == [1, 2, 3]


@pytest.mark.usefixtures("two_seats")
def test_a_link_that_was_lost_with_the_line_is_told_again_for_the_same_call(
    rig: Company,
) -> None:
    rig.mute.add("ned21")
    bet_all(rig)
    assert rig.picture.phase is Phase.CALLING
    hang_up(rig, "ned21")
    rig.mute.clear()
    rig.join("ned21")
    assert rig.picture.phase is not Phase.CALLING
    play(rig)
    ned = rig.players["ned21"]
    assert not ned.findings
    heads = {line.split('"head":"')[1][:64] for line in links_of(rig)}
    links = {line.split('"link":"')[1][:64] for line in links_of(rig)}
    assert len(heads) == len(links) == 1
    assert ned.proofs[0].is_ours


@pytest.mark.usefixtures("two_seats")
def test_no_link_is_told_for_another_call_of_the_same_round(rig: Company) -> None:
    rig.mute.update(("ned21", "lia9"))
    bet_all(rig)
    hang_up(rig, "ned21")
    before = links_of(rig)

    def rewound(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if isinstance(message, Update):
            called = [e for e in message.events if isinstance(e, events.BetsClosed)]
            if called:
                bets = called[0].bets[:1]
                other = called[0].model_copy(update={"bets": bets})
                message = message.model_copy(update={"events": (other,)})
                text = message.model_dump_json()
        if isinstance(message, Snapshot) and message.story is not None:
            message = message.model_copy(update={"seq": message.seq - 1})
            text = message.model_dump_json()
        return [(message, text)]

    rig.outlet.cheat = rewound
    rig.join("ned21")
    assert links_of(rig) == before


def test_a_round_that_was_not_heard_is_recalled_and_proven(rig: Company) -> None:
    play(rig)
    bet_all(rig)
    hang_up(rig, "ned21")
    play(rig, 2)
    rig.outlet.recent.clear()
    rig.wait(1)
    rig.join("ned21")
    play(rig, 2)
    ned = rig.players["ned21"]
    assert not ned.findings
    assert {1, 2} <= {proof.round for proof in ned.proofs}
    assert not ned.refusals


RECALLS: dict[str, tuple[dict[str, Any], str]] = {
    "the balance": ({"balance_after": 5}, "the balance after it is wrong"),
    "the balance before": ({"balance_before": 5}, "the balance before it is wrong"),
    "no hands": ({"hands": ()}, "its results are others"),
}


DRAWS: dict[str, tuple[dict[str, Any], str]] = {
    "another secret": ({"secret": OTHER}, "not the one that was sealed"),
    "another head": ({"head": OTHER}, "not the round that was called"),
    "no links": ({"links": ()}, "not the round that was called"),
    "no bets": ({"bets": ()}, "not the round that was called"),
    "no plays": ({"plays": ()}, "results are others"),
}


@pytest.mark.parametrize("name", [*RECALLS, *DRAWS])
def test_a_round_that_is_recalled_otherwise_is_found(rig: Company, name: str) -> None:
    play(rig)
    bet_all(rig)
    hang_up(rig, "ned21")
    if not rig.players["ned21"].checker.rounds.owing:
        pytest.skip("in this house the round was over at once")
    play(rig, 2)
    rig.outlet.recent.clear()

    def forged(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if not isinstance(message, Recalled):
            return [(message, text)]
        past = []
        for each in message.rounds:
            assert each.draw is not None
            if name in DRAWS:
                draw = each.draw.model_copy(update=DRAWS[name][0])
                past.append(each.model_copy(update={"draw": draw}))
            else:
                past.append(each.model_copy(update=RECALLS[name][0]))
        other = message.model_copy(update={"rounds": tuple(past)})
        return [(other, other.model_dump_json())]

    rig.outlet.cheat = forged
    rig.join("ned21")
    play(rig, 1, most=4)
    ned = rig.players["ned21"]
    assert_found(ned, ({**RECALLS, **DRAWS})[name][1], 2)
    assert "Round 2 is not proven" in ned.refusals[0]


@pytest.mark.usefixtures("hands_to_play")
def test_rounds_that_are_not_told_are_counted_and_stop_the_bets(rig: Company) -> None:
    def forgetful(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if isinstance(message, Recalled):
            message = Recalled(rounds=())
        return [(message, message.model_dump_json())]

    play(rig)
    for _ in range(2):
        bet_all(rig)
        hang_up(rig, "ned21")
        play(rig, 2)
        rig.outlet.recent.clear()
        rig.outlet.cheat = forgetful
        rig.join("ned21")
        rig.wait(1)
        bet_all(rig)
    ned = rig.players["ned21"]
    assert "you have not heard its end" in str(ned.notes[0])
    assert_found(ned, "you have not heard its end.*the 2. time")
    assert any("is not proven" in refusal for refusal in ned.refusals)


def test_money_that_vanishes_in_a_gap_is_found(rig: Company) -> None:
    play(rig, 2)
    hang_up(rig, "ned21")
    rig.outlet.recent.clear()

    def poorer(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if isinstance(message, Snapshot) and message.you is not None:
            seats = tuple(
                view.model_copy(update={"balance": view.balance - 100})
                for view in message.seats
            )
            message = message.model_copy(update={"seats": seats})
            return [(message, message.model_dump_json())]
        return [(message, text)]

    rig.outlet.cheat = poorer
    rig.join("ned21")
    rig.wait(1)
    play(rig, 1, most=3)
    assert_found(rig.players["ned21"], "balance fell|balance of seat|does not follow")


@pytest.mark.usefixtures("two_seats")
def test_a_gap_with_the_line_up_is_counted(rig: Company) -> None:
    ned, line = rig.players["ned21"], rig.line["ned21"]
    for _ in range(2):
        rig.outlet.deaf.add(line)
        rig.players["lia9"].send(commands.Chat(text="Hello"))
        play(rig, 1, most=3)
        rig.outlet.deaf.clear()
        ned.send(commands.Resync(seq=ned.seq))
        rig.send(FromLine(line, commands.Resync()))
    assert_found(ned, "the updates before update .* are not told, the 2. time")


def test_an_update_that_is_told_twice_otherwise_is_found(rig: Company) -> None:
    play(rig)
    other = rig.outlet.updates[-1].model_copy(update={"turn": None})
    rig.outlet.tell(rig.line["ned21"], other)
    assert_found(rig.players["ned21"], "told a second time, with other words")


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_round_goes_on_after_a_restart_and_is_proven(
    rig: Company, *, is_killed: bool
) -> None:
    play(rig)
    for _ in range(20):
        bet_all(rig)
        if rig.picture.phase is Phase.PLAYING:
            break
        play(rig)
    if is_killed:
        rig.kill()
    else:
        rig.restart()
    rig.join("ned21")
    rig.join("lia9")
    play(rig, 2)
    ned = rig.players["ned21"]
    assert not ned.findings
    assert not ned.refusals
    numbers = [proof.round for proof in ned.proofs]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.usefixtures("two_seats")
def test_bets_that_a_restart_gives_back_after_our_link_are_counted(
    rig: Company,
) -> None:
    for _ in range(2):
        rig.mute.add("lia9")
        bet_all(rig)
        assert rig.picture.phase is Phase.CALLING
        rig.kill()
        rig.mute.clear()
        rig.join("ned21")
        rig.join("lia9")
        rig.wait(1)
        play(rig)
    ned = rig.players["ned21"]
    assert "your bet is back after your link was told" in str(ned.notes[0])
    assert_found(ned, "your bet is back after your link was told; .*2. time")


def test_books_from_a_backup_are_a_note_and_no_lie(
    rig: Company, tmp_path: Path
) -> None:

    play(rig)
    rig.bank.journal.write()
    shutil.copytree(rig.settings.bank, tmp_path / "backup")
    play(rig, 3)
    rig.kill()
    rig.bank.close()
    rig.restore(tmp_path / "backup")
    rig.join("ned21")
    rig.join("lia9")
    play(rig, 2)
    ned = rig.players["ned21"]
    assert "put back from a backup" in str(ned.notes[0])
    assert not ned.findings


def test_a_clock_that_decides_too_soon_is_counted_and_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(
        rig,
        monkeypatch,
        lambda turn: turn.model_copy(update={"milliseconds": 120_000}),
    )
    for _ in range(3):
        bet_all(rig)
        rig.wait(31)
        rig.wait(31)
        rig.wait(31)
        play(rig)
    assert_found(rig.players["ned21"], "before the time was up by our clock")


def test_a_play_that_was_never_made_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mine(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.HandStood) and event.by != "player":
            return [with_fields(event, by=By.PLAYER)]
        return [event]

    changed(rig, monkeypatch, mine)
    for _ in range(4):
        bet_all(rig)
        rig.wait(31)
        rig.wait(31)
        play(rig)
    found(rig, "played otherwise than we did|player; due: .* by rules")
