"""P2: a damaged journal never starts silently, and is never touched."""

from dataclasses import replace
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.clock import Clock
from bj_server.bank.error import BankUnusable, JournalDamaged
from bj_server.bank.line import decode, encode
from bj_server.bank.posting import Posting


def refuse(folder: Path, content: bytes, now: Clock) -> JournalDamaged:
    path = folder / "journal-000001.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalDamaged) as caught:
        Bank.open(folder, now=now)
    assert path.read_bytes() == content
    assert sorted(p.name for p in folder.iterdir()) == [path.name, "lock"]
    assert str(path) in str(caught.value)
    assert "from a good copy" in str(caught.value)
    return caught.value


def test_P2_a_flipped_bit_in_any_byte_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    for place in range(len(small_journal) - 1):
        broken = bytearray(small_journal)
        broken[place] ^= 1 << place % 8
        error = refuse(folder, bytes(broken), now)
        assert error.line == small_journal.count(b"\n", 0, place) + 1


def test_P2_a_lost_last_newline_is_a_torn_line_and_its_bytes_are_kept(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    broken = small_journal[:-1] + b"\x0b"
    (folder / "journal-000001.jsonl").write_bytes(broken)
    bank = Bank.open(folder, now=now)
    assert bank.repaired is not None
    bank.close()
    torn = (folder / "journal-000001.torn-5").read_bytes()
    assert small_journal.splitlines()[4] + b"\x0b" == torn


def test_a_torn_last_line_is_cut_off_and_kept_beside_the_journal(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    path = folder / "journal-000001.jsonl"
    lines = small_journal.splitlines(keepends=True)
    whole = b"".join(lines[:4])
    for length in range(1, len(lines[4])):
        beside = folder / "journal-000001.torn-5"
        path.write_bytes(whole + lines[4][:length])
        bank = Bank.open(folder, now=now)
        assert bank.repaired == (
            f"A crash cut line 5 of {path} short. Nobody was told of it; its {length} "
            "bytes were moved to journal-000001.torn-5."
        )
        assert beside.read_bytes() == lines[4][:length]
        assert bank.balance("ned21") == 1000_00
        assert bank.till("main").held(1) == {}
        bank.close()
        assert path.read_bytes().startswith(whole)
        beside.unlink()
        (folder / "bank.json").unlink()


def test_a_second_tear_at_the_same_line_is_kept_too(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    for _ in range(2):
        (folder / "journal-000001.jsonl").write_bytes(small_journal + b"torn")
        Bank.open(folder, now=now).close()
        (folder / "bank.json").unlink()
    assert (folder / "journal-000001.torn-6").read_bytes() == b"torntorn"


def test_P2_a_tear_in_what_bank_json_knows_of_is_damage(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    path = folder / "journal-000001.jsonl"
    Bank.open(folder, now=now).close()
    path.write_bytes(small_journal[:-1])
    with pytest.raises(JournalDamaged, match="line 5: it is cut short, though"):
        Bank.open(folder, now=now)
    assert path.read_bytes() == small_journal[:-1]


def test_P2_a_first_line_that_is_cut_short_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    for length in range(1, small_journal.index(b"\n") + 1):
        error = refuse(folder, small_journal[:length], now)
        assert error.reason == "the first line is cut short"


def test_P1_an_empty_journal_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    assert refuse(folder, b"", now).reason == "the file is empty"


@pytest.mark.parametrize("zeros", [1, 4096])
def test_P2_zeros_stop_the_start(
    small_journal: bytes, folder: Path, now: Clock, zeros: int
) -> None:
    refuse(folder, bytes(zeros), now)
    refuse(folder, bytes(len(small_journal) - 1) + b"\n", now)


@pytest.mark.parametrize("text", [b"[]\n", b"{}\n", b"\n", b"null\n", b"\xff\n"])
def test_P2_something_else_than_a_journal_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock, text: bytes
) -> None:
    assert refuse(folder, text, now).line == 1
    assert refuse(folder, small_journal + text, now).line == 6


def test_P2_a_line_that_is_gone_or_doubled_or_moved_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    lines = small_journal.splitlines(keepends=True)
    for at in range(1, 4):
        gone = refuse(folder, b"".join(lines[:at] + lines[at + 1 :]), now)
        assert gone.reason == f"it is numbered {at + 2}"
        doubled = refuse(folder, b"".join(lines[: at + 1] + lines[at:]), now)
        assert doubled.reason == f"it is numbered {at + 1}"
    refuse(folder, b"".join(reversed(lines)), now)


def test_P2_a_line_of_another_journal_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    lines = small_journal.splitlines()
    line = decode(lines[2])
    strange = encode(replace(line, data={"bet": "forged"}))
    forged = b"\n".join([*lines[:2], strange, *lines[3:], b""])
    error = refuse(folder, forged, now)
    assert (error.line, error.reason) == (4, "it does not follow the line before it")


def test_P2_a_newer_journal_is_refused_by_its_format(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    first = decode(small_journal.splitlines()[0])
    newer = encode(replace(first, data={"format": 2}))
    error = refuse(folder, newer + b"\n", now)
    assert error.reason == "it is of format 2, and this server reads up to 1"


@pytest.mark.parametrize("kind", ["journal", "note"])
def test_only_the_first_line_names_a_format(
    folder: Path, now: Clock, kind: str
) -> None:
    bank = Bank.open(folder, now=now)
    bank.till("main").open("ned21", 5)
    bank._cage.journal.append(Posting(kind="journal", data={"format": 1}))
    bank._cage.journal.close()
    bank._lock.release()
    (folder / "bank.json").unlink()
    lines = (folder / "journal-000001.jsonl").read_bytes().splitlines(keepends=True)
    first = decode(lines[0][:-1])
    wrong = encode(replace(first, kind="note")) + b"\n"
    content = b"".join(lines) if kind == "journal" else wrong
    assert "names the format" in refuse(folder, content, now).reason


def test_P2_lines_that_spend_what_is_not_there_stop_the_start(
    folder: Path, now: Clock, small_journal: bytes
) -> None:
    # A journal whose lines are whole, tied together, and make no sense.
    from_ned = decode(small_journal.splitlines()[2])
    bank = Bank.open(folder, now=now)
    for _ in range(22):
        bank._cage.journal.append(replace(from_ned, round=2))
    bank._cage.journal.close()
    bank._lock.release()
    (folder / "bank.json").unlink()
    content = (folder / "journal-000001.jsonl").read_bytes()
    error = refuse(folder, content, now)
    assert error.line == 27
    assert "does not fit the lines before it" in error.reason
    assert "player:ned21 holds $0 and cannot pay $50." in error.reason


def test_P2_a_journal_that_is_gone_while_bank_json_is_there_stops_the_start(
    folder: Path, now: Clock
) -> None:
    Bank.open(folder, now=now).close()
    (folder / "journal-000001.jsonl").unlink()
    with pytest.raises(JournalDamaged, match=r"missing, though bank\.json is there"):
        Bank.open(folder, now=now)
    assert not (folder / "journal-000001.jsonl").exists()


def test_a_journal_that_may_not_be_read_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    path = folder / "journal-000001.jsonl"
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(BankUnusable, match="symbolic links"):
        Bank.open(folder, now=now)
