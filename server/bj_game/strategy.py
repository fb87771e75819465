"""Basic strategy: the play that is worth most, by the rules of the house.

It knows the cards of the hand and the upcard, and no others: it is for a fresh pack.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from bj_game.card import parse_cards
from bj_game.expectation import Expectation
from bj_game.house import House

PLAYS = frozenset({"hit", "stand", "double", "split", "surrender"})
"""The plays that are judged: not those about insurance, aces and giving up."""

_SURRENDERED = -0.5


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
    if not PLAYS.intersection(legal):
        return None
    hand = sorted(card.value for card in parse_cards(" ".join(cards)))
    up = None if upcard is None else parse_cards(upcard)[0].value
    return _best(house, tuple(hand), up, frozenset(legal), points)


@lru_cache(maxsize=10_000)
def _best(
    house: House,
    hand: tuple[int, ...],
    upcard: int | None,
    legal: frozenset[str],
    points: int | None,
) -> str:
    low, aces = sum(hand), hand.count(1)
    expected = _expected(house, _pack(house, hand, upcard), upcard)

    def worth(play: str) -> float:
        match play:
            case "hit":
                return expected.hit(low, aces, len(hand))
            case "double":
                return expected.double(low, aces)
            case "split":
                return expected.split(hand[0])
            case "surrender":
                return _SURRENDERED
            case _:
                return expected.stand(points or expected.points(low, aces))

    is_pair = len(hand) == 2 and hand[0] == hand[1]
    judged = PLAYS & legal - (set() if is_pair else {"split"})
    worths = {play: worth(play) for play in sorted(judged)}
    if "decline" in legal:
        later = {"stand"}
        later |= {"hit"} if house.hit else set()
        later |= {"double"} if expected.may_double(low, aces) else set()
        later |= {"split"} if is_pair and house.split != "none" else set()
        later |= {"surrender"} if house.surrender != "none" else set()
        best = max(worth(play) for play in later - legal)
        # An early surrender comes before the dealer has looked for a blackjack.
        risk = expected.blackjack if house.surrender == "early" else 0.0
        worths["decline"] = (1 - risk) * best - risk
    return max(worths, key=lambda play: worths[play])


@lru_cache(maxsize=64)
def _expected(house: House, pack: tuple[int, ...], upcard: int | None) -> Expectation:
    return Expectation(house, pack, upcard)


def _pack(house: House, hand: Sequence[int], upcard: int | None) -> tuple[int, ...]:
    """Return how many cards of each value are left of a fresh pack."""
    decks = house.decks
    pack = [4 * decks] * 9 + [16 * decks]
    if house.shoe != "endless":
        for card in (*hand, *([] if upcard is None else [upcard])):
            pack[card - 1] -= 1
    return tuple(pack)
