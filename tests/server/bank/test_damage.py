"""P2: a damaged journal never starts silently, and is never touched."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import (
    BankUnusableError,
    JournalDamagedError,
    UnknownFormatError,
)
from bj_server.bank.line import NO_LINE, decode
from bj_server.bank.move import Clock
from bj_server.bank.segment import load, stored_path
from support.banks import as_format_2, encode, with_checksum


def refuse(folder: Path, content: bytes, now: Clock) -> JournalDamagedError:
    path = folder / "journal-000001.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalDamagedError) as caught:
        Bank.open(folder, now=now)
    assert path.read_bytes() == content
    assert sorted(p.name for p in folder.iterdir()) == [path.name, "lock"]
    assert str(path) in str(caught.value)
    assert "from a good copy" in str(caught.value)
    return caught.value


def repair(folder: Path, content: bytes, now: Clock) -> bytes:
    """Start with a torn journal; return what was moved aside, and leave no trace."""
    path = folder / "journal-000001.jsonl"
    path.write_bytes(content)
    bank = Bank.open(folder, now=now)
    repaired = bank.repaired
    assert repaired is not None
    bank.close()
    (beside,) = folder.glob("*.torn-*")
    torn = beside.read_bytes()
    moved = "byte was" if len(torn) == 1 else "bytes were"
    assert f"its {len(torn)} {moved} moved to {beside.name}" in repaired
    whole = load(stored_path(folder, 1))[0]
    assert whole.startswith(content[: -len(torn)])
    beside.unlink()
    (folder / "bank.json").unlink()
    leave_only(path)
    return torn


def leave_only(path: Path) -> None:
    """Delete the other segments, and this one if it was packed."""
    for segment in path.parent.glob("journal-*"):
        if segment != path:
            segment.unlink()


@pytest.fixture(params=[2, 3])
def any_journal(small_journal: bytes, request: pytest.FixtureRequest) -> bytes:
    """The bytes of the small journal in each of the formats that are read."""
    if request.param == 3:
        return small_journal
    whole, prev = b"", NO_LINE
    lines = as_format_2([json.loads(line) for line in small_journal.splitlines()])
    for seq, line in enumerate(lines, 1):
        fields = {**line, "seq": seq, "prev": prev}
        if line["synced"] == 2:  # the line of the first command
            fields["synced"] = 4
        raw = with_checksum(fields)
        whole, prev = whole + raw + b"\n", hashlib.sha256(raw).hexdigest()
    return whole


def sealed_part(journal: bytes) -> int:
    """Return where the last command begins, which no line after it vouches for."""
    lines = journal.splitlines(keepends=True)
    return sum(map(len, lines[: 2 if len(lines) == 3 else 4]))


def test_P2_a_flipped_bit_in_any_byte_that_was_safe_stops_the_start(
    any_journal: bytes, folder: Path, now: Clock
) -> None:
    for place in range(0, sealed_part(any_journal), 7):
        broken = bytearray(any_journal)
        broken[place] ^= 1 << place % 8
        error = refuse(folder, bytes(broken), now)
        assert error.line == any_journal.count(b"\n", 0, place) + 1


def test_P2_a_flipped_bit_in_a_command_that_no_one_vouches_for_drops_all_of_it(
    any_journal: bytes, folder: Path, now: Clock
) -> None:
    start = sealed_part(any_journal)
    for place in range(start, len(any_journal), 31):
        broken = bytearray(any_journal)
        broken[place] ^= 1 << place % 8
        assert repair(folder, bytes(broken), now) == broken[start:]


@pytest.mark.parametrize("rest", [b"\0", b"\0" * 4096, b"[]\n", b"\n", b"\xff\nab\n"])
def test_what_a_power_cut_leaves_after_the_last_seal_is_torn(
    any_journal: bytes, folder: Path, now: Clock, rest: bytes
) -> None:
    assert repair(folder, any_journal + rest, now) == rest
    start = sealed_part(any_journal)
    zeroed = any_journal[:start] + rest + any_journal[start + len(rest) :]
    assert repair(folder, zeroed, now) == zeroed[start:]


@pytest.mark.no_cover  # the same lines, over and over
def test_P1_a_command_without_its_seal_never_happened(
    any_journal: bytes, folder: Path, now: Clock
) -> None:
    path = folder / "journal-000001.jsonl"
    start = sealed_part(any_journal)
    line = any_journal.count(b"\n", 0, start) + 1
    for length in range(start + 1, len(any_journal), 7):
        path.write_bytes(any_journal[:length])
        bank = Bank.open(folder, now=now)
        count = length - start
        moved = "1 byte was" if count == 1 else f"{count} bytes were"
        assert bank.repaired == (
            f"A crash cut line {line} of the journal short, in {path}. Nobody was "
            f"told of it; its {moved} moved to journal-000001.torn-{line}."
        )
        beside = folder / f"journal-000001.torn-{line}"
        assert beside.read_bytes() == any_journal[start:length]
        assert bank.balance("ned21") == 1000_00
        assert bank.till("main").held(1) == {}
        bank.close()
        beside.unlink()
        (folder / "bank.json").unlink()
        leave_only(path)


def test_a_second_tear_at_the_same_line_is_kept_too(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    for _ in range(2):
        (folder / "journal-000001.jsonl").write_bytes(small_journal + b"torn")
        Bank.open(folder, now=now).close()
        (folder / "bank.json").unlink()
    assert (folder / "journal-000001.torn-4").read_bytes() == b"torntorn"


def test_P2_a_tear_in_what_bank_json_knows_of_is_damage(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    path = folder / "journal-000001.jsonl"
    Bank.open(folder, now=now).close()
    path.write_bytes(small_journal[:-1])
    with pytest.raises(JournalDamagedError, match="line 3: it is cut short"):
        Bank.open(folder, now=now)
    assert path.read_bytes() == small_journal[:-1]


def test_P2_a_first_line_that_is_cut_short_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    for length in range(1, small_journal.index(b"\n") + 1):
        error = refuse(folder, small_journal[:length], now)
        assert error.reason == "it is cut short"


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


def test_P2_a_line_that_is_gone_or_doubled_or_moved_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    lines = small_journal.splitlines(keepends=True)
    for at in (1,):
        gone = refuse(folder, b"".join(lines[:at] + lines[at + 1 :]), now)
        assert gone.reason == f"it is numbered {at + 2}"
        doubled = refuse(folder, b"".join(lines[: at + 1] + lines[at:]), now)
        assert doubled.reason == f"it is numbered {at + 1}"
    refuse(folder, b"".join(reversed(lines)), now)


def test_P2_a_line_of_another_journal_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    lines = small_journal.splitlines()
    strange = with_checksum({**json.loads(lines[1]), "state": {"seats": []}})
    forged = b"\n".join([lines[0], strange, lines[2], b""])
    error = refuse(folder, forged, now)
    assert (error.line, error.reason) == (3, "it does not follow the line before it")


def forge(journal: bytes, **changes: Any) -> bytes:
    """Return the journal with a next line whose chain and checksum are right."""
    last = journal.splitlines()[-1]
    line = json.loads(last)
    digest = hashlib.sha256(last).hexdigest()
    fields: dict[str, Any] = {"seq": line["seq"] + 1, "prev": digest, **changes}
    return journal + with_checksum({**line, **fields}) + b"\n"


def test_P2_a_line_that_vouches_for_itself_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    for synced in (4, 5, -1):
        error = refuse(folder, forge(small_journal, synced=synced), now)
        assert error.reason == "it vouches for lines that were still to come"


@pytest.mark.parametrize("any_journal", [2], indirect=True)
def test_P2_a_command_inside_another_stops_the_start(
    any_journal: bytes, folder: Path, now: Clock
) -> None:
    opened = forge(any_journal, kind="note")
    for table in ("other", None):
        error = refuse(folder, forge(opened, kind="note", table=table), now)
        assert error.line == 9
        assert error.reason == "the command at table main before it has no end"


def test_14_4_a_newer_journal_is_refused_by_its_format_and_needs_no_copy(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    (first,) = decode(small_journal.splitlines()[0])
    path = folder / "journal-000001.jsonl"
    for number, reason, remedy in (
        (4, "it is of format 4, and this server reads up to 3", "a newer server has"),
        (
            1,
            "it is of the old format 1, and this server reads from 2 on",
            "an older server",
        ),
    ):
        content = encode(replace(first, data={"format": number})) + b"\n"
        path.write_bytes(content)
        with pytest.raises(
            UnknownFormatError, match=f"{reason}.*{remedy}.*use that one"
        ):
            Bank.open(folder, now=now)
        assert path.read_bytes() == content


def test_only_the_first_line_names_a_format(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    (first,), last = map(decode, small_journal.splitlines()[:3:2])
    digest = hashlib.sha256(small_journal.splitlines()[-1]).hexdigest()
    header = encode(replace(first, seq=last[0].seq + 1, prev=digest))
    again = small_journal + header + b"\n"
    assert "names the format" in refuse(folder, again, now).reason
    wrong = encode(replace(first, kind="note")) + b"\n"
    assert "names the format" in refuse(folder, wrong, now).reason


def test_P2_lines_that_spend_what_is_not_there_stop_the_start(
    folder: Path, now: Clock, small_journal: bytes
) -> None:
    # A journal whose lines are whole, tied together, and make no sense.
    stake = json.loads(small_journal.splitlines()[1])["acts"][1]
    assert stake["kind"] == "stake"
    content = forge(small_journal, acts=22 * [{**stake, "round": 2}])
    error = refuse(folder, content, now)
    assert error.line == 4
    assert "does not fit the lines before it" in error.reason
    assert "player:ned21 holds $0 and cannot pay $50" in error.reason


def test_P2_a_journal_that_is_gone_while_bank_json_is_there_stops_the_start(
    folder: Path, now: Clock
) -> None:
    Bank.open(folder, now=now).close()
    (folder / "journal-000001.jsonl").unlink()
    with pytest.raises(
        JournalDamagedError, match=r"missing, though bank\.json is there"
    ):
        Bank.open(folder, now=now)
    assert not (folder / "journal-000001.jsonl").exists()


def test_a_journal_that_may_not_be_read_stops_the_start(
    small_journal: bytes, folder: Path, now: Clock
) -> None:
    path = folder / "journal-000001.jsonl"
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(BankUnusableError, match="symbolic links"):
        Bank.open(folder, now=now)
