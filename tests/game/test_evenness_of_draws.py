"""Draws of the fair scheme are even, and those known to be bad are found out.

What is judged is the whole way from secret and links to the order of the cards, over
the rounds of a shoe.
"""

import time
from collections.abc import Callable

import pytest

from bj_game.shuffle import KeyedStream
from bj_protocol.proof import NO_HEAD, draw_key
from support.draws import CUT, Links, Source, judged, source

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

SHORT, LONG = 6_000, 1_000_000


class Modulo(KeyedStream):
    """The mistake of modulo: a number is what is left of a few bits."""

    values = 128

    def below(self, bound: int) -> int:
        return super().below(self.values) % bound


class ModuloOfByte(Modulo):
    values = 256


class LazyTail(KeyedStream):
    """The mistake of a pile that gives its last card first, as it was laid out."""

    is_begun = False

    def below(self, bound: int) -> int:
        if self.is_begun or bound <= CUT[1] - CUT[0] + 1:  # that is the cut card
            return super().below(bound)
        self.is_begun = True
        return bound - 1


class NeverTheLast(KeyedStream):
    """The mistake of one place too few: the last card has to wait."""

    def below(self, bound: int) -> int:
        return super().below(max(1, bound - 1))


def bad(kind: type[KeyedStream]) -> Callable[[], Source]:
    def make() -> Source:
        return lambda secret, links: kind(draw_key(secret, NO_HEAD, links))

    return make


def of_one_link() -> Source:
    return lambda secret, links: source(secret, (links[0], links[0]))


def without_secret() -> Source:
    return lambda secret, links: source("00" * 32, links)


class KeyTwice:
    """Each key serves two rounds."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []

    def __call__(self, secret: str, links: Links) -> KeyedStream:
        if self._kept:
            return KeyedStream(self._kept.pop())
        self._kept.append(draw_key(secret, NO_HEAD, links))
        return KeyedStream(self._kept[0])


@pytest.mark.parametrize(
    "rounds", [SHORT, pytest.param(LONG, marks=pytest.mark.torture)]
)
def test_the_draws_of_the_scheme_are_even(rounds: int) -> None:
    began = time.monotonic()
    judge = judged(source, rounds, seed=31)
    told = ", ".join(f"{name} {p:.4f}" for name, p in judge.chances())
    seconds = time.monotonic() - began
    print(f"chances of even draws, {rounds:,} rounds: {told}; {seconds:.0f} s")
    assert judge.is_even()


@pytest.mark.parametrize(
    ("make", "rounds"),
    [
        (bad(Modulo), 4_000),
        pytest.param(bad(ModuloOfByte), 40_000, marks=pytest.mark.torture),
        (bad(LazyTail), 300),
        (bad(NeverTheLast), 2_000),
        (of_one_link, 300),
        (without_secret, 300),
        (KeyTwice, 1_500),
    ],
    ids=[
        "modulo",
        "byte",
        "tail",
        "one place too few",
        "one link",
        "no secret",
        "key twice",
    ],
)
def test_draws_that_are_known_to_be_bad_are_found_out(
    make: Callable[[], Source], rounds: int
) -> None:
    judge = judged(make(), rounds, seed=32)
    name, p = min(judge.chances(), key=lambda each: each[1])
    print(f"{rounds} rounds: {name} {p:.2g}")
    assert not judge.is_even(), (name, p)
