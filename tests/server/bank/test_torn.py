"""What a crash leaves of a line is moved aside, and the host is told in a sentence."""

from pathlib import Path

import pytest

from bj_server.bank.error import JournalDamagedError
from support.banks import JOURNAL_NAME, OpenBank


@pytest.mark.parametrize(
    ("rest", "moved"),
    [(b"{", "1 byte was"), (b"{}", "2 bytes were"), (b"\0" * 300, "300 bytes were")],
)
def test_P1_a_line_that_is_cut_short_is_moved_aside_and_told(
    open_bank: OpenBank, folder: Path, rest: bytes, moved: str
) -> None:
    bank = open_bank()
    bank.give("ned21", 100)
    line = bank.journal.seq + 1
    bank.close()
    path = folder / JOURNAL_NAME
    whole = path.read_bytes()
    path.write_bytes(whole + rest)
    bank = open_bank()
    assert bank.repaired == (
        f"A crash cut line {line} of the journal short, in {path}. Nobody was told of "
        f"it; its {moved} moved to journal-000001.torn-{line}."
    )
    assert path.read_bytes() == whole
    assert (folder / f"journal-000001.torn-{line}").read_bytes() == rest
    assert bank.balance("ned21") == 100


def test_P2_a_tear_in_what_was_on_the_disk_is_told_as_damage(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = open_bank()
    bank.give("ned21", 100)
    line = bank.journal.seq
    bank.close()
    path = folder / JOURNAL_NAME
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(JournalDamagedError):
        open_bank()
    (folder / "bank.json").unlink()
    path.write_bytes(path.read_bytes() + b"\n")
    bank = open_bank()
    bank.give("ned21", 1)  # this line says that the one before was on the disk
    bank.journal.sync()
    raw = path.read_bytes().splitlines(keepends=True)
    raw[line - 1] = raw[line - 1][:-2] + b"\n"
    path.write_bytes(b"".join(raw))
    open_bank.leave()
    (folder / "bank.json").unlink()
    with pytest.raises(JournalDamagedError) as caught:
        open_bank()
    assert (caught.value.path, caught.value.line) == (path, line)
    assert caught.value.reason == (
        "its checksum is wrong, though it was on the disk once"
    )
