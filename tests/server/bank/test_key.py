"""A handle is claimed once, by the hash of a key, and only a reset frees it."""

import json
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.books import Books
from bj_server.bank.error import JournalDamagedError, MispostedError
from bj_server.bank.key import digest_of, is_same
from bj_server.bank.line import act, command, encode
from bj_server.bank.move import Clock, Posting
from support.banks import OpenBank, read_bank

KEY = "N" * 42 + "A"
ONE, TWO = digest_of(KEY), digest_of("o" * 42 + "A")


def claimed(open_bank: OpenBank) -> Bank:
    """Return a bank in which ned21 has the key whose hash is ``ONE``."""
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 100)
    till.claim("ned21", ONE)
    till.seal({})
    return bank


def key(**data: object) -> Posting:
    return Posting(kind="key", data=data)


def test_a_claim_is_kept_as_a_hash_and_is_there_after_a_restart(
    open_bank: OpenBank, folder: Path
) -> None:
    claimed(open_bank).journal.write()
    till = open_bank().till("main")
    assert till.key_of("ned21") == ONE
    assert till.key_of("lia9") is None
    assert is_same(ONE, digest_of(KEY))
    assert not is_same(ONE, TWO)
    line = read_bank(folder)[-2]
    assert (line["kind"], line["table"], line["entries"]) == ("key", "main", [])
    assert line["data"] == {"handle": "ned21", "sha256": ONE}


def test_a_claim_without_a_seal_never_was(open_bank: OpenBank) -> None:
    bank = open_bank()
    bank.till("main").claim("ned21", ONE)
    bank.journal.write()
    assert open_bank().till("main").key_of("ned21") is None


def test_a_claimed_handle_takes_no_other_key(open_bank: OpenBank) -> None:
    till = claimed(open_bank).till("main")
    with pytest.raises(MispostedError, match="The handle ned21 has a key already"):
        till.claim("ned21", TWO)
    with pytest.raises(MispostedError, match="64 hexadecimal digits"):
        till.claim("lia9", TWO.upper())
    assert (till.key_of("ned21"), till.key_of("lia9")) == (ONE, None)
    assert till.is_sealed


def test_the_host_can_reset_a_key_and_it_is_on_the_disk_at_once(
    open_bank: OpenBank,
) -> None:
    bank = claimed(open_bank)
    assert bank.reset_key("ned21")
    assert bank.journal.synced == bank.journal.seq
    assert not bank.reset_key("ned21")
    bank = open_bank()
    assert bank.till("main").key_of("ned21") is None
    assert bank.balance("ned21") == 100
    bank.till("main").claim("ned21", TWO)
    assert bank.till("main").key_of("ned21") == TWO


def test_a_table_can_forget_a_key_and_its_handle_is_claimed_anew(
    open_bank: OpenBank, folder: Path
) -> None:
    bank = claimed(open_bank)
    till = bank.till("main")
    till.forget_key("ned21")
    till.seal({})
    bank.journal.write()
    forgotten = read_bank(folder)[-2]
    assert (forgotten["kind"], forgotten["table"]) == ("key", "main")
    assert till.key_of("ned21") is None
    till.claim("ned21", TWO)
    assert till.key_of("ned21") == TWO


def test_bank_json_keeps_the_keys(open_bank: OpenBank, folder: Path) -> None:
    bank = claimed(open_bank)
    bank.snapshot()
    assert json.loads((folder / "bank.json").read_text())["keys"] == {"ned21": ONE}
    assert open_bank().till("main").key_of("ned21") == ONE


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"handle": "ned21"}, "of a handle"),
        ({"handle": 7, "sha256": ONE}, "of a handle"),
        ({"handle": "ned21", "sha256": ONE, "key": "x"}, "of a handle"),
        ({"handle": "ned21", "sha256": 7}, "64 hexadecimal digits"),
        ({"handle": "ned21", "sha256": "abc"}, "64 hexadecimal digits"),
        ({"handle": "ned21", "sha256": None}, "no key of ned21 to reset"),
    ],
)
def test_a_line_that_is_no_claim_is_damage(
    folder: Path, now: Clock, data: dict[str, object], reason: str
) -> None:
    with pytest.raises(MispostedError, match=reason):
        Books().apply(key(**data))
    Bank.open(folder, now=now).close()
    (folder / "bank.json").unlink()
    path = folder / "journal-000001.jsonl"
    first = path.read_bytes()
    claim = encode(
        command(None, [act(key(**data))], None),
        seq=2,
        time="2024-05-01T12:30:00.000Z",
        synced=1,
        prev=digest_of(first[:-1].decode()),
    )
    path.write_bytes(first + claim + b"\n")
    with pytest.raises(JournalDamagedError, match=reason):
        Bank.open(folder, now=now)
