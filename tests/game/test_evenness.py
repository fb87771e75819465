"""Q21, S9: shuffles are even, and what looks like one and is not is found out.

The same four tests judge the game's own shuffles and four that are known to be bad.
Keys come from a numbered generator, so that every run is the same.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from functools import cmp_to_key

import pytest

from bj_game.card import PACK
from bj_game.shoe import fill_shoe
from bj_game.shuffle import KeyedStream
from game.transcript import load
from support.chisquare import chance, quantile
from support.draws import shuffled
from support.evenness import Shuffle, Verdict, verdict_on

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

TORTURE = pytest.mark.torture
SHORT, LONG = {52: 4_000, 416: 500}, {52: 1_000_000, 416: 100_000}
TESTS = 8
"""Four tests of two sizes, of one run."""


def own_shuffle() -> Shuffle:
    """Return the game's, each time from a stream of its own, as a real shoe is."""
    keys = random.Random(21)
    return lambda cards: shuffled(cards, KeyedStream(keys.randbytes(32)))


def bad_any_place() -> Shuffle:
    """Exchange each place with any place."""
    chances = random.Random(22)

    def shuffle(cards: list[int]) -> list[int]:
        order = list(cards)
        for place in range(len(order)):
            pick = chances.randrange(len(order))
            order[place], order[pick] = order[pick], order[place]
        return order

    return shuffle


def bad_one_too_few() -> Shuffle:
    """Exchange each place with one before it, never with itself."""
    chances = random.Random(23)

    def shuffle(cards: list[int]) -> list[int]:
        order = list(cards)
        for place in range(len(order) - 1, 0, -1):
            pick = int(chances.random() * place)
            order[place], order[pick] = order[pick], order[place]
        return order

    return shuffle


def bad_comparison() -> Shuffle:
    """Sort by a comparison that is made by chance."""
    chances = random.Random(24)
    by_chance = cmp_to_key(lambda a, b: -1 if chances.random() < 0.5 else 1)
    return lambda cards: sorted(cards, key=by_chance)


def bad_keys() -> Shuffle:
    """Sort by keys of six bits, of which some are equal."""
    chances = random.Random(25)
    return lambda cards: sorted(cards, key=lambda card: chances.getrandbits(6))


def judge(sizes: dict[int, int]) -> dict[int, Verdict]:
    began = time.monotonic()
    found = {n: verdict_on(own_shuffle(), n, times) for n, times in sizes.items()}
    seconds = time.monotonic() - began
    told = "; ".join(f"{sizes[n]:,} of {n}: {verdict}" for n, verdict in found.items())
    print(f"Q21: chances of even shuffles, {told}; {seconds:.0f} s")
    return found


@pytest.mark.parametrize("sizes", [SHORT, pytest.param(LONG, marks=TORTURE)])
def test_Q21_S9_the_shuffles_of_the_game_are_even(sizes: dict[int, int]) -> None:
    for verdict in judge(sizes).values():
        assert verdict.is_even(TESTS), verdict


@pytest.mark.parametrize(
    ("bad", "n", "times"),
    [
        (bad_any_place, 52, 1_000),
        (bad_any_place, 416, SHORT[416]),
        (bad_comparison, 52, 500),
        (bad_comparison, 416, 50),
        (bad_keys, 52, 1_000),
        (bad_keys, 416, 50),
    ],
)
def test_Q21_S9_shuffles_that_are_known_to_be_bad_are_found_out(
    bad: Callable[[], Shuffle], n: int, times: int
) -> None:
    verdict = verdict_on(bad(), n, times)
    assert not verdict.is_even(TESTS), verdict


@pytest.mark.parametrize(
    ("n", "times"),
    [
        (52, SHORT[52]),
        # One card of 416 at its old place is soon missed in a long run alone.
        pytest.param(416, 10_000, marks=TORTURE),
    ],
)
def test_Q21_S9_a_pick_from_one_place_too_few_is_found_out(n: int, times: int) -> None:
    verdict = verdict_on(bad_one_too_few(), n, times)
    assert not verdict.is_even(TESTS), verdict
    assert verdict.position < 0.01 / TESTS / 2


def test_the_tests_of_evenness_pass_what_python_shuffles() -> None:
    chances = random.Random(26)

    def shuffle(cards: list[int]) -> list[int]:
        order = list(cards)
        chances.shuffle(order)
        return order

    assert verdict_on(shuffle, 13, 5_000).is_even(4)


@pytest.mark.parametrize("shoes", [6, pytest.param(1_000, marks=TORTURE)])
def test_Q21_the_census_of_a_shoe_is_exact_at_every_step(shoes: int) -> None:
    keys, house, steps = random.Random(27), load("cpsc386"), 0
    whole = Counter({id(card): house.decks for card in PACK})  # each card is one object
    for _ in range(shoes):
        shoe = fill_shoe(house, KeyedStream(keys.randbytes(32)))
        table: list[int] = []
        while shoe.left:
            table.append(id(shoe.draw()))
            assert Counter([*table, *map(id, shoe.order[shoe.dealt :])]) == whole
            steps += 1
    print(f"Q21: census of {shoes} shoes, exact at each of {steps:,} steps")
    assert steps == shoes * 416


@pytest.mark.parametrize(
    ("upper", "degrees", "statistic"),
    [
        # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4.
        (0.05, 1, 3.841),
        (0.01, 1, 6.635),
        (0.01, 12, 26.217),
        (0.01, 23, 41.638),
        (0.05, 100, 124.342),
        (0.975, 100, 74.222),
        (0.01, 51, 77.386),
    ],
)
def test_the_chi_square_distribution_is_that_of_the_tables(
    upper: float, degrees: int, statistic: float
) -> None:
    assert quantile(upper, degrees) == pytest.approx(statistic, abs=0.0006)
    assert chance(statistic, degrees) == pytest.approx(upper, rel=0.001)


def test_two_degrees_of_freedom_are_exponential_and_many_are_normal() -> None:
    assert chance(3.0, 2) == pytest.approx(2.718281828459045**-1.5, rel=1e-9)
    degrees = 415**2  # Wilson and Hilferty: the cube root of the mean square is normal
    upper = 0.01
    root = 1 - 2 / (9 * degrees) + 2.3263478740 * (2 / (9 * degrees)) ** 0.5
    assert quantile(upper, degrees) == pytest.approx(degrees * root**3, rel=1e-6)
