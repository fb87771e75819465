"""A segment that is not as it was written is told by its first wrong line, in words."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.error import JournalDamagedError, UnknownFormatError
from bj_server.bank.line import HEADER, NO_LINE, Line, act, command, encode
from bj_server.bank.move import Posting
from bj_server.bank.reader import Position, read_on

PATH = Path("bank/journal-000001.jsonl")
NOTE = command(None, [act(Posting(kind="note"))], None)


class Text:
    """The lines of a segment, each made to follow the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.add(HEADER)

    def add(self, says: str = NOTE, **otherwise: Any) -> None:
        seq = len(self.lines) + 1
        last = self.lines[-1][:-1] if self.lines else None
        fields: dict[str, Any] = {
            "seq": seq,
            "time": "2024-05-01T12:30:00.000Z",
            "synced": 0,
            "prev": NO_LINE if last is None else hashlib.sha256(last).hexdigest(),
        }
        self.lines.append(encode(says, **{**fields, **otherwise}) + b"\n")

    def read(self, *, is_last: bool = True) -> tuple[Position, list[Line]]:
        seen: list[Line] = []
        content = b"".join(self.lines)
        end = read_on(PATH, content, Position(), seen.append, is_last=is_last)
        return end, seen

    def damage(self, *, is_last: bool = True) -> tuple[int | None, str]:
        with pytest.raises(JournalDamagedError) as caught:
            self.read(is_last=is_last)
        assert caught.value.path == PATH
        return caught.value.line, caught.value.reason


@pytest.fixture
def text() -> Text:
    """A header and two lines."""
    text = Text()
    text.add()
    text.add()
    return text


def test_lines_that_follow_each_other_are_shown_in_their_order(text: Text) -> None:
    place, seen = text.read()
    assert [line.kind for line in seen] == ["journal", "note", "note"]
    assert [line.seq for line in seen] == [1, 2, 3]
    assert place == Position(
        seq=3,
        digest=hashlib.sha256(text.lines[-1][:-1]).hexdigest(),
        size=sum(map(len, text.lines)),
    )


@pytest.mark.parametrize(
    ("otherwise", "reason"),
    [
        ({"seq": 5}, "it is numbered 5"),
        ({"seq": 3}, "it is numbered 3"),
        ({"prev": "ab" * 32}, "it does not follow the line before it"),
        ({"synced": 4}, "it vouches for lines that were still to come"),
        ({"synced": 5}, "it vouches for lines that were still to come"),
        ({"synced": -1}, "it vouches for lines that were still to come"),
        (
            {"says": HEADER},
            "the line that names the format is the first of its file and no other",
        ),
    ],
)
def test_P2_a_line_that_does_not_follow_is_told_with_its_number(
    text: Text, otherwise: dict[str, Any], reason: str
) -> None:
    text.add(**otherwise)
    assert text.damage() == (4, reason)


@pytest.mark.parametrize("synced", [0, 1, 3])
def test_a_line_vouches_for_those_before_it_alone(text: Text, synced: int) -> None:
    text.add(synced=synced)
    assert text.read()[0].seq == 4


def test_P2_a_file_begins_with_the_line_that_names_its_format() -> None:
    text = Text()
    text.lines.clear()
    text.add()
    assert text.damage() == (
        1,
        "the line that names the format is the first of its file and no other",
    )
    text.lines.clear()
    assert text.damage() == (1, "the file is empty")
    text.lines.append(b"\n")
    assert text.damage() == (1, "its checksum is wrong")


def test_P2_the_lines_of_a_file_are_of_the_format_that_its_first_one_names() -> None:
    text = Text()
    text.lines.clear()
    text.add(HEADER.replace("3", "2"))
    place, _ = text.read()
    text.add()
    damage = (2, "it is no line of format 2, which its file has")
    assert text.damage() == damage
    with pytest.raises(JournalDamagedError) as caught:
        read_on(PATH, b"".join(text.lines), place, lambda line: None, is_last=True)
    assert (caught.value.line, caught.value.reason) == damage


def test_14_4_a_file_of_a_newer_format_is_named_with_its_server() -> None:
    text = Text()
    text.lines.clear()
    text.add(HEADER.replace("3", "9"))
    with pytest.raises(UnknownFormatError) as caught:
        text.read()
    assert str(caught.value) == (
        f"The bank file {PATH}: it is of format 9, and this server reads up to 3. "
        "Nothing was changed; a newer server has written it: use that one."
    )


@pytest.mark.parametrize(
    ("rest", "reason"),
    [(b"{", "it is cut short"), (b"{}\n", "its checksum is wrong")],
)
def test_P2_a_torn_end_counts_only_where_a_crash_can_leave_it(
    text: Text, rest: bytes, reason: str
) -> None:
    whole, _ = text.read()
    text.lines.append(rest)
    assert text.read()[0] == whole
    assert text.damage(is_last=False) == (4, reason)
    text.lines[-1:] = [rest.removesuffix(b"\n") + b"\n"]
    text.add(seq=5, synced=3)
    assert text.read()[0] == whole
    text.lines.pop()
    text.add(seq=5, synced=4)
    reason = "its checksum is wrong"
    assert text.damage() == (4, f"{reason}, though it was on the disk once")


def test_P2_a_command_of_format_2_without_its_seal_is_named() -> None:
    text = Text()
    text.lines.clear()
    text.add(HEADER.replace("3", "2"))
    text.add('"kind":"note","table":"main","round":null,"entries":[],"data":{}')
    assert text.read()[0].seq == 1
    assert text.damage(is_last=False) == (3, "its command has no end")


def test_P2_no_crash_leaves_a_file_without_its_first_line() -> None:
    text = Text()
    text.lines = [text.lines[0][:-1]]
    assert text.damage() == (1, "it is cut short")
