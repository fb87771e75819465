import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.clock import Clock
from bj_server.bank.error import BankDamaged

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def path(small_journal: bytes, folder: Path, now: Clock) -> Path:
    Bank.open(folder, now=now).close()
    return folder / "bank.json"


def refuse(path: Path, content: bytes, now: Clock) -> BankDamaged:
    path.write_bytes(content)
    journal = (path.parent / "journal-000001.jsonl").read_bytes()
    with pytest.raises(BankDamaged) as caught:
        Bank.open(path.parent, now=now)
    assert path.read_bytes() == content
    assert (path.parent / "journal-000001.jsonl").read_bytes() == journal
    assert str(path) in str(caught.value)
    assert "move bank.json away to have it rebuilt" in str(caught.value)
    return caught.value


def changed(path: Path, change: Change) -> bytes:
    fields = json.loads(path.read_text())
    change(fields)
    return json.dumps(fields).encode()


def test_bank_json_is_readable_sorted_and_for_its_owner_alone(path: Path) -> None:
    digest = json.loads(path.read_text())["line_sha256"]
    assert path.read_text() == (
        '{\n "format": 1,\n "seq": 7,\n'
        f' "line_sha256": "{digest}",\n'
        ' "time": "2024-05-01T12:30:00.000Z",\n'
        ' "accounts": {\n  "donor": -100000,\n  "house": -5000,\n'
        '  "player:ned21": 105000,\n  "stakes:main": 0\n },\n'
        ' "rounds": {\n  "main": 1\n }\n}\n'
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_missing_bank_json_is_rebuilt_from_the_journal(
    path: Path, now: Clock
) -> None:
    before = path.read_bytes()
    path.unlink()
    Bank.open(path.parent, now=now).close()
    assert path.read_bytes() == before


def test_P2_bank_json_cut_anywhere_is_reported_and_not_loaded(
    path: Path, now: Clock
) -> None:
    whole = path.read_bytes()
    for length in range(len(whole) - 2):
        reason = refuse(path, whole[:length], now).reason
        assert reason == "is not JSON, or not all of it"


@pytest.mark.parametrize(
    "content", [b"", bytes(300), b"[", b"\xff", b'{"a":1,"a":2}', b"[" * 10**5]
)
def test_P2_bank_json_that_is_no_json_is_reported(
    path: Path, now: Clock, content: bytes
) -> None:
    assert refuse(path, content, now).reason.startswith("is not JSON")


@pytest.mark.parametrize("content", [b"[]", b"7", b"null", b'"bank"'])
def test_P2_bank_json_that_is_no_object_is_reported(
    path: Path, now: Clock, content: bytes
) -> None:
    assert refuse(path, content, now).reason == "is not a JSON object"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda f: f.clear(), "does not hold format 1"),
        (lambda f: f.pop("rounds"), "does not hold format 1"),
        (lambda f: f.update(note=""), "does not hold format 1"),
        (lambda f: f.update(format=0), "does not hold format 1"),
        (lambda f: f.update(format=2), "is of format 2, and this server reads up to 1"),
        (lambda f: f.update(format=True), "field format of the wrong type"),
        (lambda f: f.update(seq="5"), "field seq of the wrong type"),
        (lambda f: f.update(seq=5.0), "field seq of the wrong type"),
        (lambda f: f.update(accounts=[]), "field accounts of the wrong type"),
        (lambda f: f["accounts"].update(house=-5000.0), r"says -5000\.0 of house"),
        (lambda f: f["accounts"].update(house=True), "says true of house"),
        (lambda f: f["accounts"].update(house=None), "says null of house"),
        (lambda f: f["accounts"].update(house="7"), 'says "7" of house'),
        (lambda f: f["rounds"].update(main=1.5), r"says 1\.5 of main"),
    ],
)
def test_P2_bank_json_of_another_shape_is_reported(
    path: Path, now: Clock, change: Change, reason: str
) -> None:
    error = refuse(path, changed(path, change), now)

    assert re.search(reason, error.reason)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "0.5"])
def test_B9_a_balance_that_is_no_whole_number_is_reported_with_its_account(
    path: Path, now: Clock, text: str
) -> None:
    content = path.read_bytes().replace(b"105000", text.encode())
    reason = refuse(path, content, now).reason
    assert "of player:ned21, which is no whole number" in reason


def test_B12_a_balance_of_4301_digits_is_reported(path: Path, now: Clock) -> None:
    content = path.read_bytes().replace(b"105000", b"9" * 4301)
    assert refuse(path, content, now).reason.startswith("is not JSON")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda f: f["accounts"].update({"player:ned21": 2**53 + 1}),
            f"says {2**53 + 1} for account player:ned21, but the journal says 105000",
        ),
        (
            lambda f: f["accounts"].pop("player:ned21"),
            "says nothing for account player:ned21, but the journal says 105000",
        ),
        (
            lambda f: f["accounts"].update({"player:lia9": 7}),
            "says 7 for account player:lia9, but the journal says nothing",
        ),
        (
            lambda f: f["rounds"].update(main=2),
            "says 2 for last round at table main, but the journal says 1",
        ),
        (
            lambda f: f.update(line_sha256="0" * 64),
            "belongs to another journal: line 7 of this one differs",
        ),
        (
            lambda f: f.update(seq=8),
            "is of line 8, but the journal has the lines 1 to 7",
        ),
        (
            lambda f: f.update(seq=0),
            "is of line 0, but the journal has the lines 1 to 7",
        ),
    ],
)
def test_P2_bank_json_that_contradicts_the_journal_is_reported(
    path: Path, now: Clock, change: Change, reason: str
) -> None:
    assert refuse(path, changed(path, change), now).reason == reason


def test_bank_json_is_held_against_the_journal_as_it_was_then(
    path: Path, now: Clock
) -> None:
    old = path.read_bytes()
    bank = Bank.open(path.parent, now=now)
    bank.till("main").give("ned21", 7)
    bank.till("main").seal({})
    bank.close()
    path.write_bytes(old)
    Bank.open(path.parent, now=now).close()
    wrong = old.replace(b"105000", b"105007")
    assert "player:ned21" in refuse(path, wrong, now).reason


def test_bank_json_that_cannot_be_read_is_reported(path: Path, now: Clock) -> None:
    path.unlink()
    path.mkdir()
    with pytest.raises(BankDamaged, match="cannot be read: Is a directory"):
        Bank.open(path.parent, now=now)
