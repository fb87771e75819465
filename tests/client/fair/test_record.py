"""Records: every shoe in them verifies, and no bit of them can change unnoticed."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_client.fair.finding import Finding, Proof
from bj_client.fair.recording import BadRecord
from bj_game.card import PACK
from bj_server.settings import HOUSES, load_house
from bj_server.table.inbox import Reshuffle
from company import Company, Evening, record_of, verified

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

CARDS = [str(card) for card in PACK]
ROUNDS = 2
"""From each shoe; whoever wants another one before it is used up asks the host."""


def record_shoes(folder: Path, house_name: str, seed: int, shoes: int) -> list[bytes]:
    """Play so many shoes, and return the record of a watcher and of all players."""
    chance, house = random.Random(f"{house_name} {seed}"), load_house(house_name)
    with (
        pytest.MonkeyPatch.context() as patch,
        Company(folder, house=house, seats=min(2, house.max_seats)) as rig,
    ):
        patch.setattr("secrets.token_bytes", chance.randbytes)
        rig.watch()
        rig.join("ned21")
        if rig.plan.seats > 1:
            rig.join("lia9")
        evening = Evening(rig, chance, folder)
        for _ in range(shoes):
            evening.play(evening.rounds + ROUNDS, is_calm=True)
            if house.shoe != "cut_card":  # these have many rounds of one stream
                rig.table.felt.shoes.stream.rounds = 100  # type: ignore[union-attr]
                evening.play(evening.rounds + 1, is_calm=True)
            else:
                rig.send(Reshuffle())
        evening.close()
        players = [rig.players[name] for name in ("ned21", "lia9") if name in rig.line]
        return record_of(rig.watchers[0], *players)


def verify_shoes(folder: Path, shoes: int, each: int) -> str:
    """Verify the record of at least so many shoes."""
    proven = rounds = number = 0
    while proven < shoes:
        house = HOUSES[number % len(HOUSES)]
        lines = record_shoes(folder / str(number), house, number, each)
        remarks, verification = verified(lines)
        found = [str(remark) for remark in remarks if isinstance(remark, Finding)]
        assert not found, (house, number, found)
        proofs = [remark for remark in remarks if isinstance(remark, Proof)]
        assert all(proof.proven and not proof.partial for proof in proofs)
        assert verification.tally.open == 0
        proven += len(proofs)
        rounds += verification.tally.proven
        number += 1
    return f"{proven} of {proven} shoes verify, with {rounds} rounds"


def test_40_of_40_shoes_verify(tmp_path: Path) -> None:
    print(verify_shoes(tmp_path, 40, 3))


@pytest.mark.torture
def test_1000_of_1000_shoes_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = verify_shoes(tmp_path, 1000, 10)
    with capsys.disabled():
        print(figures)


# One bit.

Place = tuple[dict[str, Any], str]
"""An object of the record, and the name of the value in it."""


def events_of(line: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    """Return the events of some kinds, if it is the watcher who has heard them."""
    told = line.get("heard", {}) if line["handle"] is None else {}
    return [event for event in told.get("events", ()) if event["type"] in kinds]


def seeds(line: dict[str, Any]) -> list[Place]:
    return [(event, "seed") for event in events_of(line, "seed_revealed")]


def nonces(line: dict[str, Any]) -> list[Place]:
    told = [cut for event in events_of(line, "shoe_cut") for cut in event["cuts"]]
    sent = [line["sent"]] if "nonce" in line.get("sent", {}) else []
    return [(cut, "nonce") for cut in (*told, *sent)]


def cards(line: dict[str, Any]) -> list[Place]:
    dealt = events_of(line, "card_dealt", "hole_revealed")
    return [(event, "card") for event in dealt if event["card"] != "??"]


def payouts(line: dict[str, Any]) -> list[Place]:
    return [(e, "payout") for e in events_of(line, "hand_settled", "insurance_settled")]


def answers(line: dict[str, Any]) -> list[Place]:
    sent = line.get("sent", {})
    kinds = {"bet_placed": "amount", "hand_insured": "amount", "hand_stood": "total"}
    told = [(event, kinds[event["type"]]) for event in events_of(line, *kinds)]
    if sent.get("type") in SWAPS:
        told.append((sent, "type"))
    return told + ([(sent, "amount")] if "amount" in sent else [])


SWAPS = {
    "hit": "stand",
    "stand": "hit",
    "double": "hit",
    "split": "decline",
    "ace_high": "ace_low",
    "ace_low": "ace_high",
}
"""Plays, and what they may be taken for."""

KINDS: dict[str, Callable[[dict[str, Any]], list[Place]]] = {
    "seed": seeds,
    "nonce": nonces,
    "card": cards,
    "answer": answers,
    "payout": payouts,
}


def flip(chance: random.Random, value: Any) -> Any:
    """Return a value of the same kind in which one bit is another."""
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(12))
    if value in SWAPS:
        return SWAPS[value]
    if value in CARDS:
        others = [CARDS.index(value) ^ (1 << bit) for bit in range(6)]
        return CARDS[chance.choice([other for other in others if other < 52])]
    bits = int(value, 16) ^ (1 << chance.randrange(256))
    return f"{bits:064x}"


def change(chance: random.Random, lines: list[bytes]) -> tuple[str, list[bytes]]:
    """Return the record with one bit changed, and what was changed."""
    kind = chance.choice(list(KINDS))
    record = [json.loads(line) for line in lines]
    places = [place for line in record[1:] for place in KINDS[kind](line)]
    where, name = chance.choice(places)
    before, where[name] = where[name], flip(chance, where[name])
    what = f"{kind}: {where.get('type')} {name}, {before} for {where[name]}"
    return what, [json.dumps(line).encode() + b"\n" for line in record]


def change_many(folder: Path, changes: int, records: int) -> str:
    chance, named = random.Random(changes), 0
    for number in range(records):
        house = HOUSES[number % len(HOUSES)]
        lines = record_shoes(folder / str(number), house, 1000 + number, 2)
        for _ in range(changes // records):
            what, changed = change(chance, lines)
            remarks, _ = verified(changed)
            sentences = [str(r) for r in remarks if isinstance(r, Finding)]
            assert sentences, (house, number, what)
            assert all(sentence.startswith("Round ") for sentence in sentences)
            named += 1
    return f"{named} of {named} changes of one bit are found, and the round is named"


def test_100_of_100_changes_of_one_bit_are_found(tmp_path: Path) -> None:
    print(change_many(tmp_path, 100, len(HOUSES)))


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
    except BadRecord as error:
        return str(error)
    return None


def test_whatever_bytes_are_changed_there_is_a_sentence(tmp_path: Path) -> None:
    chance = random.Random(5)
    lines = record_shoes(tmp_path / "bank", "vegas-strip", 3, 2)
    whole = b"".join(lines)
    bad = 0
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            place = chance.randrange(len(data))
            data[place] ^= 1 << chance.randrange(8)
        cut = data[: chance.randrange(len(data))] if chance.random() < 0.2 else data
        sentence = complaint(bytes(cut))
        assert sentence is None or sentence.startswith("Line ")
        bad += sentence is not None
    assert bad > 20


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "There is nothing in it."),
        ([b'{"record": 1, "server": "", "table": null}'], "Line 1 is cut short"),
        ([b"\n"], "Line 1 is damaged"),
        ([b"\xff\xfe\n"], "Line 1 is damaged"),
        ([b"[" * 100_000 + b"\n"], "Line 1 is damaged"),
        ([b'{"record": 2, "server": "", "table": null}\n'], "Line 1 is damaged"),
        ([b'{"handle": null, "at": 0, "line": "lost"}\n'], "Line 1 comes before"),
        (
            [
                b'{"record": 1, "server": "", "table": null}\n',
                b'{"handle": null, "at": 0}\n',
            ],
            "Line 2 is neither",
        ),
    ],
)
def test_what_is_no_record_is_named_by_its_line(
    lines: list[bytes], sentence: str
) -> None:
    with pytest.raises(BadRecord, match=sentence):
        verified(lines)
