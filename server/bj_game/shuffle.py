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
from typing import Protocol, TypeVar

SEED_BYTES = 32
"""The length of a key: 256 bits."""

_WORDS_PER_BLOCK = 8

_words_of = struct.Struct(">8I").unpack

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
            if not self._words:
                self._words = self._next_block()
            word = self._words.pop()
            number = word % bound
            if word - number <= last:  # below the largest multiple of the bound
                return number

    def branch(self, label: bytes) -> "KeyedStream":
        """Return the stream whose key is the HMAC-SHA-256 of ``label`` under this key.

        A label has more than 8 bytes, so that it is not the number of a block.
        """
        return KeyedStream(hmac.digest(self._key, label, hashlib.sha256))

    def _next_block(self) -> list[int]:
        """Return the words of the next block, the first of them last."""
        counter = self._counter.to_bytes(8, "big")
        block = hmac.digest(self._key, counter, hashlib.sha256)
        self._counter += 1
        return list(_words_of(block)[::-1])


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
    for place in range(len(order) - 1, 0, -1):
        pick = randomness.below(place + 1)
        order[place], order[pick] = order[pick], order[place]
    return order
