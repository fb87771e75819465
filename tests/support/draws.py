"""A judge of draws: the rounds of many shoes, each drawn by a key of its own.

One deck with a cut card is dealt eight cards a round, so its rounds begin with 52, 44,
36, 28 and 20 cards. For each number the order is judged as in ``evenness``; and also:

- what is left: of ``n`` cards of 52 each is there with the chance ``n / 52``, and the
  covariance of a sample without replacement makes the sum of squares chi-square with 51
  degrees of freedom.
- the cut card: each of its places is as likely.
- two rounds: which card comes first now, against which came first the round before. It
  is drawn by the first number of a key, or the second.

Of the secret and the two links only one is fresh in each shoe, in turn; the others
never change, as if those who made them were lazy. Any one must be enough.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from bj_game.card import PACK
from bj_game.house import House
from bj_game.shoe import Shoe, new_shoe
from bj_game.shuffle import KeyedStream, Randomness
from bj_protocol.proof import NO_HEAD, draw_key
from game.transcript import load
from support.chisquare import chance
from support.evenness import Tally

_T = TypeVar("_T")

DEALT = 8
LAZY = "11" * 32
CUT = (12, 19)

Links = tuple[tuple[int, str], tuple[int, str]]


class Source(Protocol):
    """Draws by a secret and the links of players."""

    def __call__(self, secret: str, links: Links, /) -> Randomness: ...


"""Makes the numbers of a round from its secret and its links."""


def shuffled(items: Sequence[_T], numbers: Randomness) -> list[_T]:
    """Return all items in the order in which they are taken from a pile.

    The last one fills the place of each that is taken.
    """
    pile, taken = list(items), list[_T]()
    while pile:
        place = numbers.below(len(pile))
        pile[place], pile[-1] = pile[-1], pile[place]
        taken.append(pile.pop())
    return taken


def source(secret: str, links: Links) -> Randomness:
    """Return the numbers of a round, as the scheme has them."""
    return KeyedStream(draw_key(secret, NO_HEAD, links))


def house_of_draws() -> House:
    few = {"decks": 1, "cut_card_min": CUT[0], "cut_card_max": CUT[1]}
    return replace(load("cpsc386"), **few)  # type: ignore[arg-type]


class Judge:
    """Counts of all that is judged."""

    def __init__(self) -> None:
        self.shoes = 0
        self._orders: dict[int, Tally] = {}
        self._left: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._cuts: Counter[int] = Counter()
        self._firsts: defaultdict[tuple[int, int], Counter[tuple[int, int]]]
        self._firsts = defaultdict(Counter)
        self._first = (0, 0)

    def hear(self, shoe: Shoe) -> None:
        """Count a round: what was left before it, and the order that was drawn."""
        cards = [card.place for card in shoe.order[shoe.dealt :]]
        index = [0] * len(PACK)
        for number, place in enumerate(sorted(cards)):
            index[place] = number
        order = [index[place] for place in cards]
        n = len(order)
        if n not in self._orders:
            self._orders[n] = Tally(n)
        self._orders[n].add(order)
        self._left[n].update(cards)
        if n == len(PACK):
            self.shoes += 1
            self._cuts[shoe.contents.below_cut or 0] += 1
        if self._first[0]:
            self._firsts[self._first[0], n][self._first[1], order[0]] += 1
        self._first = n, order[0]

    def chances(self) -> Iterator[tuple[str, float]]:
        """Return how likely it is, for each test, that even draws differ by as much."""
        for n, tally in sorted(self._orders.items()):
            for name, p in tally.verdict()._asdict().items():
                yield f"{name} of {n}", p
        for n, counts in sorted(self._left.items()):
            if n < len(PACK):
                places = [counts[place] for place in range(len(PACK))]
                yield f"left of {n}", self._composition(n, places)
        span = CUT[1] - CUT[0] + 1
        cuts = [self._cuts[CUT[0] + below] for below in range(span)]
        yield "cut card", _uniform(cuts, span)
        for (before, n), pairs in sorted(self._firsts.items()):
            yield f"{before} then {n}", _uniform(list(pairs.values()), before * n)

    def _composition(self, n: int, counts: list[int]) -> float:
        share, cards = n / len(PACK), len(PACK)
        squares = sum((count - self._orders[n].times * share) ** 2 for count in counts)
        variance = share * (1 - share) * cards / (cards - 1) * self._orders[n].times
        return chance(squares / variance, cards - 1)

    def is_even(self) -> bool:
        """Whether none is outside 99%, corrected for their number (Bonferroni)."""
        chances = [p for _, p in self.chances()]
        outside = 0.01 / len(chances) / 2
        return all(outside <= p <= 1 - outside for p in chances)


def _uniform(counts: list[int], cells: int) -> float:
    """Judge the counts of some of so many cells; those of the others are 0."""
    mean = sum(counts) / cells
    squares = sum((count - mean) ** 2 for count in counts)
    squares += (cells - len(counts)) * mean**2
    return chance(squares / mean, cells - 1)


def judged(numbers: Source, rounds: int, seed: int) -> Judge:
    """Deal so many rounds, and judge them."""
    chances, house, judge = random.Random(seed), house_of_draws(), Judge()
    shoe = new_shoe(house)
    for _ in range(rounds):
        parts = [LAZY] * 3
        parts[judge.shoes % 3] = chances.randbytes(32).hex()
        shoe.arrange(numbers(parts[0], ((1, parts[1]), (2, parts[2]))))
        judge.hear(shoe)
        for _ in range(DEALT):
            shoe.draw()
        if shoe.is_cut_card_out:
            shoe = new_shoe(house)
    return judge
