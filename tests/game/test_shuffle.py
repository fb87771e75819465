import hashlib
import hmac
import random
from collections import Counter

import pytest

from bj_game.card import PACK
from bj_game.shuffle import KeyedStream, NumberedStream, Randomness
from support.draws import shuffled

KEY = bytes(range(32))


class Wanted(NumberedStream):
    """A source that gives the numbers that a test wants."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(0)
        self.numbers = list(numbers)

    def below(self, bound: int) -> int:
        number = self.numbers.pop(0)
        assert number < bound
        return number


def test_the_stream_is_the_documented_function_of_its_key() -> None:
    block = hmac.digest(KEY, bytes(8), hashlib.sha256)
    block += hmac.digest(KEY, bytes(7) + b"\x01", hashlib.sha256)
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)]
    stream = KeyedStream(KEY)
    assert [stream.below(2**32) for _ in range(16)] == words


def test_words_that_would_favour_some_numbers_are_thrown_away() -> None:
    bound = 3 * 2**30  # a quarter of all words lies above its only multiple
    raw = KeyedStream(KEY)
    words = [raw.below(2**32) for _ in range(200)]
    stream = KeyedStream(KEY)
    kept = [word for word in words if word < bound]
    assert [stream.below(bound) for _ in kept] == kept
    assert len(kept) < len(words)


def test_a_key_has_256_bits() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        KeyedStream(b"short")


@pytest.mark.parametrize("source", [KeyedStream(KEY), NumberedStream(3)])
def test_a_shuffle_keeps_every_card(source: Randomness) -> None:
    order = shuffled(PACK, source)
    assert Counter(order) == Counter(PACK)
    assert tuple(order) != PACK


def test_the_last_item_of_a_pile_fills_the_place_of_the_one_that_is_taken() -> None:
    assert shuffled("abcd", Wanted(0, 1, 0, 0)) == ["a", "b", "d", "c"]
    assert shuffled("abcd", Wanted(3, 2, 1, 0)) == ["d", "c", "b", "a"]


@pytest.mark.no_cover  # the same lines, over and over
def test_S9_every_order_of_four_is_as_likely_as_any_other() -> None:
    source = KeyedStream(KEY)
    counts = Counter("".join(shuffled("abcd", source)) for _ in range(24_000))
    assert len(counts) == 24
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 41.64  # 23 degrees of freedom, 99%


def test_a_number_gives_the_same_cards_again_and_another_does_not() -> None:
    once, again, other = (shuffled(PACK, NumberedStream(n)) for n in (13, 13, 14))
    assert once == again != other


def test_a_numbered_stream_is_that_of_python() -> None:
    stream, python = NumberedStream(13), random.Random(13)
    for bound in (1, 2, 13, 52, 53, 416, 2**31):
        assert stream.below(bound) == python.randrange(bound)
