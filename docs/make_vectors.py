"""Write docs/fairness/vectors.json: what follows from given secrets, to the last card.

python docs/make_vectors.py
"""

import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bj_game.card import PACK, Card
from bj_game.house import House, rules_of
from bj_game.shoe import Shoe, ShoeContents, new_shoe, shoe_of
from bj_game.shuffle import KeyedStream
from bj_protocol.proof import (
    StatementKind,
    bet_commitment,
    draw_key,
    first_head,
    member,
    next_head,
    round_digits,
    run_in_fleet,
    seal_of,
    statement,
    successor,
    terms_hash,
)
from bj_server.settings import load_house

VECTORS = Path(__file__).with_name("fairness") / "vectors.json"

_KEY, _RUN, _SECRET = (bytes(range(n, n + 32)).hex() for n in (0, 32, 64))
_DROPS = 3 * 2**30
"""A bound at which one word in four is dropped."""
_HOUSES = ("cpsc386", "iipp6", "cs1114", "dsc20")


def vectors() -> str:
    """Return the whole file."""
    parts = {
        "terms": [*map(_terms, _HOUSES), _terms_of({"name": "é", "decks": 8})],
        "seals": [_seal("main", 1), _seal("Tisch é", 9)],
        "commitments": [_commitment(seat) for seat in (1, 7)],
        "heads": _heads(),
        "keys": [_key(seats) for seats in ((), (1,), (1, 2, 4), (1, 2, 3, 4, 5, 6, 7))],
        "statements": [_statement(kind) for kind in StatementKind],
        "successors": [_successor()],
        "members": [_member()],
        "runs": [_run_in_fleet()],
        "words": _words(),
        "numbers": [_numbers(bound) for bound in (6, 52, 416, _DROPS)],
        "draws": [
            *(_draw(name, 0) for name in _HOUSES),
            *(_draw(name, out) for name in ("cpsc386", "dsc20") for out in (5, 31)),
        ],
        "refill": _refill(),
    }
    # One value a line: a list of cards or words stays whole.
    lines = [f"  {json.dumps(name)}: {_laid_out(part)}" for name, part in parts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _laid_out(part: Any) -> str:
    if not isinstance(part, list):
        return json.dumps(part)
    return "[\n    " + ",\n    ".join(map(json.dumps, part)) + "\n  ]"


def _link(seat: int) -> str:
    return f"{seat:02x}" * 32


def _terms(name: str) -> dict[str, Any]:
    return _terms_of(rules_of(load_house(name)))


def _terms_of(terms: dict[str, Any]) -> dict[str, Any]:
    return {"terms": terms, "sha256": terms_hash(terms)}


def _seal(table: str, round: int) -> dict[str, Any]:
    known: dict[str, Any] = {
        "key": _KEY,
        "run": _RUN,
        "table": table,
        "round": round,
        "terms": terms_hash(rules_of(load_house("cpsc386"))),
        "secret": _SECRET,
    }
    return known | {"seal": seal_of(**known)}


def _commitment(seat: int) -> dict[str, Any]:
    known: dict[str, Any] = {"seal": _seal("main", 1)["seal"], "seat": seat}
    known |= {"handle": "ned21@example.org", "link": _link(seat)}
    return known | {"commitment": bet_commitment(**known)}


def _heads() -> dict[str, Any]:
    """Return the heads of a story of two updates."""
    updates = ('{"type":"update","seq":1}', '{"type":"update","seq":2,"text":"é"}')
    heads = [first_head(key=_KEY, run=_RUN, table="main")]
    for update in updates:
        heads.append(next_head(heads[-1], update.encode()))
    known = {"key": _KEY, "run": _RUN, "table": "main"}
    return {**known, "updates": updates, "heads": heads}


def _key(seats: tuple[int, ...]) -> dict[str, Any]:
    head = _heads()["heads"][-1] if seats else "0" * 64
    links = [(seat, _link(seat)) for seat in seats]
    return {
        "secret": _SECRET,
        "head": head,
        "links": links,
        "key": draw_key(_SECRET, head, links).hex(),
        "digits": round_digits(head, links),
    }


def _statement(kind: StatementKind) -> dict[str, Any]:
    notes = {
        StatementKind.START: f"{_RUN} {_heads()['heads'][0]}",
        StatementKind.GOODBYE: "ned21 1000000",
    }
    known: dict[str, Any] = {"key": _KEY, "run": _RUN, "table": "main", "seq": 7}
    known |= {"kind": kind, "round": 3, "head": _heads()["heads"][-1]}
    known["note"] = notes.get(kind, "")
    return known | {"signed": statement(**known).hex()}


def _successor() -> dict[str, Any]:
    """Return what an old key signs of a new one, with the signature."""
    old, new = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))
    key, heir = (each.public_key().public_bytes_raw().hex() for each in (old, new))
    signed = successor(key=key, heir=heir)
    known = {"private": (b"\1" * 32).hex(), "key": key, "heir": heir}
    return known | {"signed": signed.hex(), "signature": old.sign(signed).hex()}


def _member() -> dict[str, Any]:
    """Return what a fleet signs of a server, with the signature."""
    fleet, own = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))
    key, server = (each.public_key().public_bytes_raw().hex() for each in (fleet, own))
    known: dict[str, Any] = {"fleet": key, "key": server, "name": "n1"}
    known |= {"address": "wss://cards.example/s/n1", "doors": ["wss://cards.example"]}
    signed = member(**known)
    known |= {"private": (b"\1" * 32).hex(), "signed": signed.hex()}
    return known | {"signature": fleet.sign(signed).hex()}


def _run_in_fleet() -> dict[str, Any]:
    known: dict[str, Any] = {"name": "n1", "journal": "5e7a11d0", "epoch": 7}
    known["salt"] = _RUN
    return known | {"run": run_in_fleet(**known)}


def _stream() -> KeyedStream:
    return KeyedStream(bytes.fromhex(_key((1, 2, 4))["key"]))


def _words() -> dict[str, Any]:
    stream = _stream()
    words = [stream.below(2**32) for _ in range(16)]
    return {"key": _key((1, 2, 4))["key"], "words": words}


def _numbers(bound: int) -> dict[str, Any]:
    """Return numbers below a bound, and how many words they have used up."""
    stream, words, used = _stream(), _stream(), 0
    numbers = [stream.below(bound) for _ in range(12)]
    for number in numbers:
        used += 1
        while (word := words.below(2**32)) >= 2**32 - 2**32 % bound:
            used += 1
        assert word % bound == number
    return {
        "key": _key((1, 2, 4))["key"],
        "below": bound,
        "numbers": numbers,
        "words_used": used,
    }


def _draw(name: str, out: int) -> dict[str, Any]:
    """Return the cards of a round, before which some cards were out of the shoe."""
    house = load_house(name)
    shoe = new_shoe(house)
    shoe.arrange(KeyedStream(bytes.fromhex(_key((1,))["key"])))
    for _ in range(out):
        shoe.draw()
    contents = shoe.contents if out else new_shoe(house).contents
    return _drawn(house, contents, cards=40 if name == "cs1114" else 52 - out)


def _drawn(house: House, contents: ShoeContents, cards: int) -> dict[str, Any]:
    shoe = shoe_of(house, contents)
    shoe.arrange(_stream())
    names = ("shoe", "decks", "cut_card_min", "cut_card_max")
    return {
        "key": _key((1, 2, 4))["key"],
        "terms": {name: getattr(house, name) for name in names},
        "left": contents.left,
        "deck": _text(contents.deck),
        "below_cut": contents.below_cut,
        "until_cut": shoe.until_cut,
        "cards": _text(tuple(_dealt(shoe, cards))),
    }


def _dealt(shoe: Shoe, cards: int) -> list[Card]:
    return [shoe.draw() for _ in range(cards)]


def _refill() -> dict[str, Any]:
    """Return a round that deals nine cards, and then ten of the refill."""
    house = House(name="v", title="", decks=1, cut_card_min=0, cut_card_max=0)
    left = tuple(int(n % 6 == 0) for n in range(len(PACK)))
    contents = ShoeContents(left=left, below_cut=0)
    case = _drawn(house, contents, cards=sum(left))
    shoe = shoe_of(house, contents)
    shoe.arrange(_stream())
    _dealt(shoe, sum(left))
    discards = shoe.refill(on_table=sum(left))
    return case | {"discards": discards, "refill": _text(tuple(_dealt(shoe, 10)))}


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(str(card) for card in cards)


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    VECTORS.write_text(vectors(), encoding="utf-8")
