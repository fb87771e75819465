"""Measure how long a shoe of eight decks takes to shuffle, and to check.

python bench/shoe.py
"""

import hashlib
import statistics
import time

from bj_game.cut import stream_key
from bj_game.house import House
from bj_game.shoe import Shoe, fill_shoe
from bj_game.shuffle import KeyedStream
from bj_server.settings import load_house

_SHOES = 200


def main() -> None:
    """Shuffle and check, and print the medians."""
    shuffles, checks = [], []
    house = load_house("cpsc386")
    for number in range(_SHOES):
        began = time.perf_counter()
        shoe = _shoe(house, number)
        shuffled = time.perf_counter()
        dealt = [str(card) for card in shoe.order]
        heard = time.perf_counter()
        again = _shoe(house, number)
        assert [str(card) for card in again.order] == dealt
        checks.append(time.perf_counter() - heard)
        shuffles.append(shuffled - began)
    for what, seconds in (("shuffle", shuffles), ("check", checks)):
        print(f"{what}: {1000 * statistics.median(seconds):.2f} ms")


def _shoe(house: House, number: int) -> Shoe:
    seed = hashlib.sha256(number.to_bytes(4, "big")).digest()
    nonces = [(seat, hashlib.sha256(bytes([seat])).digest()) for seat in range(1, 8)]
    stream = KeyedStream(stream_key(seed, nonces))
    return fill_shoe(house, stream)


if __name__ == "__main__":
    main()
