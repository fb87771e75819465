"""Write docs/fairness/vectors.json: what follows from given secrets, to the last card.

python docs/make_vectors.py
"""

import json
from pathlib import Path
from typing import Any

from bj_game.cut import commitment, stream_key
from bj_game.house import House
from bj_game.shoe import EndlessShoe, HomemadeShoe, Shoe, fill_shoe
from bj_game.shuffle import KeyedStream
from bj_server.settings import load_house

VECTORS = Path(__file__).with_name("fairness") / "vectors.json"

_SEED = bytes(range(32))
_DROPS = 3 * 2**30
"""A bound at which one word in four is dropped."""
_SEATS = (1, 2, 3, 4, 5, 6, 7)


def vectors() -> str:
    """Return the whole file."""
    parts = {
        "commitments": [_commitment(secret) for secret in (bytes(32), _SEED)],
        "keys": [_key(seats) for seats in ((), (1,), (1, 2, 4), _SEATS)],
        "words": _words(),
        "numbers": [_numbers(bound) for bound in (6, 52, 416, _DROPS)],
        "shoes": [_shoe(decks) for decks in (1, 6, 8)],
        "refill": _refill(),
        "every_round": _every_round(),
        "endless": _endless(),
        "by_hand": _by_hand(),
    }
    # One value a line: a list of cards or words stays whole.
    lines = [f"  {json.dumps(name)}: {_laid_out(part)}" for name, part in parts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _laid_out(part: Any) -> str:
    if not isinstance(part, list):
        return json.dumps(part)
    return "[\n    " + ",\n    ".join(map(json.dumps, part)) + "\n  ]"


def _nonce(seat: int) -> bytes:
    return bytes([seat]) * 32


def _stream() -> KeyedStream:
    return KeyedStream(stream_key(_SEED, [(1, _nonce(1)), (3, _nonce(3))]))


def _from() -> dict[str, Any]:
    """Return the secrets of ``_stream``."""
    nonces = [[seat, _nonce(seat).hex()] for seat in (1, 3)]
    return {"seed": _SEED.hex(), "nonces": nonces}


def _commitment(secret: bytes) -> dict[str, str]:
    return {"secret": secret.hex(), "sha256": commitment(secret)}


def _key(seats: tuple[int, ...]) -> dict[str, Any]:
    nonces = [(seat, _nonce(seat)) for seat in seats]
    return {
        "seed": _SEED.hex(),
        "nonces": [[seat, nonce.hex()] for seat, nonce in nonces],
        "key": stream_key(_SEED, nonces).hex(),
    }


def _words() -> dict[str, Any]:
    stream = _stream()
    return _from() | {"words": [stream.below(2**32) for _ in range(16)]}


def _numbers(bound: int) -> dict[str, Any]:
    """Return numbers below a bound, and how many words they have used up."""
    stream = _stream()
    numbers = [stream.below(bound) for _ in range(12)]
    return _from() | {"below": bound, "numbers": numbers, "words_used": stream.words}


def _shoe(decks: int) -> dict[str, Any]:
    house = House(name="v", title="", decks=decks, cut_card_min=20, cut_card_max=26)
    stream = _stream()
    shoe = fill_shoe(house, stream)
    low, high = house.cut_card_min, house.cut_card_max
    return _from() | {
        "decks": decks,
        "cut_card_min": low,
        "cut_card_max": high,
        "order": _text(shoe),
        "until_cut": shoe.until_cut,
        "words_used": stream.words,
    }


def _refill() -> dict[str, Any]:
    """Return a shoe that is shuffled in the middle of a stream, and its refill."""
    house = House(name="v", title="", decks=1, cut_card_min=0, cut_card_max=0)
    stream = _stream()
    stream.below(6)
    words, shoe = stream.words, fill_shoe(house, stream)
    order, shoe.dealt = _text(shoe), len(shoe.order)
    shoe.refill(on_table := 9)
    shown = {"order": order, "on_table": on_table, "refill": _text(shoe)}
    return _from() | {"words": words} | shown


def _every_round() -> dict[str, Any]:
    """Return two shoes that follow each other in one stream."""
    house, stream = load_house("iipp6"), _stream()
    shoes = []
    for _ in range(2):
        words = stream.words
        shoes.append({"words": words, "order": _text(fill_shoe(house, stream))})
    return _from() | {"decks": house.decks, "shoes": shoes}


def _endless() -> dict[str, Any]:
    stream = _stream()
    shoe = EndlessShoe(stream)
    cards = " ".join(str(shoe.draw()) for _ in range(40))
    return _from() | {"cards": cards, "words_used": stream.words}


def _by_hand() -> dict[str, Any]:
    """Return a deck as it lies after each of some shuffles, and what was left then."""
    stream, shoe = _stream(), HomemadeShoe()
    shuffles = []
    for left in (52, 47, 41, 36, 4, 3):
        shoe.dealt = len(shoe.order) - left
        words = stream.words
        shoe.shuffle(stream)
        shuffles.append({"words": words, "left": left, "order": _text(shoe)})
    return _from() | {"shuffles": shuffles}


def _text(shoe: Shoe) -> str:
    """Return the cards that are not dealt."""
    return " ".join(str(card) for card in shoe.order[shoe.dealt :])


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    VECTORS.write_text(vectors(), encoding="utf-8")
