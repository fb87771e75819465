"""Records that a player has changed: they prove nothing against an honest server."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_client.fair.record import RecordError
from bj_protocol import events
from support.cheating import changed, hang_up, once, play
from support.company import Company, record_of, verified

_VALUE = re.compile(rb'(?<=":)(?:-?\d+|"[^"]{1,64}"|true|false|null)(?=[,}\]])')
_LIES = [b"1", b"7", b"500", b"null", b"true", b'"lia9"', b'"' + b"0" * 64 + b'"']


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Company]:
    with Company(tmp_path / "bank", seats=4) as rig:
        rig.join("ned21")
        rig.join("lia9")
        play(rig, 2)
        yield rig


@pytest.fixture
def lines(rig: Company) -> list[bytes]:
    """Return the record of an honest evening with a gap in it."""
    hang_up(rig, "ned21")
    play(rig, 1, most=10)
    rig.wait(40)
    rig.outlet.recent.clear()
    rig.join("ned21")
    rig.wait(1)
    play(rig, 3)
    lines = record_of(rig.players["ned21"])
    assert verified(lines)[1].findings == 0
    return lines


def found_in(lines: list[bytes]) -> tuple[int, int]:
    """Return how much is found in a record, and how much is proven to anyone."""
    try:
        verification = verified(lines)[1]
    except RecordError:
        return 0, 0
    return verification.findings, verification.for_anyone


def test_updates_that_are_cut_out_behind_a_lie_prove_nothing(
    lines: list[bytes],
) -> None:
    lost = next(at for at, line in enumerate(lines) if b'"line": "lost"' in line)
    settled = re.compile(rb'("hand_settled".*?"balance":)(\d+)')
    last = max(at for at in range(lost) if settled.search(lines[at]))
    lie = settled.sub(rb"\g<1>500", lines[last], count=1)
    found, proven = found_in([*lines[:last], lie, *lines[lost:]])
    assert found > 0
    assert proven == 0


def test_no_change_of_a_record_proves_anything_to_anyone(
    lines: list[bytes], request: pytest.FixtureRequest
) -> None:
    chance = random.Random(request.node.name)
    told = [at for at, line in enumerate(lines) if b'"heard"' in line]
    pictures = [at for at in told if b'"snapshot"' in lines[at]]
    found = 0
    for number in range(150):
        at = chance.choice(pictures if number % 2 else told)
        places = [match.span() for match in _VALUE.finditer(lines[at])]
        start, end = chance.choice(places)
        lie = lines[at][:start] + chance.choice(_LIES) + lines[at][end:]
        cut = chance.choice([at + 1, at + 1, chance.randint(at + 1, len(lines))])
        changes = found_in([*lines[:at], lie, *lines[cut:]])
        found += changes[0]
        assert changes[1] == 0, (lines[at], lie)
    assert found > 0


def test_a_lie_that_is_signed_is_proven_to_anyone(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(rig, monkeypatch, once(events.HandSettled, payout=500))
    play(rig, 2)
    found, proven = found_in(record_of(rig.players["ned21"]))
    assert found >= proven > 0
