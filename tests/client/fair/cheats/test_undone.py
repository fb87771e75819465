"""Rounds that are undone, and rules and clocks that change."""

import shutil
from pathlib import Path

import pytest

from bj_protocol.action import Action
from bj_protocol.commands import Chat, Hit, Recall, Resync, Stand
from bj_protocol.messages import Snapshot
from bj_server.table.inbox import FromLine
from bj_server.table.playing import Playing
from support.cheating import (
    answer_to,
    assert_found,
    deal_to_ask,
    found,
    noted,
    picture_of,
    pictured,
    play,
)
from support.company import Company

ROUNDS = 2
"""Those that were played before the server cheats."""

Patch = pytest.MonkeyPatch


def test_a_table_that_is_set_back_within_a_run_is_found(rig: Company) -> None:
    before = picture_of(rig)
    play(rig)
    rig.outlet.tell(rig.line["ned21"], before)
    found(rig, "gone back")


def restored(rig: Company, folder: Path, name: str) -> None:
    rig.bank.journal.write()
    shutil.copytree(rig.settings.bank, folder / f"backup{name}")
    play(rig, 2)
    rig.kill()
    rig.bank.close()
    rig.restore(folder / f"backup{name}")
    rig.join("ned21")
    rig.join("lia9")
    play(rig)


def test_wins_that_are_undone_by_backups_are_counted(
    rig: Company, tmp_path: Path
) -> None:
    restored(rig, tmp_path, "1")
    assert not rig.players["ned21"].findings
    noted(rig, "backup.*cents|backup.*\\$")
    restored(rig, tmp_path, "2")
    found(rig, "backup.*the 2. time")


def test_rules_that_change_within_a_run_are_found(rig: Company) -> None:
    worse = {**picture_of(rig).house.terms, "natural": "1:1"}

    def change(picture: Snapshot) -> Snapshot:
        house = picture.house.model_copy(update={"terms": worse})
        return picture.model_copy(update={"house": house})

    rig.outlet.cheat = pictured(change)
    rig.send(FromLine(rig.line["ned21"], Resync()))
    found(rig, "rules")


def test_less_time_than_the_table_says_is_told(
    rig: Company, monkeypatch: Patch
) -> None:
    """The server knows who wins, and gives no time where standing loses."""
    monkeypatch.setattr(
        Playing,
        "_start_clock",
        lambda self: setattr(self, "deadline", self._context.clock.now() + 0.1),
    )
    for _ in range(2):
        deal_to_ask(rig)
        rig.wait(0.2)
        play(rig)
    play(rig)
    noted(rig, r"we had 0\.1 of 20\.0 seconds to decide, the 2\. time")


@pytest.mark.usefixtures("two_seats", "hands_to_play")
@pytest.mark.parametrize("times", [1, 2])
def test_plays_that_a_power_cut_has_undone_are_counted_and_no_lie(
    rig: Company, tmp_path: Path, times: int
) -> None:
    """Ned hears of a play, and not of the server that has lost it again."""
    rig.join("pia")
    play(rig)
    ned = rig.players["ned21"]
    for time in range(times):
        deal_to_ask(rig, "lia9")
        while Action.HIT not in rig.ask("lia9").actions:
            rig.answer("lia9", answer_to(rig, "lia9"))
            deal_to_ask(rig, "lia9")
        rig.bank.journal.write()
        shutil.copytree(rig.settings.bank, tmp_path / f"cut-{time}")
        rig.answer("lia9", Stand(prompt=rig.ask("lia9").prompt))
        rig.kill()
        rig.bank.close()
        rig.restore(tmp_path / f"cut-{time}")
        rig.join("lia9")
        rig.answer("lia9", Hit(prompt=rig.ask("lia9").prompt))
        while rig.table.context.seq < ned.seq:
            rig.send(FromLine(rig.line["lia9"], Chat(text="we are alone")))
        rig.kill()
        for handle in ("lia9", "pia", "ned21"):
            rig.join(handle)
        play(rig, 2)
    undone = "the round was played otherwise from there than you had heard"
    if times == 1:
        noted(rig, undone)
        assert not ned.findings
    else:
        assert_found(ned, f"{undone}.*the 2. time")


@pytest.mark.usefixtures("two_seats")
def test_books_from_a_backup_that_were_started_again_are_a_note(
    rig: Company, tmp_path: Path
) -> None:
    """The last start is later than all that we have heard: it hides the step back."""
    rig.answer("ned21", answer_to(rig, "ned21"))
    rig.bank.journal.write()
    shutil.copytree(rig.settings.bank, tmp_path / "backup")
    play(rig)
    ned = rig.players["ned21"]
    rig.kill()
    rig.bank.close()
    rig.restore(tmp_path / "backup")
    rig.join("lia9")
    while rig.table.context.seq < ned.seq + 5:
        if rig.is_asked("lia9"):
            rig.answer("lia9", answer_to(rig, "lia9"))
        else:
            rig.wait(31)
    rig.kill()
    rig.join("lia9")
    rig.wait(40)
    line = rig.join("ned21")
    look_back = Recall(rounds=9)
    ned.send(look_back)
    rig.recall(line, look_back)
    noted(rig, "put back from a backup")
    assert ned.findings == []
