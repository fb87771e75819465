"""Segments: closed, packed, verified, and missed when they are gone."""

import gzip
import hashlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankUnusableError, JournalDamagedError
from bj_server.bank.move import Payment, Reason
from bj_server.bank.segment import Closed, pack

PLAIN = [f"journal-{number:06}.jsonl" for number in range(30)]
PACKED = [f"{name}.gz" for name in PLAIN]


def open_small(folder: Path) -> Bank:
    moment = datetime(2024, 5, 1, 12, 30, tzinfo=UTC)
    return Bank.open(folder, now=lambda: moment, segment_bytes=700)


async def play(bank: Bank, rounds: int) -> None:
    """Play rounds that cost ned21 a cent each."""
    till = bank.till("main")
    till.open("ned21", 1000)
    for _ in range(rounds):
        round = till.last_round + 1
        till.stake(round, "ned21", 1)
        lost = Payment(handle="ned21", reason=Reason.HAND_LOST, stake=1, payout=0)
        till.settle(round, [lost], {})
        till.seal({})
        await till.commit()


@pytest.fixture
async def full(folder: Path) -> Path:
    """A bank of 12 rounds in several segments, closed in order."""
    bank = open_small(folder)
    await play(bank, 12)
    bank.close()
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("journal-*"))


def balance(folder: Path) -> int:
    bank = open_small(folder)
    bank.audit()
    cents = bank.balance("ned21")
    bank.close()
    return cents


async def test_a_full_segment_is_closed_and_packed_and_the_chain_goes_on(
    full: Path,
) -> None:
    found = names(full)
    assert found == [*PACKED[1 : len(found)], PLAIN[len(found)]]
    assert len(found) > 3
    lines: list[bytes] = []
    for name in found:
        raw = (full / name).read_bytes()
        lines += (gzip.decompress(raw) if name.endswith(".gz") else raw).splitlines()
    fields = [json.loads(line) for line in lines]
    assert [each["seq"] for each in fields] == list(range(1, len(lines) + 1))
    assert sum("kind" in each for each in fields) == len(found)
    assert balance(full) == 988


async def test_a_start_without_bank_json_reads_all_segments(full: Path) -> None:
    os.unlink(full / "bank.json")
    assert balance(full) == 988
    assert balance(full) == 988


async def test_packing_the_same_lines_gives_the_same_bytes(
    full: Path, tmp_path: Path
) -> None:
    copy = tmp_path / PLAIN[1]
    copy.write_bytes(gzip.decompress((full / PACKED[1]).read_bytes()))
    pack(copy, 7)
    assert (tmp_path / PACKED[1]).read_bytes() == (full / PACKED[1]).read_bytes()
    assert not copy.exists()


@pytest.mark.parametrize("has_snapshot", [True, False])
@pytest.mark.parametrize("number", [1, 2])
async def test_P1_a_crash_while_packing_is_finished_by_the_next_start(
    full: Path, number: int, has_snapshot: bool
) -> None:
    if not has_snapshot:
        os.unlink(full / "bank.json")
    before = names(full)
    plain = full / PLAIN[number]
    plain.write_bytes(gzip.decompress((full / PACKED[number]).read_bytes()))
    (full / (PACKED[number] + ".new")).write_bytes(b"half a fi")
    assert balance(full) == 988
    os.unlink(full / (PACKED[number] + ".new"))
    assert names(full) == before
    # Killed before the packed file was in its place.
    plain.write_bytes(gzip.decompress((full / PACKED[number]).read_bytes()))
    os.unlink(full / PACKED[number])
    os.unlink(full / "bank.json")
    assert balance(full) == 988
    assert names(full) == before


async def test_a_segment_that_was_packed_after_the_snapshot_is_as_good(
    folder: Path,
) -> None:
    bank = open_small(folder)
    await play(bank, 12)
    bank._packer._packed.clear()
    bank.close()
    closed = json.loads((folder / "bank.json").read_text())["closed"]
    assert any(each["name"].endswith(".jsonl") for each in closed)
    path = folder / PACKED[1]
    whole = path.read_bytes()
    path.write_bytes(gzip.compress(gzip.decompress(whole).replace(b"10", b"20", 1)))
    with pytest.raises(JournalDamagedError, match="line 2: its checksum is wrong"):
        open_small(folder)
    path.write_bytes(whole)
    assert balance(folder) == 988


@pytest.mark.no_cover  # the same lines, over and over
async def test_P2_every_flipped_bit_in_any_segment_stops_the_start(
    full: Path,
) -> None:
    for path in sorted(full.glob("journal-*")):
        whole = path.read_bytes()
        for place in range(0, len(whole), 97):
            broken = bytearray(whole)
            broken[place] ^= 1 << place % 8
            path.write_bytes(broken)
            with pytest.raises(JournalDamagedError) as caught:
                open_small(full)
            assert str(path) in str(caught.value)
            assert "bj-bank audit" in str(caught.value)
            assert path.read_bytes() == broken
        path.write_bytes(whole)
    assert balance(full) == 988


async def test_P2_a_missing_segment_stops_the_start(full: Path) -> None:
    for has_snapshot in (True, False):
        for path in sorted(full.glob("journal-*")):
            if path.name == names(full)[-1] and not has_snapshot:
                continue  # without bank.json nothing can tell that there was more
            whole = path.read_bytes()
            os.unlink(path)
            because = "" if has_snapshot else ", though a later segment is there"
            with pytest.raises(JournalDamagedError, match=f"missing{because}"):
                open_small(full)
            path.write_bytes(whole)
        if has_snapshot:
            os.unlink(full / "bank.json")


async def test_P2_segments_that_changed_places_stop_the_start(full: Path) -> None:
    first, second = full / PACKED[1], full / PACKED[2]
    for has_snapshot in (True, False):
        one, two = first.read_bytes(), second.read_bytes()
        first.write_bytes(two)
        second.write_bytes(one)
        with pytest.raises(JournalDamagedError):
            open_small(full)
        first.write_bytes(one)
        second.write_bytes(two)
        if has_snapshot:
            os.unlink(full / "bank.json")


async def test_P2_two_copies_of_a_segment_that_differ_stop_the_start(
    full: Path,
) -> None:
    plain = full / PLAIN[1]
    plain.write_bytes(b"something else")
    with pytest.raises(JournalDamagedError, match="a second time"):
        open_small(full)
    assert plain.read_bytes() == b"something else"


async def test_P2_a_segment_that_is_torn_and_not_the_last_stops_the_start(
    full: Path,
) -> None:
    os.unlink(full / "bank.json")
    path = full / PACKED[2]
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:-5]))
    with pytest.raises(JournalDamagedError, match="it is cut short"):
        open_small(full)


async def test_P2_another_first_line_is_blamed_by_its_number(full: Path) -> None:
    path = full / PLAIN[len(names(full))]
    path.write_bytes(b"{}" + path.read_bytes()[2:])
    with pytest.raises(JournalDamagedError, match="line 1: its checksum is wrong"):
        open_small(full)


@pytest.mark.parametrize("line", [1, 2, 3])
async def test_P2_the_line_of_a_closed_segment_that_was_changed_is_blamed(
    full: Path, line: int
) -> None:
    path = full / PACKED[2]
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"time":"2024', b'"time":"2025')
    path.write_bytes(gzip.compress(b"".join(lines)))
    with pytest.raises(JournalDamagedError) as caught:
        open_small(full)
    assert (caught.value.path, caught.value.line) == (path, line)
    assert caught.value.reason == "its checksum is wrong"


async def test_P2_a_closed_segment_of_the_same_lines_in_other_bytes_is_named(
    full: Path,
) -> None:
    path = full / PACKED[2]
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), mtime=7))
    with pytest.raises(JournalDamagedError) as caught:
        open_small(full)
    assert (caught.value.path, caught.value.line) == (path, None)
    assert caught.value.reason == "its bytes are not those that bank.json knows of"


def test_a_segment_is_packed_without_the_time_of_its_packing(tmp_path: Path) -> None:
    path = tmp_path / PLAIN[1]
    path.write_bytes(b"lines")
    closed = pack(path, 7)
    stored = (tmp_path / PACKED[1]).read_bytes()
    assert stored[4:8] == bytes(4)
    assert gzip.decompress(stored) == b"lines"
    assert not path.exists()
    digest = hashlib.sha256(stored).hexdigest()
    named = (PACKED[1], 7, len(stored), digest)
    assert (closed.name, closed.seq, closed.size, closed.sha256) == named


async def test_P2_a_packed_segment_that_is_cut_short_is_named(full: Path) -> None:
    path = full / PACKED[2]
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(JournalDamagedError) as caught:
        open_small(full)
    assert caught.value.path == path
    assert caught.value.reason == "it is no gzip file, or not all of it"


async def test_a_segment_that_cannot_be_packed_stays_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(path: Path, seq: int) -> None:
        raise BankUnusableError(path, "No space left on device")

    monkeypatch.setattr("bj_server.bank.segment.pack", refuse)
    bank = open_small(folder)
    await play(bank, 12)
    bank.close()
    said = {record.getMessage().partition(":")[0] for record in caplog.records}
    assert f"The bank cannot use {folder / PLAIN[1]}" in said
    assert all(name.endswith(".jsonl") for name in names(folder))
    monkeypatch.undo()
    assert balance(folder) == 988
    assert any(name.endswith(".gz") for name in names(folder))


async def test_P6_a_segment_that_cannot_be_begun_stalls_until_it_can(
    folder: Path,
) -> None:
    bank = open_small(folder)
    (folder / f"{PLAIN[2]}.new").mkdir()
    await play(bank, 2)
    till = bank.till("main")
    till.give("ned21", 5)
    till.seal({})
    assert bank.journal.stalled == "Is a directory"
    (folder / f"{PLAIN[2]}.new").rmdir()
    await bank._mend()
    await till.commit()
    bank.close()
    assert balance(folder) == 1003


async def test_P2_a_last_segment_that_is_packed_stops_the_start(full: Path) -> None:
    last = full / names(full)[-1]
    packed = last.with_name(last.name + ".gz")
    packed.write_bytes(gzip.compress(last.read_bytes()))
    reason = r"it is closed, but the segment after it is missing\."
    with pytest.raises(JournalDamagedError, match=f"{packed.name}: {reason}"):
        open_small(full)
    assert packed.exists()


def test_a_name_that_is_none_of_a_segment_has_no_number() -> None:
    assert Closed.of("bank.json", 1, b"").number == 0


async def test_an_old_bank_json_goes_on_over_several_segments(
    open_bank: Callable[[], Bank], folder: Path
) -> None:
    bank = open_bank()
    old = (folder / "bank.json").read_bytes()
    bank._segment_bytes = 0
    for handle in ("ned21", "lia9", "eve"):
        bank.till("main").open(handle, 1000_00)
        bank.till("main").seal({})
        await bank.till("main").commit()
    bank.close()
    (folder / "bank.json").write_bytes(old)
    assert open_bank().balance("eve") == 1000_00
