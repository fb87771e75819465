"""Expectations: the worth of each play of a hand, in stakes, under a house's rules.

Theory. The cards that lie on the table are taken out of a fresh pack. Against the rest
the dealer is exact: every set of cards that he can draw counts as often as the pack has
it. So standing and doubling are exact. A hand that is hit loses its next card from the
pack, too; from then on the shares of the ranks stay what they are. An endless deck
loses nothing, so all is exact there. ``docs/decisions`` has what that comes to.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import perm

from bj_game.house import House

_BUST, _BLACKJACK = 0, 22
"""Ends of the dealer beside his totals."""

_DOUBLES = {"9-11": range(9, 12), "10-11": range(10, 12)}
_RANKS = range(1, 11)
_LONGEST = 22
"""More cards than the dealer can draw of one rank."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Cards that the dealer may draw: where they end, and in how many orders."""

    end: int
    orders: int
    drawn: tuple[tuple[int, int], ...]
    """How many cards, by the place of their rank."""
    size: int


class Expectation:
    """The worth of plays against one upcard.

    A hand is told by ``low``, its points with every ace as 1, by its ``aces``, and by
    its ``size`` in cards.
    """

    def __init__(
        self, house: House, pack: Sequence[int], upcard: int | None, depth: int = 1
    ) -> None:
        """Reckon with what is left in the ``pack``: how many cards count 1, 2 to 10.

        Without an ``upcard``, whose ace is 1, the dealer has no card yet. ``depth`` is
        how many cards that the player draws are taken out of the pack.
        """
        self._house = house
        self._pack = tuple(pack)
        self._upcard = upcard
        self._depth = 0 if house.shoe == "endless" else depth
        self._without = cache(self._without_card)
        self._after = cache(self._after_card)
        self._ends = self._dealer_ends()
        self.blackjack = 0.0
        """How likely the dealer has a blackjack, where he looks for it first."""
        if house.hole_card == "peek":
            self.blackjack = self._ends.pop(_BLACKJACK, 0.0)
            rest = 1 - self.blackjack
            self._ends = {end: chance / rest for end, chance in self._ends.items()}
        elif not house.blackjack_beats_21:
            self._ends[21] = self._ends.get(21, 0.0) + self._ends.pop(_BLACKJACK, 0.0)

    def points(self, low: int, aces: int) -> int:
        """Return the best points that the house allows a hand."""
        if self._house.ace == "player":
            is_soft = aces == 1
        else:
            is_soft = aces > 0 and self._house.ace == "best"
        return low + 10 if is_soft and low <= 11 else low

    def stand(self, points: int) -> float:
        """Return the worth of standing on ``points``, or of a bust."""
        if points > 21:
            is_tie = self._house.both_bust == "push"
            return self._ends.get(_BUST, 0.0) - 1 if is_tie else -1.0
        tie = 0 if self._house.tie == "push" else -1
        return sum(
            chance * (tie if end == points else 1 if end < points else -1)
            for end, chance in self._ends.items()
        )

    def hit(self, low: int, aces: int, size: int) -> float:
        """Return the worth of a card, and of the best play after it."""
        return sum(
            share * self._without(card)._after(low + card, aces + (card == 1), size + 1)
            for card, share in self._shares
        )

    def double(self, low: int, aces: int) -> float:
        """Return the worth of twice the stake on exactly one more card."""
        return 2 * sum(
            share
            * self._without(card).stand(self.points(low + card, aces + (card == 1)))
            for card, share in self._shares
        )

    def split(self, card: int) -> float:
        """Return the worth of two hands, and more where the house allows, of a pair."""
        house = self._house

        @cache
        def worth(waiting: int, hands: int) -> float:
            """Return the worth of the halves that wait for their second card."""
            if not waiting:
                return 0.0
            is_split = hands < house.max_hands and (card != 1 or house.resplit_aces)
            result = 0.0
            for second, share in self._shares:
                half = self._without(second)._half(card, second)
                best = half + worth(waiting - 1, hands)
                if second == card and is_split:
                    best = max(best, worth(waiting + 1, hands + 1))
                result += share * best
            return result

        return worth(2, 2)

    def may_double(self, low: int, aces: int) -> bool:
        """Return whether the house lets two such cards be doubled."""
        if self._house.double in ("none", "any_two"):
            return self._house.double == "any_two"
        is_hard = self.points(low, aces) == low
        return is_hard and low in _DOUBLES[self._house.double]

    def _half(self, card: int, second: int) -> float:
        """Return the worth of a split hand that has got its second card."""
        house = self._house
        low, aces = card + second, (card == 1) + (second == 1)
        if card == 1 and house.one_card_on_split_aces:
            return self.stand(self.points(low, aces))
        result = self._after(low, aces, 2)
        is_open = self.points(low, aces) < 21 or not house.complete_at_21
        if house.double_after_split and is_open and self.may_double(low, aces):
            result = max(result, self.double(low, aces))
        return result

    def _after_card(self, low: int, aces: int, size: int) -> float:
        """Return the worth of the best play of a hand that has just got a card."""
        points, house = self.points(low, aces), self._house
        if low <= 21 and house.charlie and size >= house.charlie:
            return 1.0
        if points > 21 or (points == 21 and house.complete_at_21):
            return self.stand(points)
        # Without the rule that counts cards their number changes nothing.
        hit = self.hit(low, aces, size if house.charlie else 0)
        return max(self.stand(points), hit)

    def _without_card(self, card: int) -> "Expectation":
        """Return what is to be expected once the player has drawn a card."""
        if not self._depth:
            return self
        left = [n - (rank == card) for rank, n in zip(_RANKS, self._pack, strict=True)]
        return Expectation(self._house, left, self._upcard, self._depth - 1)

    @cached_property
    def _shares(self) -> tuple[tuple[int, float], ...]:
        """Return how likely the player's next card has each value.

        A hole card that is known to make no blackjack leaves more of the cards that
        would.
        """
        total = sum(self._pack)
        shares = [n / total for n in self._pack]
        if self.blackjack and self._house.shoe != "endless":
            rank = 10 if self._upcard == 1 else 1
            makes = self._pack[rank - 1] / (total - 1)
            others = (1 - makes) / (1 - shares[rank - 1])
            shares = [share * others for share in shares]
            shares[rank - 1] = makes
        return tuple(
            (rank, share) for rank, share in zip(_RANKS, shares, strict=True) if share
        )

    def _dealer_ends(self) -> dict[int, float]:
        """Return how likely the dealer ends on each total."""
        house, total = self._house, sum(self._pack)
        take = pow if house.shoe == "endless" else perm
        ways = [[take(count, n) for n in range(_LONGEST)] for count in self._pack]
        ends: Counter[tuple[int, int]] = Counter()
        is_ace_one, draws = house.ace == "one", house.dealer_draws != "never"
        for run in _runs(self._upcard, is_ace_one, draws, house.hit_soft_17):
            chances = run.orders
            for place, n in run.drawn:
                chances *= ways[place][n]
            ends[run.end, run.size] += chances
        result: dict[int, float] = {}
        for (end, size), chances in ends.items():
            result[end] = result.get(end, 0.0) + chances / take(total, size)
        return result


@cache
def _runs(
    upcard: int | None, is_ace_one: bool, draws: bool, hits_soft_17: bool
) -> tuple[_Run, ...]:
    """Return all that the dealer may draw, as sets of cards."""
    found: list[_Run] = []
    layer: Counter[tuple[int, ...]] = Counter({(0,) * 10: 1})
    size = int(upcard is not None)
    while layer:
        longer: Counter[tuple[int, ...]] = Counter()
        for drawn, orders in layer.items():
            low = (upcard or 0) + sum(map(int.__mul__, _RANKS, drawn))
            aces = drawn[0] + (upcard == 1)
            is_soft = aces > 0 and low <= 11 and not is_ace_one
            points = low + 10 * is_soft
            is_short = points < 17 or (points == 17 and is_soft and hits_soft_17)
            if size < 2 or (draws and is_short):
                for taken in _one_more(drawn):
                    longer[taken] += orders
                continue
            end = _BUST if points > 21 else points
            if size == 2 and points == 21:
                end = _BLACKJACK
            cards = tuple((place, n) for place, n in enumerate(drawn) if n)
            found.append(_Run(end, orders, cards, sum(drawn)))
        layer, size = longer, size + 1
    return tuple(found)


def _one_more(drawn: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for place, count in enumerate(drawn):
        yield (*drawn[:place], count + 1, *drawn[place + 1 :])
