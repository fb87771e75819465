"""Basic strategy: the play that is worth most, by the rules of the house.

It knows the cards of the hand and the upcard, and no others: it is for a full shoe.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from bj_game.card import CARDS
from bj_game.house import House
from bj_game.odds import values
from bj_game.play import Play

PLAYS = frozenset({"hit", "stand", "double", "split", "surrender"})
"""The plays that are judged: not those about insurance, aces and giving up."""


def basic_play(
    house: House,
    cards: Sequence[str],
    upcard: str | None,
    legal: Collection[str],
    points: int | None = None,
) -> str | None:
    """Return the best of the ``legal`` plays; None if there is none to be judged.

    Cards are texts such as ``Td``, plays the values of ``Play``. Without an ``upcard``
    the dealer is dealt last. ``points`` are the table's count of the hand, in houses
    where the player says how aces count. While only a split or a surrender is offered,
    and the play is still to come, the answer may be to decline.

    >>> house = House(name="cpsc386", title="")
    >>> basic_play(house, ["8s", "8h"], "6d", ["hit", "stand", "split"])
    'split'
    >>> basic_play(house, ["8s", "8h"], "Ad", ["hit", "stand", "split"])
    'hit'
    """
    judged = PLAYS.intersection(legal)
    if not judged:
        return None
    asked = judged | {"decline"}.intersection(legal)
    if len({CARDS[card].value for card in cards}) > 1:
        asked -= {"split"}
    said = points if house.ace == "player" else None
    # Suits change nothing, nor does the order of the cards.
    hand = tuple(sorted(card[0] + "s" for card in cards))
    up = None if upcard is None else upcard[0] + "h"
    return _best(house, hand, up, asked, said)


@lru_cache(maxsize=10_000)
def _best(
    house: House,
    hand: tuple[str, ...],
    upcard: str | None,
    asked: frozenset[str],
    points: int | None,
) -> str:
    plays = [Play(play) for play in sorted(asked)]
    found = values(house, hand, upcard, legal=plays, points=points)
    return max(found, key=found.__getitem__).value
