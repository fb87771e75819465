"""The test vectors of docs/fairness.md: current, and the same by the other verifier."""

import json
from itertools import islice
from struct import pack
from typing import Any

import make_vectors
import pytest
import verify_record as verifier
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bj_client.fair.story import is_heir, is_member
from bj_protocol.views import FleetView, PastKey

VECTORS: dict[str, Any] = json.loads(make_vectors.VECTORS.read_text(encoding="utf-8"))
unhex = bytes.fromhex


def number(value: int) -> bytes:
    return pack(">Q", value)


def test_the_vectors_are_current() -> None:
    text = make_vectors.VECTORS.read_text(encoding="utf-8")
    assert text == make_vectors.vectors(), "run make pages"


def test_the_rules_and_seals_are_those_of_the_verifier() -> None:
    for case in VECTORS["terms"]:
        rules = json.dumps(case["terms"], sort_keys=True, separators=(",", ":"))
        assert verifier._digest("terms", rules.encode()) == case["sha256"]
    for case in VECTORS["seals"]:
        named = (unhex(case["key"]), unhex(case["run"]), case["table"].encode())
        parts = (number(case["round"]), unhex(case["terms"]), unhex(case["secret"]))
        assert verifier._digest("seal", *named, *parts) == case["seal"]


def test_the_commitments_are_those_of_the_verifier() -> None:
    for case in VECTORS["commitments"]:
        parts = (unhex(case["seal"]), number(case["seat"]), case["handle"].encode())
        due = verifier._digest("commitment", *parts, unhex(case["link"]))
        assert due == case["commitment"]


def test_the_heads_are_those_of_the_verifier() -> None:
    case = VECTORS["heads"]
    named = (unhex(case["key"]), unhex(case["run"]), case["table"].encode())
    heads = [verifier._digest("story", *named)]
    for update in case["updates"]:
        heads.append(verifier._digest("update", unhex(heads[-1]), update.encode()))
    assert heads == case["heads"]


def test_the_heir_of_a_key_is_signed_as_the_page_says() -> None:
    (case,) = VECTORS["successors"]
    parts = [b"blackjack table 2, successor", unhex(case["key"]), unhex(case["heir"])]
    assert b"".join(pack(">I", len(p)) + p for p in parts).hex() == case["signed"]
    private = Ed25519PrivateKey.from_private_bytes(unhex(case["private"]))
    assert private.public_key().public_bytes_raw().hex() == case["key"]
    assert private.sign(unhex(case["signed"])).hex() == case["signature"]
    past = PastKey(key=case["key"], signature=case["signature"])
    assert is_heir(case["heir"], case["key"], (past,))


def test_a_server_of_a_fleet_is_signed_as_the_page_says() -> None:
    (case,) = VECTORS["members"]
    texts = [case["name"], case["address"], *case["doors"]]
    parts = [b"blackjack table 2, member", unhex(case["fleet"]), unhex(case["key"])]
    parts += [text.encode() for text in texts]
    assert b"".join(pack(">I", len(p)) + p for p in parts).hex() == case["signed"]
    word = {name: case[name] for name in ("name", "address", "signature")}
    view = FleetView(key=case["fleet"], doors=tuple(case["doors"]), **word)
    assert is_member(case["key"], view)
    assert not is_member(case["fleet"], view)


def test_the_run_of_a_server_of_a_fleet_names_its_start() -> None:
    (case,) = VECTORS["runs"]
    parts = (case["name"].encode(), case["journal"].encode(), number(case["epoch"]))
    assert verifier._digest("run", *parts, unhex(case["salt"])) == case["run"]


def test_the_keys_and_digits_are_those_of_the_verifier() -> None:
    assert [len(case["links"]) for case in VECTORS["keys"]] == [0, 1, 3, 7]
    for case in VECTORS["keys"]:
        links = [p for s, link in case["links"] for p in (number(s), unhex(link))]
        parts = (unhex(case["head"]), *links)
        key = verifier._digest("draw", *parts, key=unhex(case["secret"]))
        assert key == case["key"]
        digits = int(verifier._digest("digits", *parts)[:16], 16) % 10**8
        assert f"{digits:08}" == case["digits"].replace(" ", "")


def test_what_is_signed_is_laid_out_as_the_page_says() -> None:
    for case in VECTORS["statements"]:
        named = (unhex(case["key"]), unhex(case["run"]), case["table"].encode())
        told = (number(case["seq"]), case["kind"].encode(), number(case["round"]))
        parts = (*named, *told, unhex(case["head"]), case["note"].encode())
        tagged = (b"blackjack table 2, statement", *parts)
        assert b"".join(pack(">I", len(p)) + p for p in tagged).hex() == case["signed"]


def test_the_words_and_numbers_are_those_of_the_verifier() -> None:
    draw = verifier._drawer(unhex(VECTORS["words"]["key"]))
    assert [draw(2**32) for _ in range(16)] == VECTORS["words"]["words"]
    for case in VECTORS["numbers"]:
        draw, other = (verifier._drawer(unhex(case["key"])) for _ in range(2))
        assert [draw(case["below"]) for _ in range(12)] == case["numbers"]
        for _ in range(case["words_used"]):
            other(2**32)
        assert draw(2**32) == other(2**32)
    assert VECTORS["numbers"][-1]["words_used"] > 12


@pytest.mark.parametrize("case", [*VECTORS["draws"], VECTORS["refill"]])
def test_the_cards_are_those_of_the_verifier(case: dict[str, Any]) -> None:
    call = {**case, "deck": case["deck"].split()}
    until_cut, *cards = islice(
        verifier._cards_of(unhex(case["key"]), case["terms"], call),
        1 + len(case["cards"].split()) + len(case.get("refill", "").split()),
    )
    assert until_cut == case["until_cut"]
    assert cards == case["cards"].split() + case.get("refill", "").split()
