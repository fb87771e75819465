"""One bit of a round is changed: the short verifier and the audit name the round.

``tests/client/fair/test_record.py`` has the same for the client.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import verify_record

from bj_server.bank_cli.audit import Audit
from bj_server.bank_cli.reading import Reading
from bj_server.settings import HOUSES
from support.banks import Lines, of_kind, play_bank, tamper
from support.one_bit import KINDS, flip, record_rounds, written

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

Place = tuple[int, Any, str | int]
"""A round, an object that is of it, and the name of the value in that."""

OF_THE_DRAW = ("secret", "seal", "commitment", "link", "card")
"""What the verifier reads: it knows neither signatures nor money nor answers."""


def places_of_record(record: list[dict[str, Any]]) -> Iterator[Place]:
    """Go through what the watcher has heard, from the call of a round to its end."""
    called = 0
    for line in record[1:]:
        if line["handle"] is not None:
            continue
        events = line.get("heard", {}).get("events", ())
        for event in events:
            called = event["round"] if event["type"] == "bets_closed" else called
        for kind in OF_THE_DRAW if called else ():
            for where, name in KINDS[kind](line):
                yield called, where, name
        if any(e["type"] in ("round_ended", "round_voided") for e in events):
            called = 0


def lie_to_verifier(lines: list[bytes], chance: random.Random) -> tuple[int, str]:
    """Change one bit; return the round of it, and what the verifier says."""
    record = [json.loads(line) for line in lines]
    record = [line for line in record if line.get("handle") is None]
    number, where, name = chance.choice([*places_of_record(record)])
    where[name] = flip(chance, where[name])
    with pytest.raises(SystemExit) as stopped:
        verify_record.main([written(line).rstrip(b"\n") for line in record])
    return number, str(stopped.value.code)


def places_of_bank(lines: Lines) -> Iterator[Place]:
    """Go through what a round was drawn from, and what it has brought.

    Not the head of the call: nothing in a bank says what was told. With another head
    the cards are others, which the results show, or the shoe of the next round.
    """
    for line in of_kind(lines, "deal"):
        number, data = line["round"], line["data"]
        yield from ((number, data, name) for name in ("secret", "seal"))
        for seat in data["seats"]:
            yield number, seat, "commitment"
        for link in data["links"]:
            yield number, link, 1
    for line in of_kind(lines, "settle"):
        for result in line["data"]["results"]:
            if "payout" in result:
                yield line["round"], result, "payout"


def lie_to_audit(bank: Path, folder: Path, chance: random.Random) -> tuple[int, str]:
    """Change one bit of a bank, with skill; return its round, and what is found."""
    rounds: list[int] = []

    def change(lines: Lines) -> None:
        number, where, name = chance.choice([*places_of_bank(lines)])
        where[name] = flip(chance, where[name])
        rounds.append(number)

    tamper(bank, folder, change)
    found = Audit(None)
    Reading(folder).read(found.visit)
    return rounds[0], "\n".join(map(str, found.findings.lines))


def lie_many(folder: Path, lies: int, banks: int) -> str:
    """Tell so many lies to each; return how many were found, the round named."""
    chance, named = random.Random(lies), [0, 0]
    for number in range(banks):
        house = HOUSES[number % len(HOUSES)]
        lines = record_rounds(folder / f"record-{number}", house, number, 4)
        bank = folder / f"bank-{number}"
        play_bank(bank, house, rounds=4)
        for lie in range(lies // banks):
            is_of, said = lie_to_verifier(lines, chance)
            assert f"WRONG: None, round {is_of}: " in said, (house, lie, said)
            named[0] += 1
            is_of, said = lie_to_audit(bank, folder / f"lie-{number}-{lie}", chance)
            assert f"main/{is_of}" in said, (house, lie, is_of, said)
            named[1] += 1
    return f"found, and the round named: {named[0]} by verifier, {named[1]} by audit"


def test_30_of_30_lies_of_one_bit_are_found_by_verifier_and_audit(
    tmp_path: Path,
) -> None:
    assert "30 by verifier, 30 by audit" in lie_many(tmp_path, 30, len(HOUSES))


@pytest.mark.torture
def test_1000_of_1000_lies_of_one_bit_are_found_by_verifier_and_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = lie_many(tmp_path, 1000, 2 * len(HOUSES))
    with capsys.disabled():
        print(figures)
