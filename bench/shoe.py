"""Measure how long it takes to draw a round: its key, and 20 cards of eight decks.

python bench/shoe.py
"""

import hashlib
import statistics
import time

from bj_game.shoe import new_shoe
from bj_game.shuffle import KeyedStream
from bj_protocol.proof import draw_key
from bj_server.settings import load_house

_SHOES, _CARDS = 200, 20


def main() -> None:
    """Draw for seven players, and print the median."""
    draws = []
    house = load_house("cpsc386")
    for number in range(_SHOES):
        secret, *parts = (
            hashlib.sha256(bytes([number, part])).hexdigest() for part in range(9)
        )
        head, *links = parts
        shoe = new_shoe(house)
        began = time.perf_counter()
        shoe.arrange(KeyedStream(draw_key(secret, head, [*enumerate(links, 1)])))
        for _ in range(_CARDS):
            shoe.draw()
        draws.append(time.perf_counter() - began)
    print(f"draw: {1000 * statistics.median(draws):.2f} ms")


if __name__ == "__main__":
    main()
