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

_WORDS = struct.Struct(">8I")

_T = TypeVar("_T")


class Randomness(Protocol):
    """A source of random numbers."""

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
        self._block = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1; the bound is at most 2**32."""
        last = 2**32 - bound
        while True:
            if not self._words:
                block = hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
                self._words = [*_WORDS.unpack(block)][::-1]
                self._block += 1
            word = self._words.pop()
            number = word % bound
            if word - number <= last:  # below the largest multiple of the bound
                return number

    def branch(self, label: bytes) -> "KeyedStream":
        """Return the stream whose key is the HMAC-SHA-256 of ``label`` under this key.

        A label has more than 8 bytes, so that it is not the number of a block.
        """
        return KeyedStream(hmac.digest(self._key, label, "sha256"))


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

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1; the bound is below 2**32."""
        while True:
            # What ``randrange`` does too; up to 32 bits are one word.
            number = self._random.getrandbits(bound.bit_length())
            if number < bound:
                return number

    def branch(self, label: bytes) -> "NumberedStream":
        """Return the stream of another seed, made of this one and ``label``."""
        digest = hashlib.sha256(label + str(self._seed).encode()).digest()
        return NumberedStream(int.from_bytes(digest, "big"))


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
