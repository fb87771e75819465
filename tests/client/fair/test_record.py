"""Records: every round in them verifies, and no bit of them can change unnoticed."""

import json
import random
from pathlib import Path

import pytest

from bj_client.fair.finding import Finding, Proof
from bj_client.fair.record import RecordError
from bj_server.settings import HOUSES
from support.company import verified
from support.one_bit import KINDS, flip, record_rounds, written

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover


def verify_rounds(folder: Path, rounds: int, each: int) -> str:
    """Verify the record of at least so many rounds."""
    proven = number = 0
    while proven < rounds:
        house = HOUSES[number % len(HOUSES)]
        lines = record_rounds(folder / str(number), house, number, each)
        remarks, verification = verified(lines)
        assert not [str(r) for r in remarks if not isinstance(r, Proof)], (
            house,
            number,
        )
        tally = verification.tally
        assert tally.proven == tally.whole >= each
        assert len(verification.keys) == 1
        proven += tally.proven
        number += 1
    return f"{proven} of {proven} rounds verify"


def test_56_of_56_rounds_verify(tmp_path: Path) -> None:
    print(verify_rounds(tmp_path, 56, 4))


@pytest.mark.torture
def test_1000_of_1000_rounds_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = verify_rounds(tmp_path, 1000, 20)
    with capsys.disabled():
        print(figures)


# One bit.


def change(chance: random.Random, lines: list[bytes]) -> tuple[str, list[bytes]]:
    """Return the record with one bit changed, and what was changed."""
    kind = chance.choice(list(KINDS))
    record = [json.loads(line) for line in lines]
    places = [place for line in record[1:] for place in KINDS[kind](line)]
    where, name = chance.choice(places)
    before, where[name] = where[name], flip(chance, where[name])
    what = f"{kind}: {where.get('type')} {name}, {before} for {where[name]}"
    return what, [written(line) for line in record]


def test_a_record_that_is_written_again_is_the_same(tmp_path: Path) -> None:
    lines = record_rounds(tmp_path / "bank", "vegas-strip", 3, 3)
    again = [written(json.loads(line)) for line in lines]
    assert [json.loads(line) for line in again] == [json.loads(line) for line in lines]
    assert not [r for r in verified(again)[0] if not isinstance(r, Proof)]


def change_many(folder: Path, changes: int, records: int) -> str:
    chance, named = random.Random(changes), 0
    for number in range(records):
        house = HOUSES[number % len(HOUSES)]
        lines = record_rounds(folder / str(number), house, 1000 + number, 4)
        for _ in range(changes // records):
            what, changed = change(chance, lines)
            remarks, _ = verified(changed)
            sentences = [str(r) for r in remarks if isinstance(r, Finding)]
            assert sentences, (house, number, what)
            assert all(sentence.startswith("Round ") for sentence in sentences)
            named += 1
    return f"{named} of {named} changes of one bit are found, and the round is named"


def test_42_of_42_changes_of_one_bit_are_found(tmp_path: Path) -> None:
    print(change_many(tmp_path, 42, len(HOUSES)))


@pytest.mark.torture
def test_1000_of_1000_changes_of_one_bit_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = change_many(tmp_path, 1000, 5 * len(HOUSES))
    with capsys.disabled():
        print(figures)


# Any bytes.


def complaint(data: bytes) -> str | None:
    """Return why a file is no record; None if it is one, whether it holds or not."""
    try:
        verified(data.splitlines(keepends=True))
    except RecordError as error:
        return str(error)
    return None


def test_whatever_bytes_are_changed_there_is_a_sentence(tmp_path: Path) -> None:
    chance = random.Random(5)
    lines = record_rounds(tmp_path / "bank", "vegas-strip", 3, 4)
    whole = b"".join(lines)
    bad = 0
    for _ in range(30):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            place = chance.randrange(len(data))
            data[place] ^= 1 << chance.randrange(8)
        cut = data[: chance.randrange(len(data))] if chance.random() < 0.2 else data
        sentence = complaint(bytes(cut))
        assert sentence is None or sentence.startswith("Line ")
        bad += sentence is not None
    assert bad > 10


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "There is nothing in it."),
        ([b'{"record": 2, "server": "", "table": null}'], "Line 1 is cut short"),
        ([b"\n"], "Line 1 is damaged"),
        ([b"\xff\xfe\n"], "Line 1 is damaged"),
        ([b"[" * 100_000 + b"\n"], "Line 1 is damaged"),
        ([b'{"record": 3, "server": "", "table": null}\n'], "Line 1 is damaged"),
        (
            [b'{"record": 1, "server": "", "table": null}\n'],
            "Line 1 begins a record of an older bj-client",
        ),
        ([b'{"handle": null, "at": 0, "line": "lost"}\n'], "Line 1 comes before"),
        (
            [
                b'{"record": 2, "server": "", "table": null}\n',
                b'{"handle": null, "at": 0}\n',
            ],
            "Line 2 is neither",
        ),
    ],
)
def test_what_is_no_record_is_named_by_its_line(
    lines: list[bytes], sentence: str
) -> None:
    with pytest.raises(RecordError, match=sentence):
        verified(lines)
