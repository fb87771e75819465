"""bank.json: the snapshot from which a start goes on."""

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.books import Books
from bj_server.bank.error import (
    BankDamagedError,
    BankUnusableError,
    JournalDamagedError,
    UnknownFormatError,
)
from bj_server.bank.ledger import Ledger
from bj_server.bank.move import Clock, Posting
from bj_server.bank.pending import PendingRound
from bj_server.bank.reader import Position
from bj_server.bank.snapshot import Snapshot, newest, restore, state


class Change(Protocol):
    """Changes what a snapshot says."""

    def __call__(self, fields: dict[str, Any], /) -> object: ...


@pytest.fixture
def path(small_journal: bytes, folder: Path, now: Clock) -> Path:
    Bank.open(folder, now=now).close()
    return folder / "bank.json"


def refuse(path: Path, content: bytes, now: Clock) -> BankDamagedError:
    path.write_bytes(content)
    journal = (path.parent / "journal-000001.jsonl").read_bytes()
    with pytest.raises(BankDamagedError) as caught:
        Bank.open(path.parent, now=now)
    assert path.read_bytes() == content
    assert (path.parent / "journal-000001.jsonl").read_bytes() == journal
    assert str(path) in str(caught.value)
    assert "bj-bank audit" in str(caught.value)
    return caught.value


def changed(path: Path, change: Change) -> bytes:
    fields = json.loads(path.read_text())
    change(fields)
    return sealed(fields)


def sealed(fields: dict[str, Any]) -> bytes:
    """Write a snapshot with a checksum that is right, whatever it says."""
    fields.pop("checksum", None)
    body = json.dumps(fields, indent=1).removesuffix("\n}").encode()
    seal = f',\n "checksum": "{hashlib.sha256(body).hexdigest()}"\n}}\n'
    return body + seal.encode()


def test_bank_json_is_readable_sorted_and_for_its_owner_alone(path: Path) -> None:
    text = path.read_text()
    fields = json.loads(text)
    assert list(fields) == [
        "format",
        "seq",
        "line_sha256",
        "time",
        "segment",
        "closed",
        "accounts",
        "rounds",
        "over",
        "held",
        "notices",
        "dockets",
        "keys",
        "checksum",
    ]
    assert text.encode() == sealed(fields)
    assert (
        '"accounts": {\n  "donor": -100000,\n  "house": -5000,\n'
        '  "player:ned21": 105000,\n  "stakes:main": 0\n },\n'
    ) in text
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
    for length in range(0, len(whole) - 2, 11):
        reason = refuse(path, whole[:length], now).reason
        assert reason == "is not plain JSON, or not all of it"


@pytest.mark.parametrize(
    "content", [b"", bytes(300), b"[", b"\xff", b'{"a":1,"a":2}', b"[" * 10**5]
)
def test_P2_bank_json_that_is_no_json_is_reported(
    path: Path, now: Clock, content: bytes
) -> None:
    assert refuse(path, content, now).reason.startswith("is not plain JSON")


@pytest.mark.parametrize("content", [b"[]", b"7", b"null", b'"bank"'])
def test_P2_bank_json_that_is_no_object_is_reported(
    path: Path, now: Clock, content: bytes
) -> None:
    assert refuse(path, content, now).reason == "is not a JSON object"


SHAPE = "does not have the fields of format 3"
OTHER = "^has stakes, notices, dockets, keys or visits of another shape$"


FLEET = {"fleet": "f", "name": "east", "journal": "j", "epoch": 1}


def _put_before_checksum(fields: dict[str, Any], **more: object) -> None:
    checksum = fields.pop("checksum")
    fields |= {**more, "checksum": checksum}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda f: f.pop("format"), SHAPE),
        (lambda f: f.pop("rounds"), SHAPE),
        (lambda f: f.update(note=""), SHAPE),
        (lambda f: f.update(segment=[]), SHAPE),
        (lambda f: f["segment"].pop("number"), SHAPE),
        (lambda f: f.update(seq="five"), SHAPE),
        (lambda f: f.update(seq=None), SHAPE),
        (lambda f: f.update(closed=[{"name": "x"}]), SHAPE),
        (lambda f: f.update(closed=7), SHAPE),
        (lambda f: f.update(format=True), SHAPE),
        (lambda f: f.update(format=0), SHAPE),
        (lambda f: f.update(format=10**6), SHAPE),
        (lambda f: f["segment"].update(sha256=None), SHAPE),
        (lambda f: f.update(closed=[{"name": 7, "seq": "1"}]), SHAPE),
        (lambda f: f.update(accounts=[]), "has accounts that are no object"),
        (lambda f: f["accounts"].update(house=True), "says True of house"),
        (lambda f: f["accounts"].update(house=None), "says None of house"),
        (lambda f: f["accounts"].update(house="7"), "says '7' of house"),
        (lambda f: f["rounds"].update(main=[]), r"says \[\] of main"),
        (lambda f: f["over"].update(main=[]), r"says \[\] of main"),
        (lambda f: f.update(held={"main": {"1": {"ned21": "5"}}}), "says '5' of ned21"),
        (lambda f: f.update(held={"main": {"one": {}}}), OTHER),
        (lambda f: f.update(held=[]), OTHER),
        (lambda f: f.update(notices={"ned21": 7}), OTHER),
        (lambda f: f.update(keys=[]), OTHER),
        (lambda f: f["keys"].update(ned21="0" * 63), OTHER),
        (lambda f: f["keys"].update(ned21=7), OTHER),
        (lambda f: f["dockets"]["main"].pop("state"), OTHER),
        (lambda f: f["dockets"]["main"].update(draw={}), OTHER),
        (lambda f: f["dockets"]["main"].update(answers=[7]), OTHER),
        (lambda f: f.update(fleet={}), SHAPE),
        (lambda f: _put_before_checksum(f, visits=[], fleet=FLEET), OTHER),
        (lambda f: _put_before_checksum(f, visits={}, fleet={"name": "east"}), OTHER),
    ],
)
def test_P2_bank_json_of_another_shape_is_reported(
    path: Path, now: Clock, change: Change, reason: str
) -> None:
    error = refuse(path, changed(path, change), now)
    assert re.search(reason, error.reason)


@pytest.mark.parametrize("number", [1, 4])
def test_14_4_a_bank_json_of_another_format_needs_its_server(
    path: Path, now: Clock, number: int
) -> None:
    path.write_bytes(changed(path, lambda fields: fields.update(format=number)))
    with pytest.raises(UnknownFormatError, match="server has written it: use that one"):
        Bank.open(path.parent, now=now)


def test_bank_json_from_before_keys_is_read_on(path: Path, now: Clock) -> None:
    path.write_bytes(changed(path, lambda fields: fields.pop("keys")))
    bank = Bank.open(path.parent, now=now)
    assert bank.till("main").key_of("ned21") is None
    bank.close()
    assert json.loads(path.read_text())["keys"] == {}


def test_B9_P2_a_changed_digit_is_found_by_the_checksum(path: Path, now: Clock) -> None:
    whole = path.read_bytes()
    for wrong in (
        whole.replace(b"105000", b"105001"),
        whole.replace(b'"seq": 4', b'"seq": 2'),
        whole + b" ",
        whole.replace(b"\n", b"\r\n"),
    ):
        assert wrong != whole
        reason = refuse(path, wrong, now).reason
        assert reason == "is not as it was written, by its checksum"


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "0.5"])
def test_B9_a_balance_that_is_no_whole_number_is_reported(
    path: Path, now: Clock, text: str
) -> None:
    content = path.read_bytes().replace(b"105000", text.encode())
    assert refuse(path, content, now).reason.startswith("is not plain JSON")


def test_B12_a_balance_of_4301_digits_is_reported(path: Path, now: Clock) -> None:
    content = path.read_bytes().replace(b"105000", b"9" * 4301)
    assert refuse(path, content, now).reason.startswith("is not plain JSON")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda f: f["segment"].update(size=10**6), None),
        (lambda f: f["segment"].update(sha256="0" * 64), "not those that bank.json"),
        (lambda f: f["segment"].update(number=2), "it is missing, though bank.json"),
    ],
)
def test_P2_a_bank_json_of_another_journal_stops_the_start(
    path: Path, now: Clock, change: Change, reason: str | None
) -> None:
    path.write_bytes(changed(path, change))
    with pytest.raises(JournalDamagedError, match=reason):
        Bank.open(path.parent, now=now)


def test_all_that_the_books_know_is_there_after_a_start(
    open_bank: Callable[[], Bank],
) -> None:
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 100)
    till.record("draw", 1, {"cut": 60})
    till.stake(1, "ned21", 10)
    till.record("deal", 1, {"dealt": 0})
    till.record("answer", 1, {"play": "hit"})
    till.void(1)
    till.stake(2, "ned21", 10)
    till.record("deal", 2, {"dealt": 4})
    till.record("answer", 2, {"play": "stand"})
    till.seal({"seats": [1]})
    before = bank.books
    bank.snapshot()
    fields = before.pending("main")
    bank._read_back()
    after = bank.books
    assert after.pending("main") == fields
    assert after.ledger.accounts == before.ledger.accounts
    assert (after.rounds, after.over) == (before.rounds, before.over)
    assert after.live_rounds == before.live_rounds == [("main", 2)]
    assert after.held("main", 2) == {"ned21": 10}
    assert after.notices["ned21"] == before.notices["ned21"] != []


def test_bank_json_that_cannot_be_read_is_reported(path: Path, now: Clock) -> None:
    path.unlink()
    path.mkdir()
    with pytest.raises(
        BankUnusableError, match="it is a folder, and no file. Move that"
    ):
        Bank.open(path.parent, now=now)


async def test_P6_a_bank_json_that_cannot_be_written_now_and_then_stops_no_play(
    open_bank: Callable[[], Bank],
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def full(*paths: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    bank = open_bank()
    before = path.read_bytes()
    till = bank.till("main")
    till.open("ned21", 1000)
    till.seal({})
    bank._settled = 1000
    monkeypatch.setattr(os, "replace", full)
    await till.commit()
    assert path.read_bytes() == before
    said = (
        f"The bank cannot use {path}: No space left on device. Make space on its disk."
    )
    assert [record.getMessage() for record in caplog.records] == [said]
    monkeypatch.undo()
    bank._settled = 1000
    await till.commit()
    assert path.read_bytes() != before


def test_P10_a_table_gives_back_its_own_stakes_only(folder: Path, now: Clock) -> None:
    with closing(Bank.open(folder, now=now)) as bank:
        for name in ("main", "other"):
            till = bank.till(name)
            till.open("ned21", 1000)
            till.stake(1, "ned21", 10)
            till.seal({})
    with closing(Bank.open(folder, now=now, keep=("main", "other"))) as bank:
        assert bank.balance("ned21") == 980
        bank.till("main").void_all()
        bank.till("main").seal({})
        assert bank.balance("ned21") == 990
        assert bank.till("other").held(1) == {"ned21": 10}


def test_bank_json_from_before_draws_is_read(path: Path, now: Clock) -> None:
    def as_before(fields: dict[str, Any]) -> None:
        pending = fields["dockets"]["main"]
        del pending["draw"]
        pending |= {"shoe": {"round": 1, "data": {"shoe": 1}}, "shuffles": []}

    path.write_bytes(changed(path, as_before))
    with closing(Bank.open(path.parent, now=now)) as bank:
        assert bank.till("main").pending.draw is None


def test_a_bank_json_without_a_checksum_is_reported(path: Path, now: Clock) -> None:
    for names in (["checksum"], ["checksum", "keys"]):
        fields = json.loads(path.read_text())
        for name in names:
            fields.pop(name, None)
        assert refuse(path, json.dumps(fields).encode(), now).reason in (
            SHAPE,
            "is not as it was written, by its checksum",
        )
        Bank.open(rebuilt(path), now=now).close()


def rebuilt(path: Path) -> Path:
    """Move ``bank.json`` away, and return the folder."""
    path.unlink()
    return path.parent


def test_every_record_of_a_table_is_the_same_in_a_statement() -> None:
    kept = PendingRound(
        house=Posting(kind="house", round=1, data={"rules": {"decks": 8}}),
        draw=Posting(kind="draw", round=2, data={"cut": 60}),
        deal=Posting(kind="deal", round=3, data={"dealt": 4}),
        answers=(
            Posting(kind="answer", round=4, data={"play": "hit"}),
            Posting(kind="answer", round=5, data={"play": "stand"}),
        ),
        state={"seq": 7},
    )
    books = Books(
        ledger=Ledger({"house": -3, "player:ned21": 1, "stakes:main": 2}),
        rounds={"main": 6, "other": 1},
        over={"main": 5},
        live={("main", 6): {"ned21": 2}},
        notices={"ned21": ["one", "two"]},
        pending_rounds={"main": kept, "other": PendingRound()},
        keys={"ned21": "ab" * 32},
    )
    again = restore(json.loads(json.dumps(state(books))))
    assert again.ledger.balances == books.ledger.balances
    for part in ("rounds", "over", "live", "notices", "pending_rounds", "keys"):
        assert getattr(again, part) == getattr(books, part), part
    copied = books.copy()
    for part in ("rounds", "over", "live", "notices", "pending_rounds", "keys"):
        assert getattr(copied, part) == getattr(books, part), part
        assert getattr(copied, part) is not getattr(books, part), part
    assert copied.ledger.balances == books.ledger.balances
    assert copied.ledger.players == books.ledger.players == 1


def test_of_two_snapshots_the_one_that_knows_more_counts() -> None:
    def snapshot(seq: int, time: str) -> Snapshot:
        place = Position(seq=seq)
        return Snapshot(
            time=time, number=1, place=place, sha256="", closed=(), statement={}
        )

    older, newer, same = snapshot(4, "a"), snapshot(5, "b"), snapshot(5, "c")
    assert newest(older, newer) is newest(newer, older) is newer
    assert newest(newer, same) is newer
    assert newest(None, older) is newest(older, None) is older
    assert newest(None, None) is None
