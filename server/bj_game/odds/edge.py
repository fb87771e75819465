"""The edge: what a round is worth to a player who always plays best."""

from collections.abc import Mapping
from dataclasses import dataclass

from bj_game.house import House
from bj_game.odds.column import column, upcards_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What the player wins in a round, in units of the first bet."""

    player: float
    """Below 0 where the house has the better end, as nearly always."""
    by_upcard: Mapping[int | None, float]
    """The same, once the upcard is known: 1 an ace, None where there is none."""


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
