"""Positions: the worth of every legal play of a hand, and of what is offered to it."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from bj_game.house import House
from bj_game.odds.dealer import BLACKJACK, distribution
from bj_game.odds.exact import Exact
from bj_game.odds.hand import (
    CHARLIE,
    OVER,
    PAYS,
    Hand,
    best_points,
    end_of,
    may_double,
    natural_result,
)
from bj_game.odds.ranks import ACE, TEN, Counts, ranks_of, whole_shoe, without
from bj_game.odds.split import is_frozen, split_worth
from bj_game.odds.worth import NATURAL, State, Steady, Worth
from bj_game.play import Play

SURRENDERED = -0.5
"""What is won, in stakes, by giving a hand up for half of its stake."""

_FEWEST = 30
"""With fewer cards left, a hand is reckoned as if each card drawn were put back."""


def values(
    house: House,
    cards: Sequence[str],
    upcard: str | None,
    counts: Sequence[int] | None = None,
    *,
    legal: Collection[Play] | None = None,
    hands: int = 1,
    points: int | None = None,
) -> dict[Play, float]:
    """Return the worth of each legal play of a hand, in stakes of the hand.

    ``cards`` and ``upcard`` are texts such as ``Td``; without an upcard the dealer has
    no card yet. ``counts`` is how many aces, twos and so on to ten-values are left, the
    hole card among them; without it they are those of a full shoe, less the cards told.
    ``hands`` is how many the hand that was dealt has become by splitting, and
    ``points`` what its player has said that it counts, where that is for the player.

    Without ``legal`` it is every play that the rules allow to the hand when its turn
    has come, for money enough. The worth of a play holds for a dealer who has looked
    for a blackjack, where this house's does, and has none. While ``DECLINE`` is legal,
    something is offered before that, and each worth holds whatever the dealer has: to
    decline is worth the best play that is left then, and to insure is worth as much and
    the insurance, of half of the stake.

    >>> house = House(name="cpsc386", title="")
    >>> found = values(house, ["8s", "8h"], "6d")
    >>> max(found, key=found.__getitem__).value, round(found[Play.SPLIT], 3)
    ('split', 0.327)

    Raises:
        ValueError: if the cards that are told are not in a full shoe.
    """
    ranks = ranks_of(cards)
    up = None if upcard is None else ranks_of([upcard])[0]
    is_pair = len(cards) == 2 and (
        cards[0][0] == cards[1][0] or (house.split == "value" and ranks[0] == ranks[1])
    )
    worth, state = start(house, ranks, up, counts)
    spot = Spot(
        worth,
        state,
        is_pair=is_pair,
        hands=hands,
        is_frozen=is_frozen(house, ranks[0]),
        points=points,
    )
    if legal is not None and Play.DECLINE in legal:
        found = spot.offers(legal)
    else:
        found = spot.plays(spot.allowed() if legal is None else legal)
    worth.forget()
    return found


def insurance(
    house: House,
    cards: Sequence[str],
    upcard: str,
    counts: Sequence[int] | None = None,
) -> float:
    """Return what one unit of insurance wins, beside the hand of ``cards``.

    >>> house = House(name="cpsc386", title="")
    >>> round(insurance(house, ["Ts", "6d"], "Ah"), 3)
    -0.385
    """
    up = ranks_of([upcard])[0]
    worth, state = start(house, ranks_of(cards), up, counts)
    return insured(worth, state)


def dealer(
    house: House,
    upcard: str | None,
    counts: Sequence[int] | None = None,
    *,
    no_blackjack: bool = False,
) -> dict[int, float]:
    """Return how likely each end of the dealer is: the totals, a bust, a blackjack.

    With ``no_blackjack`` it is known that the dealer has none.

    >>> from bj_game.odds import BUST
    >>> house = House(name="endless", title="", shoe="endless")
    >>> round(dealer(house, "6d")[BUST], 4)
    0.4232
    """
    up = None if upcard is None else ranks_of([upcard])[0]
    is_endless = house.shoe == "endless"
    left = full_shoe(house, up) if counts is None else tuple(counts)
    found = distribution(house, up, left, is_endless=is_endless)
    if no_blackjack:
        clear = 1 - found.pop(BLACKJACK, 0.0)
        found = {end: chance / clear for end, chance in found.items()}
    return found


def insured(worth: Worth, state: State) -> float:
    """Return what one unit of insurance wins while some cards are out."""
    makes = worth.count(state, TEN if worth.upcard == ACE else ACE)
    return makes / worth.left(state) * (1 + PAYS[worth.house.insurance_pays]) - 1


def start(
    house: House,
    ranks: tuple[int, ...],
    upcard: int | None,
    counts: Sequence[int] | None = None,
) -> tuple[Worth, State]:
    """Return the worth of plays against an upcard, and the state of a hand there."""
    if counts is not None:
        worth = worth_of(house, upcard, tuple(counts))
        return worth, worth.state(Hand.of(ranks), ())
    left = full_shoe(house, upcard)
    if house.shoe != "endless":
        without(left, ranks)  # it says so if there are none
    worth = worth_of(house, upcard, left)
    return worth, worth.state(Hand.of(ranks), ranks)


def full_shoe(house: House, upcard: int | None) -> Counts:
    """Return the cards of a full shoe, less the upcard."""
    out = [] if upcard is None or house.shoe == "endless" else [upcard]
    return without(whole_shoe(house), out)


@lru_cache(maxsize=32)
def worth_of(house: House, upcard: int | None, counts: Counts) -> Worth:
    """Return the worth of plays against an upcard, with ``counts`` left besides it."""
    if house.shoe == "endless" or sum(counts) < _FEWEST:
        return Steady(house, upcard, counts)
    return Exact(house, upcard, counts)


class Spot:
    """One hand that has something to decide, or nothing any more."""

    def __init__(
        self,
        worth: Worth,
        state: State,
        *,
        is_pair: bool,
        hands: int = 1,
        is_frozen: bool = False,
        points: int | None = None,
    ) -> None:
        """Look at a hand; ``is_pair`` is whether the house calls it one to split.

        Of several ``hands`` it is one that gets no further card if it ``is_frozen``.
        """
        self._worth, self._state, self._hands = worth, state, hands
        self._house, self._hand = worth.house, state.hand
        self._is_pair, self._is_frozen = is_pair, is_frozen
        self._points = points
        self.clear = worth.clear(state)
        """How likely the dealer has no blackjack that ends the round at once."""

    @property
    def is_natural(self) -> bool:
        """Whether the hand is an ace and a ten-value as dealt."""
        is_dealt = self._hand == Hand(low=11, aces=1, size=2) and self._hands == 1
        return is_dealt and self._house.ace != "one"

    def allowed(self) -> list[Play]:
        """Return what the rules allow when the turn of the hand has come."""
        house, hand, is_split = self._house, self._hand, self._hands > 1
        points = best_points(house, hand)
        is_complete = points > 21 or (points == 21 and house.complete_at_21)
        if is_complete or end_of(house, hand) == CHARLIE:
            return [Play.STAND]
        is_first = hand.size == 2
        may_draw = house.hit and not (is_split and self._is_frozen)
        is_free = not is_split or house.double_after_split
        is_early = house.surrender == "early" and self._worth.upcard in (ACE, TEN)
        may = {
            Play.HIT: may_draw,
            Play.STAND: True,
            Play.DOUBLE: is_first and may_draw and is_free and may_double(house, hand),
            Play.SPLIT: is_first and self._is_pair and self._may_split(),
            Play.SURRENDER: is_first
            and house.surrender != "none"
            and not (is_split or is_early),
            Play.GIVE_UP: house.give_up,
        }
        return [play for play, is_allowed in may.items() if is_allowed]

    def _may_split(self) -> bool:
        house = self._house
        if house.split == "none" or self._hands == 1:
            return house.split != "none"
        is_again = self._hand.aces == 0 or house.resplit_aces
        return is_again and self._hands < house.max_hands

    def plays(self, legal: Collection[Play]) -> dict[Play, float]:
        """Return the worth of plays, the dealer having no blackjack."""
        known = ((play, self._value(play)) for play in Play if play in legal)
        return {play: value / self.clear for play, value in known if value is not None}

    def offers(self, legal: Collection[Play]) -> dict[Play, float]:
        """Return the worth of what is offered, whatever the dealer has."""
        later = set(self.allowed()).difference(legal)
        if self._house.insurance_asked == "each_hand":
            later.discard(Play.SPLIT)
        decline = self.best(later)
        is_early = self._house.surrender == "early"
        worths = {
            Play.SURRENDER: SURRENDERED if is_early else self.best([Play.SURRENDER]),
            Play.EVEN_MONEY: 1.0,
            Play.DECLINE: decline,
        }
        if Play.SPLIT in legal:
            worths[Play.SPLIT] = self.best([Play.SPLIT])
        if Play.INSURE in legal:
            worths[Play.INSURE] = decline + insured(self._worth, self._state) / 2
        return {play: worth for play, worth in worths.items() if play in legal}

    def best(self, plays: Collection[Play]) -> float:
        """Return the worth of the best of some plays, whatever the dealer has."""
        if self.is_natural:
            return self._worth.stand(self._state, NATURAL)
        found = [self._value(play) for play in plays]
        best = max(value for value in found if value is not None)
        return best - (1 - self.clear)

    def _value(self, play: Play) -> float | None:
        """Return the worth of a play, times how likely it comes to it."""
        match play:
            case Play.HIT:
                return self._worth.hit(self._state)
            case Play.STAND:
                return self._stand()
            case Play.DOUBLE:
                return self._worth.double(self._state)
            case Play.SPLIT:
                return split_worth(self._worth, self._state, self._hands + 1)
            case Play.SURRENDER:
                return SURRENDERED * self.clear
            case Play.GIVE_UP:
                return -self.clear
            case Play.ACE_HIGH:
                return self._count(self._hand.low + 10 * self._hand.aces)
            case Play.ACE_LOW:
                return self._count(self._hand.low)
            case _:
                return None

    def _stand(self) -> float:
        if self.is_natural:
            lost = natural_result(self._house, BLACKJACK) * (1 - self.clear)
            return self._worth.stand(self._state, NATURAL) - lost
        end = end_of(self._house, self._hand)
        return self._worth.stand(self._state, self._points or end)

    def _count(self, points: int) -> float:
        """Return the worth of aces that count so that the hand has ``points``."""
        if points >= 21:
            return self._worth.stand(self._state, min(points, OVER))
        stand = self._worth.stand(self._state, points)
        return max(stand, self._worth.hit(self._state)) if self._house.hit else stand
