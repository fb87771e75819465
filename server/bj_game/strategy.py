"""Strategy: the play that is worth most by the rules of a house.

Basic strategy knows the cards of the hand and the upcard, and is for a full shoe. The
count, Hi-Lo, says what is left of the cards that were not seen, and when plays change.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from bj_game.card import CARDS, parse_cards
from bj_game.house import House
from bj_game.odds import values
from bj_game.play import Play

PLAYS = frozenset({"hit", "stand", "double", "split", "surrender"})
"""The plays that are judged: not those about insurance, aces and giving up."""

MOST_COUNT = 10
"""The true counts that are reckoned with, up and down."""

_UNIT = 10
"""Packs of which every rank has a whole number of cards at every whole true count."""


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
    return best_of(house, hand, upcard, None, sorted(asked), points)


def best_of(
    house: House,
    cards: Sequence[str],
    upcard: str | None,
    counts: Sequence[int] | None,
    plays: Iterable[str],
    points: int | None = None,
) -> str:
    """Return the best of some plays with so many cards of each rank left.

    ``points`` are those that the table counts, where aces are the player's choice.
    """
    said = points if house.ace == "player" else None
    legal = [Play(play) for play in plays]
    worths = values(house, cards, upcard, counts, legal=legal, points=said)
    return max(worths, key=worths.__getitem__).value


def tag(rank: int) -> int:
    """Return what a card counts: 1 for 2 to 6, -1 for tens and aces, else 0.

    >>> [tag(rank) for rank in range(1, 11)]
    [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1]
    """
    return 1 if 2 <= rank <= 6 else -1 if rank in (1, 10) else 0


def running_count(cards: Iterable[str]) -> int:
    """Return the running count of cards that are out.

    >>> running_count(["2s", "5d", "9c", "Th", "As", "6h"])
    1
    """
    return sum(tag(card.value) for card in parse_cards(" ".join(cards)))


def true_count(running: int, cards_left: int) -> float:
    """Return the running count for each pack of 52 cards that is left.

    >>> true_count(6, 104)
    3.0
    """
    return 52 * running / cards_left if cards_left else 0.0


def likely_counts(true: int) -> tuple[int, ...]:
    """Return the cards that a true count makes likely: ten packs, a little unlike.

    >>> likely_counts(0), sum(likely_counts(4))
    ((40, 40, 40, 40, 40, 40, 40, 40, 40, 160), 520)
    """
    true = max(-MOST_COUNT, min(MOST_COUNT, true))
    shares = [-tag(rank) * (4 if rank == 10 else 1) for rank in range(1, 11)]
    packs = [4 * _UNIT] * 9 + [16 * _UNIT]
    return tuple(n + true * share for n, share in zip(packs, shares, strict=True))


def index(
    house: House, cards: Sequence[str], upcard: str | None, play: Play
) -> int | None:
    """Return the least true count from which a play is best; None if it never is.

    None, too, where it is best at every count that is reckoned with.
    """

    def is_best(true: int) -> bool:
        worths = values(house, cards, upcard, likely_counts(true))
        return max(worths, key=worths.__getitem__) is play

    low, high = -MOST_COUNT, MOST_COUNT
    if is_best(low) or not is_best(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_best(middle) else (middle, high)
    return high
