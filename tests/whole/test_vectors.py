"""The test vectors of docs/fairness.md: current, and the same by the other verifier."""

import hashlib
import hmac
import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import make_vectors
import pytest
import verify_record

VECTORS: dict[str, Any] = json.loads(make_vectors.VECTORS.read_text())


def draw_of(case: dict[str, Any]) -> Callable[[int], int]:
    """Return what draws numbers from the stream of a case, as the verifier does."""
    cuts = [{"seat": seat, "nonce": nonce} for seat, nonce in case["nonces"]]
    return verify_record.drawer(verify_record.key_of(case["seed"], cuts))


def terms(shoe: str, **others: int) -> dict[str, Any]:
    return {"shoe": shoe, "cut_card_min": 0, "cut_card_max": 0} | others


def test_the_vectors_are_current() -> None:
    assert make_vectors.VECTORS.read_text() == make_vectors.vectors(), "run make pages"


def test_commitments_are_plain_sha_256() -> None:
    for case in VECTORS["commitments"]:
        secret = bytes.fromhex(case["secret"])
        assert hashlib.sha256(secret).hexdigest() == case["sha256"]


def test_the_keys_are_those_of_the_verifier() -> None:
    assert [len(case["nonces"]) for case in VECTORS["keys"]] == [0, 1, 3, 7]
    for case in VECTORS["keys"]:
        block = hmac.digest(bytes.fromhex(case["key"]), bytes(8), "sha256")
        for _ in range(2):
            draw = draw_of(case)
            words = [draw(2**32).to_bytes(4, "big") for _ in range(8)]
            assert b"".join(words) == block
            case["nonces"].reverse()


def test_the_words_are_those_of_the_verifier() -> None:
    draw = draw_of(VECTORS["words"])
    assert [draw(2**32) for _ in range(16)] == VECTORS["words"]["words"]


def test_the_numbers_are_those_of_the_verifier_and_some_words_are_dropped() -> None:
    for case in VECTORS["numbers"]:
        draw, other = draw_of(case), draw_of(case)
        assert [draw(case["below"]) for _ in range(12)] == case["numbers"]
        for _ in range(case["words_used"]):
            other(2**32)
        assert draw(2**32) == other(2**32)
    assert VECTORS["numbers"][-1]["words_used"] > 12


@pytest.mark.parametrize("case", VECTORS["shoes"])
def test_the_shoes_are_those_of_the_verifier(case: dict[str, Any]) -> None:
    names = ("cut_card_min", "cut_card_max")
    house = terms("cut_card", **{name: case[name] for name in names})
    packs = verify_record.PACK * case["decks"]
    cards, until_cut = verify_record.lay(draw_of(case), house, packs)
    assert until_cut == case["until_cut"]
    assert [*cards] == case["order"].split()


def test_13_4_the_refill_is_that_of_the_verifier() -> None:
    case = VECTORS["refill"]
    cuts = [{"seat": seat, "nonce": nonce} for seat, nonce in case["nonces"]]
    key = verify_record.key_of(case["seed"], cuts)
    discards = case["order"].split()[: 52 - case["on_table"]]
    again = verify_record.refill(key, case["words"])
    assert verify_record.shuffle(again, discards) == case["refill"].split()


def test_the_shoes_of_one_stream_are_those_of_the_verifier() -> None:
    case = VECTORS["every_round"]
    draw = draw_of(case)
    for shoe in case["shoes"]:
        packs = verify_record.PACK * case["decks"]
        cards, until_cut = verify_record.lay(draw, terms("every_round"), packs)
        assert until_cut is None
        assert [*cards] == shoe["order"].split()


def test_the_endless_shoe_is_that_of_the_verifier() -> None:
    case = VECTORS["endless"]
    cards, _ = verify_record.lay(draw_of(case), terms("endless"), verify_record.PACK)
    due = case["cards"].split()
    assert [*islice(cards, len(due))] == due


def test_the_shuffles_by_hand_are_those_of_the_verifier() -> None:
    case = VECTORS["by_hand"]
    draw, cards = draw_of(case), verify_record.BY_RANK
    for shuffle in case["shuffles"]:
        left = cards[len(cards) - shuffle["left"] :]
        laid, _ = verify_record.lay(draw, terms("never_refilled"), left)
        cards = [*laid]
        assert cards == shuffle["order"].split()
