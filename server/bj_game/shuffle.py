"""Shuffles: random numbers without bias, and the orders they make.

A shuffle is a pure function of its source of numbers. Real tables use
``KeyedStream``, whose key is a secret of 256 bits; ``NumberedStream`` is for teaching
and tests, where a small number must bring the same cards back.
"""

import hashlib
import hmac
import random
import struct
from collections.abc import Sequence
from operator import mod
from typing import Protocol, TypeVar

SEED_BYTES = 32
"""The length of a key: 256 bits."""

_WORDS_PER_BLOCK = 8

_T = TypeVar("_T")


class Randomness(Protocol):
    """A source of random numbers."""

    @property
    def words(self) -> int:
        """The words used up so far: the place that it has come to."""
        ...

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1, each as likely as any other."""
        ...

    def picks(self, count: int) -> list[int]:
        """Return a number below ``count``, one below one less, and so on down to 2."""
        ...

    def branch(self, label: bytes) -> "Randomness":
        """Return other numbers, which follow from the same secret and ``label``.

        None of its own numbers is used up.
        """
        ...


class KeyedStream:
    """Numbers from HMAC-SHA-256 of a counter, under a secret key.

    Block ``i`` is ``HMAC(key, i as 8 bytes, big-endian)`` for i = 0, 1, 2, …; the
    blocks are cut into words of 4 bytes, big-endian. A word at or above the largest
    multiple of the bound is thrown away, so that every outcome is equally likely.
    """

    def __init__(self, key: bytes) -> None:
        """Start the stream of ``key``.

        Raises:
            ValueError: if the key is not ``SEED_BYTES`` long.
        """
        if len(key) != SEED_BYTES:
            raise ValueError(f"a key has {SEED_BYTES} bytes, not {len(key)}")
        self._key = key
        # HMAC by its definition (RFC 2104): the library's takes four times as long.
        pad = bytes(hashlib.sha256().block_size - SEED_BYTES)
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key + pad))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key + pad))
        self._counter = 0
        self._words: list[int] = []

    @property
    def words(self) -> int:
        """The words used up so far."""
        return self._counter * _WORDS_PER_BLOCK - len(self._words)

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1; the bound is at most 2**32."""
        last = 2**32 - bound
        while True:
            self._fetch(1)
            word = self._words.pop()
            number = word % bound
            if word - number <= last:  # below the largest multiple of the bound
                return number

    def picks(self, count: int) -> list[int]:
        """Return what ``below`` would, for ``count``, one less, and so on down to 2."""
        bounds = range(count, 1, -1)
        self._fetch(len(bounds))
        start = len(self._words) - len(bounds)
        words = self._words[start:][::-1]
        if max(words, default=0) >= 2**32 - count:  # one may have to be thrown away
            return [self.below(bound) for bound in bounds]
        del self._words[start:]
        return list(map(mod, words, bounds))

    def branch(self, label: bytes) -> "KeyedStream":
        """Return the stream whose key is the HMAC-SHA-256 of ``label`` under this key.

        A label has more than 8 bytes, so that it is not the number of a block.
        """
        return KeyedStream(hmac.digest(self._key, label, hashlib.sha256))

    def _fetch(self, words: int) -> None:
        """Have so many words at hand, the next of them last."""
        blocks = -((len(self._words) - words) // _WORDS_PER_BLOCK)
        if blocks > 0:
            first, self._counter = self._counter, self._counter + blocks
            fresh = [self._block(number) for number in range(first, self._counter)]
            numbers = struct.unpack(f">{_WORDS_PER_BLOCK * blocks}I", b"".join(fresh))
            self._words[:0] = reversed(numbers)

    def _block(self, number: int) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(number.to_bytes(8, "big"))
        outer.update(inner.digest())
        return outer.digest()


class NumberedStream:
    """Numbers from Python's own generator under a small seed: repeatable, guessable.

    They are those of ``random.Random(seed).randrange``. Tables that use it say so to
    everyone.
    """

    def __init__(self, seed: int) -> None:
        """Start the stream of ``seed``."""
        # Not for secrets, and announced to everyone at the table.
        self._random = random.Random(seed)  # noqa: S311
        self._seed = seed
        self.words = 0
        """The words used up so far."""

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1; the bound is below 2**32."""
        while True:
            # What ``randrange`` does too; up to 32 bits are one word.
            number = self._random.getrandbits(bound.bit_length())
            self.words += 1
            if number < bound:
                return number

    def picks(self, count: int) -> list[int]:
        """Return what ``below`` would, for ``count``, one less, and so on down to 2."""
        return [self.below(bound) for bound in range(count, 1, -1)]

    def branch(self, label: bytes) -> "NumberedStream":
        """Return the stream of another seed, made of this one and ``label``."""
        digest = hashlib.sha256(label + str(self._seed).encode()).digest()
        return NumberedStream(int.from_bytes(digest, "big"))


def shuffled(items: Sequence[_T], randomness: Randomness) -> list[_T]:
    """Return ``items`` in a uniformly random order, by Fisher and Yates.

    From the last place down to the second, each place takes the item of a place drawn
    from all those not yet filled, itself included.

    >>> shuffled("abcd", NumberedStream(7))
    ['d', 'b', 'a', 'c']
    """
    order = list(items)
    places = range(len(order) - 1, 0, -1)
    for place, pick in zip(places, randomness.picks(len(order)), strict=True):
        order[place], order[pick] = order[pick], order[place]
    return order


def modified_overhand(cards: Sequence[_T], number: int) -> list[_T]:
    """Put ``number`` cards from the middle on top, then one fewer, down to one.

    The first card is the top. Where the middle cannot be met evenly, the odd card is
    taken from the bottom of the top half (``specs/dsc20.txt``, question 3.1).

    Raises:
        ValueError: if there are not so many cards.

    >>> modified_overhand([1, 2, 3, 4, 5, 6], 3)
    [2, 4, 1, 3, 5, 6]
    """
    if number > len(cards):
        raise ValueError(f"{number} cards cannot be taken from {len(cards)}")
    order = list(cards)
    half, is_odd = divmod(len(order), 2)
    for taken in range(number, 0, -1):
        start = half - (taken if is_odd else taken + 1) // 2
        middle = order[start : start + taken]
        order = middle + order[:start] + order[start + taken :]
    return order


def mongean(cards: Sequence[_T]) -> list[_T]:
    """Move the cards one by one to a new pile: the second above, the third below.

    >>> mongean([1, 2, 3, 4, 5, 6])
    [6, 4, 2, 1, 3, 5]
    """
    above, below = list(cards[1::2]), list(cards[0::2])
    return above[::-1] + below
