"""Columns: the worth of every hand of two cards against one upcard, in a full shoe.

All columns together are the edge: what a round is worth to one who plays best.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from bj_game.house import House
from bj_game.odds.hand import Hand
from bj_game.odds.position import SURRENDERED, Spot, full_shoe, insured, worth_of
from bj_game.odds.ranks import ACE, RANKS, TEN, whole_shoe
from bj_game.odds.worth import Worth
from bj_game.play import Play

Pair = tuple[int, int]
"""The ranks of two cards, the lower one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A hand of two cards against an upcard."""

    ranks: Pair
    is_pair: bool
    """Whether the house calls it a pair: a ten and a king may be none."""
    chance: float
    """How likely the hand is, once the upcard is known."""
    values: Mapping[Play, float]
    """The worth of each play, the dealer having no blackjack if the house looks."""
    clear: float
    """How likely the dealer has none."""
    worth: float
    """What the hand brings when all is played best, whatever the dealer has."""
    insurance: float | None
    """What one unit of insurance wins; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """All hands of two cards against an upcard."""

    upcard: int | None
    chance: float
    """How likely the upcard is."""
    cells: tuple[Cell, ...]

    @property
    def worth(self) -> float:
        """What a round with this upcard brings, in first bets."""
        return sum(cell.chance * cell.worth for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What the player wins in a round, in units of the first bet."""

    player: float
    """Below 0 where the house has the better end, as nearly always."""
    by_upcard: Mapping[int | None, float]
    """The same, once the upcard is known: 1 an ace, None where there is none."""


def upcards_of(house: House) -> tuple[int | None, ...]:
    """Return the upcards that a house may show."""
    return (None,) if house.deal == "dealer_last" else tuple(RANKS)


@cache
def column(house: House, upcard: int | None) -> Column:
    """Return the worth of all hands against an upcard; reckoned once for each house."""
    shoe = whole_shoe(house)
    chance = 1.0 if upcard is None else shoe[upcard - 1] / sum(shoe)
    worth = worth_of(house, upcard, full_shoe(house, upcard))
    cells = tuple(
        cell
        for pair in combinations_with_replacement(RANKS, 2)
        for cell in _cells(worth, *pair)
    )
    worth.forget()
    return Column(upcard=upcard, chance=chance, cells=cells)


def edge(house: House) -> Edge:
    """Return the edge of the whole game, from a full shoe.

    >>> house = House(name="baby", title="", shoe="endless", deal="dealer_last",
    ...     hole_card="none", ace="one", hit=False, dealer_draws="never",
    ...     insurance="none", split="none", double="none", tie="dealer")
    >>> round((1 + edge(house).player) / 2 * 13**4)
    13332
    """
    columns = [column(house, upcard) for upcard in upcards_of(house)]
    return Edge(
        player=sum(each.chance * each.worth for each in columns),
        by_upcard={each.upcard: each.worth for each in columns},
    )


def ahead(house: House) -> Iterator[None]:
    """Reckon step by step, each of some milliseconds, what will be asked of a house.

    The dealer's aces and twos take longest, and are first. High hands come before the
    low ones that may become them.
    """
    for upcard in upcards_of(house):
        worth = worth_of(house, upcard, full_shoe(house, upcard))
        for first in reversed(RANKS):
            for second in range(first, TEN + 1):
                yield from (None for _ in _cells(worth, first, second))
            worth.forget()


def _cells(worth: Worth, first: int, second: int) -> Iterator[Cell]:
    none = worth.state(Hand.of(()), ())
    one = worth.without(none, first)
    orders = 1 if first == second else 2
    ways = orders * worth.count(none, first) * worth.count(one, second)
    chance = ways / (worth.left(none) * worth.left(one))
    for is_pair, share in _pairs(worth.house, first, second):
        yield _cell(worth, (first, second), is_pair, chance * share)


def _pairs(house: House, first: int, second: int) -> Iterator[tuple[bool, float]]:
    """Yield whether two cards are a pair to the house, and how often they are."""
    if first != second or house.split == "none":
        yield False, 1.0
    elif first != TEN or house.split == "value":
        yield True, 1.0
    else:
        decks = whole_shoe(house)[0]
        is_endless = house.shoe == "endless"
        same = 1 / 4 if is_endless else (decks - 1) / (4 * decks - 1)
        yield True, same
        yield False, 1 - same


def _cell(worth: Worth, ranks: Pair, is_pair: bool, chance: float) -> Cell:
    house, state = worth.house, worth.state(Hand.of(ranks), ranks)
    spot = Spot(worth, state, is_pair=is_pair)
    allowed = spot.allowed()
    best = [spot.best(allowed)]
    if house.surrender == "early" and not spot.is_natural:
        best.append(SURRENDERED)
    if house.even_money and worth.upcard == ACE and spot.is_natural:
        best.append(1.0)
    is_insured = worth.upcard is not None and house.insures(worth.upcard)
    return Cell(
        ranks=ranks,
        is_pair=is_pair,
        chance=chance,
        values=spot.plays(allowed),
        clear=spot.clear,
        worth=max(best),
        insurance=insured(worth, state) if is_insured else None,
    )
