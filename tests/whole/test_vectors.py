"""The test vectors of docs/fairness.md: current, and the same by the other verifier."""

import hashlib
import json
from types import SimpleNamespace
from typing import Any

import make_vectors
import pytest
import verify_record

VECTORS: dict[str, Any] = json.loads(make_vectors.VECTORS.read_text())


def ear_of(case: dict[str, Any], **terms: Any) -> Any:
    """Return an ear of the verifier that has heard the cut of a case."""
    sha256 = hashlib.sha256(bytes.fromhex(case["seed"])).hexdigest()
    house = {"decks": 1, "cut_card_min": 0, "cut_card_max": 0} | terms
    ear = SimpleNamespace(name="", shoes=0, cards=0, hole="", round=1, terms=house)
    ear.seed, ear.seeds = sha256, {sha256: case["seed"]}
    cuts = [{"seat": seat, "nonce": nonce} for seat, nonce in case["nonces"]]
    ear.shown = None  # as for one who came after the cut
    cut = {"type": "shoe_cut", "cuts": cuts, "missing": []}
    verify_record.take(ear, cut)
    return ear


def test_the_vectors_are_current() -> None:
    assert make_vectors.VECTORS.read_text() == make_vectors.vectors(), "run make pages"


def test_commitments_are_plain_sha_256() -> None:
    for case in VECTORS["commitments"]:
        secret = bytes.fromhex(case["secret"])
        assert hashlib.sha256(secret).hexdigest() == case["sha256"]


def test_the_keys_are_those_of_the_verifier() -> None:
    assert [len(case["nonces"]) for case in VECTORS["keys"]] == [0, 1, 3, 7]
    for case in VECTORS["keys"]:
        assert ear_of(case).key.hex() == case["key"]
        case["nonces"].reverse()
        assert ear_of(case).key.hex() == case["key"]


def test_the_words_are_those_of_the_verifier() -> None:
    case = VECTORS["words"]
    ear = ear_of(case)
    assert [verify_record.below(ear, 2**32) for _ in range(16)] == case["words"]


def test_the_numbers_are_those_of_the_verifier_and_some_words_are_dropped() -> None:
    for case in VECTORS["numbers"]:
        ear = ear_of(case)
        bound = case["below"]
        assert [verify_record.below(ear, bound) for _ in range(12)] == case["numbers"]
        assert ear.words == case["words_used"]
    assert VECTORS["numbers"][-1]["words_used"] > 12


@pytest.mark.parametrize("case", VECTORS["shoes"])
def test_the_shoes_are_those_of_the_verifier(case: dict[str, Any]) -> None:
    names = ("decks", "cut_card_min", "cut_card_max")
    ear = ear_of(case, shoe="cut_card", **{name: case[name] for name in names})
    verify_record.shuffle(ear, "cut_card")
    assert ear.cut == case["until_cut"]
    assert ear.order == case["order"].split()
    assert ear.words == case["words_used"]


def test_the_shoes_of_one_stream_are_those_of_the_verifier() -> None:
    case = VECTORS["every_round"]
    ear = ear_of(case, shoe="every_round", decks=case["decks"])
    for shoe in case["shoes"]:
        assert ear.words == shoe["words"]
        verify_record.shuffle(ear, "every_round")
        assert ear.cut is None
        assert ear.order == shoe["order"].split()


def test_the_endless_shoe_is_that_of_the_verifier() -> None:
    case = VECTORS["endless"]
    ear = ear_of(case, shoe="endless")
    verify_record.shuffle(ear, "endless")
    for card in case["cards"].split():
        dealt = {"type": "card_dealt", "seat": 1, "hand": 0, "card": card}
        verify_record.take(ear, dealt)
    assert ear.words == case["words_used"]


def test_the_shuffles_by_hand_are_those_of_the_verifier() -> None:
    case = VECTORS["by_hand"]
    ear = ear_of(case, shoe="never_refilled")
    for number, shuffle in enumerate(case["shuffles"]):
        ear.place = 52 - shuffle["left"]
        assert ear.words == shuffle["words"]
        verify_record.shuffle(ear, "never_refilled", is_new=number == 0)
        assert ear.order[ear.place :] == shuffle["order"].split()
