"""How far the search reads a journal from its end, and of which bytes."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bj_server.bank.error import JournalDamagedError
from bj_server.bank.line import Line, decode
from bj_server.history import search as backwards
from bj_server.history.recall import recall
from bj_server.history.search import SearchStoppedError
from support.banks import finish_packing
from support.looking import last, look_back, play
from support.rig import Lay

PUSH = "Ts 9h 9s Td"


def test_a_settlement_that_is_not_on_the_disk_is_not_told(lay: Lay) -> None:
    rig = lay(stack=PUSH)
    rig.join("ned21")
    asyncio.run(rig.bank.till("main").commit())
    play(rig, "ned21")
    assert recall(rig.bank.till("main").bookmark("ned21"), 20).rounds == ()
    assert len(look_back(rig).rounds) == 1


def test_what_is_written_after_the_bookmark_changes_nothing(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    for _ in range(3):
        play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    before = recall(mark, 20)
    for _ in range(3):
        play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    assert recall(mark, 20) == before


def test_a_round_in_another_segment_is_found_while_it_is_packed(lay: Lay) -> None:
    rig = lay(segment_bytes=3000)
    rig.join("ned21")
    for _ in range(5):
        play(rig, "ned21")
        asyncio.run(rig.bank.till("main").commit())
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    assert mark.number > 2
    assert [past.round for past in recall(mark, 20).rounds] == [1, 2, 3, 4, 5]


def test_a_line_that_is_longer_than_a_block_is_read_whole(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backwards, "BLOCK", 64)
    rig = lay()
    rig.join("ned21")
    for _ in range(3):
        play(rig, "ned21")
    assert [past.round for past in look_back(rig).rounds] == [1, 2, 3]


def test_no_more_is_read_than_is_needed(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backwards, "BLOCK", 2000)
    rig = lay()
    rig.join("ned21")
    for _ in range(20):
        play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    looks: list[bool] = []

    def is_wanted() -> bool:
        looks.append(True)
        return True

    recall(mark, 1, is_wanted)
    assert len(looks) * 2000 < mark.size / 2


def test_no_more_of_a_block_is_decoded_than_is_needed(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = lay()
    rig.join("ned21")
    for _ in range(20):
        play(rig, "ned21")
    decoded: list[bytes] = []

    def noted(raw: bytes) -> tuple[Line, ...]:
        decoded.append(raw)
        return decode(raw)

    monkeypatch.setattr(backwards, "decode", noted)
    assert last(rig).round == 20
    assert b'"kind":"stake"' in decoded[-1]
    assert sum(b'"kind":"stake"' in raw for raw in decoded) == 1


def test_a_search_that_nobody_waits_for_stops(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    play(rig, "ned21")
    mark = rig.bank.till("main").bookmark("ned21")
    with pytest.raises(SearchStoppedError):
        recall(mark, 20, lambda: False)


def test_a_history_that_was_deleted_ends_the_search(lay: Lay) -> None:
    rig = lay(segment_bytes=3000)
    rig.join("ned21")
    for _ in range(6):
        play(rig, "ned21")
        asyncio.run(rig.bank.till("main").commit())
    finish_packing(rig.bank)
    mark = rig.bank.till("main").bookmark("ned21")
    for path in mark.folder.glob("journal-*"):
        if not path.name.startswith(f"journal-{mark.number:06}"):
            path.unlink()
    assert len(recall(mark, 20).rounds) < 6


def test_a_journal_that_is_shorter_than_it_was_is_said_to_be(
    lay: Lay, tmp_path: Path
) -> None:
    rig = lay()
    rig.join("ned21")
    play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    copy = tmp_path / "copy"
    shutil.copytree(mark.folder, copy)
    path = copy / "journal-000001.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(JournalDamagedError, match="has lost bytes that were written"):
        recall(replace(mark, folder=copy), 20)
