"""A bank whose journal was taken away goes on from a statement of all it knew."""

import logging
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankDamagedError, JournalStalledError
from bj_server.bank.move import Clock
from support.banks import JOURNAL_NAME, OpenBank, finish_packing, no_pause

NEXT = "journal-000002.jsonl"


async def lose(bank: Bank, folder: Path) -> int:
    """Take the journal away from an open bank, and have it go on; return its line."""
    bank.give("ned21", 100)
    line = bank.journal.seq + 1
    (folder / JOURNAL_NAME).rename(folder / "elsewhere")
    with pytest.raises(JournalStalledError):
        bank.give("ned21", 20)
    await bank.mended()
    bank.give("ned21", 3)
    return line


async def test_14_5_a_bank_says_what_others_have_done_and_from_where_it_goes_on(
    open_bank: OpenBank, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bank = open_bank()
    with caplog.at_level(logging.ERROR, "bj_server.bank"):
        await lose(bank, folder)
    (said,) = [
        record.getMessage()
        for record in caplog.records
        if "while it is open" in record.getMessage()
    ]
    assert said == (
        f"others have changed the bank while it is open: {folder / JOURNAL_NAME}: it "
        f"was moved away. No balance is lost: the journal goes on in {NEXT} from "
        "statement.json; earlier rounds are only in the rest of the older files. Keep "
        "other programs out of the folder"
    )
    assert (folder / NEXT).exists()
    assert bank.balance("ned21") == 123


async def test_14_5_what_others_put_in_the_place_of_a_journal_is_kept_aside(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = open_bank()
    bank.give("ned21", 100)
    line = bank.journal.seq + 1
    content = (folder / JOURNAL_NAME).read_bytes()
    (folder / JOURNAL_NAME).rename(folder / "elsewhere")
    (folder / JOURNAL_NAME).write_bytes(content)
    with pytest.raises(JournalStalledError):
        bank.give("ned21", 20)
    await bank.mended()
    left = folder / f"journal-000001.left-{line}"
    assert left.read_bytes() == content
    assert not (folder / JOURNAL_NAME).exists()
    bank.close()
    assert open_bank().balance("ned21") == 120


async def test_14_5_a_crash_before_bank_json_follows_the_statement_loses_nothing(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = open_bank()
    old = (folder / "bank.json").read_bytes()
    await lose(bank, folder)
    (folder / "bank.json").write_bytes(old)
    bank = open_bank()
    assert bank.balance("ned21") == 123
    assert not bank.lacks_statement
    bank.audit()


async def test_14_5_a_bank_knows_that_what_its_journal_begins_with_is_gone(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = open_bank()
    assert not bank.lacks_statement
    await lose(bank, folder)
    bank.close()
    (folder / "statement.json").unlink()
    bank = open_bank()
    assert bank.lacks_statement
    assert bank.balance("ned21") == 123


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not plain JSON, or not all of it"),
        (b"{", "is not plain JSON, or not all of it"),
        (b"\xff", "is not plain JSON, or not all of it"),
        (b'{"a":1.5}', "is not plain JSON: 1.5 is not a whole number"),
        (b'{"a":1,"a":1}', "is not plain JSON: a name stands twice in one object"),
        (b"[]", "is not a JSON object"),
        (b"{}", "does not have the fields of format"),
    ],
)
def test_14_4_a_damaged_statement_is_to_be_put_back(
    folder: Path, now: Clock, content: bytes, reason: str
) -> None:
    Bank.open(folder, now=now).close()
    (folder / "statement.json").write_bytes(content)
    with pytest.raises(BankDamagedError) as caught:
        Bank.open(folder, now=now)
    assert caught.value.reason.startswith(reason)
    assert str(caught.value) == (
        f"The bank file {folder / 'statement.json'} {caught.value.reason}. Nothing was "
        "changed; put it back from a good copy, or move it away to go on from "
        "bank.json, with a journal that no audit can prove."
    )


async def test_14_5_segments_after_a_loss_are_closed_and_packed_like_others(
    folder: Path, now: Clock
) -> None:
    bank = Bank.open(folder, now=now, segment_bytes=900, pause=no_pause)
    await lose(bank, folder)
    while bank.journal.number < 5:
        bank.give("ned21", 1)
        await bank.commit(bank.journal.seq, bank.journal.seq)
    finish_packing(bank)
    assert sorted(path.name for path in folder.glob("journal-*")) == [
        f"{NEXT}.gz",
        "journal-000003.jsonl.gz",
        "journal-000004.jsonl.gz",
        "journal-000005.jsonl",
    ]
    bank.close()
    Bank.open(folder, now=now).close()
