"""A round that is dealt to others, since our link was lost with the line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_client.fair.owed import OwedRound
from bj_protocol.codec import encode
from bj_protocol.messages import Message, Recalled
from bj_protocol.recall import RoundEnd
from bj_server.settings import load_house
from bj_server.table.calling import Calling
from support.cheating import answer_to, assert_found
from support.company import Company, Player


def play_without(rig: Company, rounds: int) -> None:
    """Let those who are here play so many rounds."""
    last = rig.table.context.round + rounds
    while rig.table.context.round < last:
        asked = [seat.handle for seat in rig.table.context.seats.here if seat.ask]
        for handle in asked[:1]:
            rig.answer(handle, answer_to(rig, handle))
        if not asked:
            rig.wait(2.1)


def leave_out(rig: Company) -> Player:
    """Lose ned21's line with his link, for longer than updates are kept."""
    while not rig.is_asked("ned21"):
        play_without(rig, 1)
    rig.mute = {"ned21"}
    for handle in ("ned21", "lia9"):
        rig.answer(handle, answer_to(rig, handle))
    assert isinstance(rig.table.phase, Calling)
    rig.outlet.audience.discard(rig.line["ned21"])
    rig.drop("ned21")
    play_without(rig, 3)
    rig.mute.clear()
    rig.outlet.recent.clear()
    rig.join("ned21")
    return rig.players["ned21"]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Company]:
    """Have ned21 and lia9 sit at a table."""
    with Company(tmp_path / "bank", house=load_house("cs220"), seats=2) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        yield rig


def test_a_link_that_is_lost_with_the_line_again_and_again_makes_no_liar(
    rig: Company,
) -> None:
    for _ in range(4):
        ned = leave_out(rig)
        assert not ned.checker.rounds.owing
    assert not ned.findings
    told = [str(note) for note in ned.notes]
    lost = [note for note in told if "did not come before the line was lost" in note]
    assert len(lost) == 4
    assert any("would have been won, as 1 of " in note for note in told)


def test_wins_that_are_left_out_so_are_counted(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OwedRound, "forgone", lambda *_: 100)
    for _ in range(20):
        ned = leave_out(rig)
    assert_found(ned, "would have been won, as 20 of 20 such rounds")


@pytest.mark.parametrize(
    ("lie", "what"),
    [
        ({"secret": "ab" * 32}, "the secret is not the one that was sealed"),
        ({"head": "ab" * 32}, "it is not the round that was called"),
        ({"links": ()}, "it is not the round that was called"),
        ({"left": (8,) * 52}, "it is not the round that was called"),
    ],
)
def test_what_is_recalled_of_it_must_be_the_round_that_was_called(
    rig: Company, lie: dict[str, Any], what: str
) -> None:
    def cheat(message: Message, text: str, line: int | None) -> Any:
        if not isinstance(message, Recalled):
            return [(message, text)]
        rounds = [
            past.model_copy(update={"draw": past.draw.model_copy(update=lie)})
            if past.draw is not None and past.end is RoundEnd.RETURNED
            else past
            for past in message.rounds
        ]
        told = message.model_copy(update={"rounds": tuple(rounds)})
        return [(told, encode(told))]

    rig.outlet.cheat = cheat
    play_without(rig, 1)  # so that the shoe is not full
    assert_found(leave_out(rig), what)


def test_a_round_of_which_nothing_is_told_is_found_the_second_time(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.history.recall._returned", lambda _: None)
    for _ in range(2):
        ned = leave_out(rig)
    assert_found(ned, "its secret and plays are not told, the 2. time")
