"""Lines of format 3 that were changed: each is found, and the audit names it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.error import JournalDamagedError
from bj_server.bank_cli.audit import Audit
from bj_server.bank_cli.reading import Reading
from support.banks import (
    JOURNAL_NAME,
    BankCommand,
    Lines,
    of_kind,
    play_bank,
    read_lines,
    with_checksum,
    write_bank,
)

Rows = list[bytes]
Audited = Callable[[bytes], tuple[int, str]]

FIELDS = ("seq", "time", "table", "acts", "state", "synced", "prev", "crc")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """The lines of a bank with a round of two players, without their newlines.

    The disk had each of them before the next one was made.
    """
    folder = tmp_path_factory.mktemp("lines") / "bank"
    play_bank(folder, rounds=1)
    write_bank(folder, read_lines(folder))
    return (folder / JOURNAL_NAME).read_bytes().splitlines()


@pytest.fixture
def audit(tmp_path: Path, ask: BankCommand) -> Audited:
    """Audit a journal of these bytes: its status, and all that was said."""
    path = tmp_path / "bank" / JOURNAL_NAME
    path.parent.mkdir()

    def audited(content: bytes) -> tuple[int, str]:
        path.write_bytes(content)
        status, lines, said = ask("audit", "--bank", path.parent)
        return status, "\n".join([*lines, said])

    return audited


def whole(rows: Rows) -> bytes:
    return b"".join(row + b"\n" for row in rows)


def assert_named(told: tuple[int, str], line: int) -> None:
    """See that the audit has found something, and in this line."""
    assert told[0] == 3
    assert re.search(rf"\bline {line}\b", told[1]), told[1]


def another(value: Any) -> Any:
    """Return another value of the same type."""
    match value:
        case int():
            return value + 1
        case str():
            digit = next(d for d in value if d.isdigit() or d.islower())
            return value.replace(digit, "0" if digit != "0" else "1")
        case list():
            return value[1:] or [{"kind": "note"}]
        case _:
            return {**value, "seq": value.get("seq", 0) + 1}


@pytest.mark.parametrize("field", FIELDS)
def test_a_changed_field_is_found_in_its_line(
    rows: Rows, audit: Audited, field: str
) -> None:
    for at in range(1, len(rows) - 1):
        fields = json.loads(rows[at])
        fields[field] = another(fields[field])
        changed = json.dumps(fields, separators=(",", ":")).encode()
        assert changed != rows[at]
        told = audit(whole([*rows[:at], changed, *rows[at + 1 :]]))
        assert_named(told, at + 1)


@pytest.mark.parametrize("field", FIELDS[:-1])
def test_a_changed_field_with_the_right_checksum_is_found_by_the_next_line(
    rows: Rows, audit: Audited, field: str
) -> None:
    in_itself = field in ("seq", "prev")
    for at in range(1, len(rows) - 1):
        fields = json.loads(rows[at])
        fields[field] = another(fields[field]) if field != "synced" else 0
        changed = with_checksum(fields)
        if changed == rows[at]:
            continue
        told = audit(whole([*rows[:at], changed, *rows[at + 1 :]]))
        assert_named(told, at + 1 + (not in_itself))


def dropped(rows: Rows, at: int) -> Rows:
    return rows[:at] + rows[at + 1 :]


def doubled(rows: Rows, at: int) -> Rows:
    return rows[: at + 1] + rows[at:]


def swapped(rows: Rows, at: int) -> Rows:
    return [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]


def joined(rows: Rows, at: int) -> Rows:
    return [*rows[:at], rows[at] + rows[at + 1], *rows[at + 2 :]]


def joined_in_one(rows: Rows, at: int) -> Rows:
    first, second = json.loads(rows[at]), json.loads(rows[at + 1])
    fields = {**second, "acts": first["acts"] + second["acts"], "prev": first["prev"]}
    return [*rows[:at], with_checksum(fields), *rows[at + 2 :]]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param(dropped, 1, id="dropped"),
        pytest.param(doubled, 2, id="doubled"),
        pytest.param(swapped, 1, id="swapped"),
        pytest.param(joined, 1, id="two in one row"),
        pytest.param(joined_in_one, 1, id="two commands in one line"),
    ],
)
def test_lines_that_are_not_where_they_were_are_found(
    rows: Rows, audit: Audited, change: Callable[[Rows, int], Rows], named: int
) -> None:
    for at in range(1, len(rows) - 3):
        assert_named(audit(whole(change(rows, at))), at + named)


def test_a_journal_that_is_cut_at_any_byte_counts_up_to_the_last_whole_line(
    rows: Rows, tmp_path: Path
) -> None:
    content, first = whole(rows[:4]), len(rows[0]) + 1
    path = tmp_path / JOURNAL_NAME
    second = len(whole(rows[:2]))  # a long line, with all the rules
    few = range(first, second, 7)
    for length in (*range(1, first), *few, *range(second, len(content))):
        path.write_bytes(content[:length])
        lines = content.count(b"\n", 0, length)
        reading = Reading(tmp_path)
        if length < first:
            with pytest.raises(JournalDamagedError, match="line 1: it is cut short"):
                reading.read(Audit(None).visit)
            continue
        found = Audit(None)
        end = reading.read(found.visit)
        found.close(end)
        assert found.is_sound
        assert (found.place.seq, end.seq) == (lines, lines)
        assert end.torn == length - content.rfind(b"\n", 0, length) - 1
        is_named = f"Line {lines} of {JOURNAL_NAME} is the last" in (end.remark or "")
        assert is_named == (end.torn > 0)


def test_a_line_that_is_cut_short_before_others_is_found(
    rows: Rows, tmp_path: Path
) -> None:
    for length in range(0, len(rows[1]), 7):
        cut = [rows[0], rows[1][:length], *rows[2:4]]
        (tmp_path / JOURNAL_NAME).write_bytes(whole(cut))
        with pytest.raises(JournalDamagedError, match=r"line 2: .*was on the disk"):
            Reading(tmp_path).read(Audit(None).visit)


# With skill: every number, hash and checksum is made right again.


def paid_again(lines: Lines) -> int:
    at = settled(lines)
    lines[at]["acts"] += of_kind(lines[at]["acts"], "settle")
    return at


def paid_again_later(lines: Lines) -> int:
    at = settled(lines)
    again = {**lines[at], "acts": of_kind(lines[at]["acts"], "settle"), "state": {}}
    lines.insert(at + 1, again)
    return at + 1


def settled(lines: Lines) -> int:
    return next(n for n, line in enumerate(lines) if "settle" in json.dumps(line))


def stake_of(lines: Lines, player: str) -> int:
    for at, line in enumerate(lines):
        for act in of_kind(line.get("acts", []), "stake"):
            act["entries"][0][1][0] = player
            return at
    raise AssertionError("nobody has bet")


def stake_of_nobody(lines: Lines) -> int:
    return stake_of(lines, "player:")


def stake_of_the_house(lines: Lines) -> int:
    return stake_of(lines, "house")


def stake_of_a_stranger(lines: Lines) -> int:
    return stake_of(lines, "player:tess")


def act_of_kind(lines: Lines, kind: str, data: dict[str, Any]) -> int:
    lines[3]["acts"].append({"kind": kind, "data": data})
    return 3


def state_among_the_acts(lines: Lines) -> int:
    return act_of_kind(lines, "seal", {"seats": []})


def header_among_the_acts(lines: Lines) -> int:
    return act_of_kind(lines, "journal", {"format": 3})


def line_of_format_2(lines: Lines) -> int:
    first: dict[str, Any] = {
        "seq": 0,
        "time": lines[3]["time"],
        "kind": "note",
        "table": None,
    }
    rest: dict[str, Any] = {
        "round": None,
        "entries": [],
        "data": {},
        "synced": 0,
        "prev": "",
    }
    lines.insert(3, {**first, **rest})
    return 3


def line_of_format_3_in_a_file_of_2(lines: Lines) -> int:
    lines[0]["data"] = {"format": 2}
    return 1


def state_of_no_seat(lines: Lines) -> int:
    lines[3]["state"] = {"seats": {"first": {}}}
    return 3


def state_with_no_fields_of_a_seat(lines: Lines) -> int:
    lines[3]["state"] = {"seats": {"1": 7}}
    return 3


def state_of_nobody(lines: Lines) -> int:
    lines[3]["state"] = {"seats": {"5": {"bet": 100}}}
    return 3


def state_of_a_seat_of_another_number(lines: Lines) -> int:
    lines[3]["state"] = {"seats": {"5": {"seat": 6, "handle": "lia9"}}}
    return 3


def two_tables_in_one_line(lines: Lines) -> int:
    at = stake_of(lines, "player:ned21")
    (stake,) = of_kind(lines[at]["acts"], "stake")
    stake["entries"][0][1][1] = "stakes:other"
    return at


@pytest.mark.parametrize(
    "change",
    [
        paid_again,
        paid_again_later,
        stake_of_nobody,
        stake_of_the_house,
        stake_of_a_stranger,
        state_among_the_acts,
        header_among_the_acts,
        line_of_format_2,
        line_of_format_3_in_a_file_of_2,
        two_tables_in_one_line,
        state_of_no_seat,
        state_with_no_fields_of_a_seat,
        state_of_nobody,
        state_of_a_seat_of_another_number,
    ],
)
def test_a_line_that_was_changed_with_skill_is_named(
    rows: Rows, tmp_path: Path, ask: BankCommand, change: Callable[[Lines], int]
) -> None:
    lines = [json.loads(row) for row in rows]
    at = change(lines)
    write_bank(tmp_path / "bank", lines)
    status, said, remark = ask("audit", "--bank", tmp_path / "bank")
    assert_named((status, "\n".join([*said, remark])), at + 1)
    # The start refuses it too, and names the line.
    status, said, remark = ask("balances", "--bank", tmp_path / "bank")
    assert status != 0
    assert f"line {at + 1}" in remark


@pytest.mark.parametrize("seats", [["ned21"], [{"seat": 1}]])
def test_a_seat_of_nobody_is_named_where_the_seats_are_read(
    rows: Rows, tmp_path: Path, ask: BankCommand, seats: list[object]
) -> None:
    lines = [json.loads(row) for row in rows]
    lines[-1]["state"] = {"seats": seats}
    write_bank(tmp_path / "bank", lines)
    status, _, remark = ask("balances", "--seen", "--bank", tmp_path / "bank")
    assert status != 0
    assert f"line {len(lines)}" in remark
    assert "its state has a seat of nobody" in remark
