"""Splits: the worth of a pair that becomes two hands, or more.

Every half is played as well as can be by who knows how many cards of the pair's rank
are out, and not what the other halves got. So each half is worth the same whoever of
them is played first, and only how many they become has to be followed.
"""

from functools import cache, reduce

from bj_game.house import House
from bj_game.odds.hand import Hand, end_of, may_double
from bj_game.odds.ranks import ACE, TEN
from bj_game.odds.worth import State, Worth


def split_worth(worth: Worth, pair: State, hands: int = 2) -> float:
    """Return the worth of splitting a pair, so that there are ``hands``.

    The pair's own cards are out already.
    """
    key = (pair.out, pair.hand, hands)
    if key not in worth.splits:
        worth.splits[key] = _Halves(worth, pair).of(2, hands, 0, 0)
    return worth.splits[key]


def half_worth(worth: Worth, rank: int, half: State) -> float:
    """Return the worth of a half of ``rank`` that has got its second card."""
    house, hand = worth.house, half.hand
    if is_frozen(house, rank):
        return worth.stand(half)
    best = worth.after(half)
    is_open = end_of(house, hand) is None and house.double_after_split
    if is_open and may_double(house, hand):
        best = max(best, worth.double(half))
    return best


def is_frozen(house: House, rank: int) -> bool:
    """Return whether a half of ``rank`` gets one card and no more."""
    return house.one_card_on_split_aces and rank == ACE


class _Halves:
    """The halves of one pair.

    The worth of a half depends on how many further cards of the pair's rank, ``like``,
    are out, and on how many halves have got a second card of another rank, ``unlike``.
    """

    def __init__(self, worth: Worth, pair: State) -> None:
        """Take the pair apart; its second card is out, as the head of another half."""
        self._worth = worth
        self._rank = pair.hand.low // 2
        self._head = pair._replace(hand=Hand.of((self._rank,)))
        self._is_again = self._rank != ACE or worth.house.resplit_aces
        self._first = cache(self._first_of)
        self._second = cache(self._second_of)
        self.of = cache(self._of)

    def _of(self, waiting: int, hands: int, like: int, unlike: int) -> float:
        """Return the worth of the halves that wait for their second card."""
        if not waiting:
            return 0.0
        other, same = self._second(like, unlike)
        if not self._is_again or hands >= self._worth.house.max_hands:
            return waiting * (other + same)
        share = self._share(like, unlike)
        result = other + (1 - share) * self.of(waiting - 1, hands, like, unlike + 1)
        if share:
            split = share * self.of(waiting + 1, hands + 1, like + 1, unlike)
            kept = same + share * self.of(waiting - 1, hands, like + 1, unlike)
            result += max(split, kept)
        return result

    def _second_of(self, like: int, unlike: int) -> tuple[float, float]:
        """Return the worth of a half by its second card: of another rank, or the same.

        Each is multiplied by how likely that is. A card that is out, and nobody knows,
        changes nothing; so what is out of another rank is told by what is out of any
        and of the same.
        """
        if not unlike or self._worth.is_steady:
            return self._first(like)
        share = self._share(like, unlike - 1)
        before = self._second(like, unlike - 1)
        if not share:
            return before
        more = self._second(like + 1, unlike - 1)
        other, same = (
            (any_card - share * alike) / (1 - share)
            for any_card, alike in zip(before, more, strict=True)
        )
        return other, same

    def _first_of(self, like: int) -> tuple[float, float]:
        followed = self._worth.followed
        if like >= followed:
            # Each card of a rank changes nearly as much as the one before.
            nearest = [self._first(like - 1 - n) for n in range(followed)]
            return _follow(nearest, 0), _follow(nearest, 1)
        other = same = 0.0
        for rank, share, half in self._worth.seconds(self._head_state(like)):
            part = self._share(like, 0) if rank == self._rank else 0.0
            best = half_worth(self._worth, self._rank, half)
            same += part * best
            other += (share - part) * best
        return other, same

    def _share(self, like: int, unlike: int) -> float:
        """Return how likely a second card is of the same rank."""
        left = self._worth.left(self._head_state(like))
        return self._same(like) / (left if self._worth.is_steady else left - unlike)

    def _same(self, like: int) -> float:
        """Return how many cards of the rank are left; on average, for one ten-value."""
        if self._rank != TEN or self._worth.house.split != "rank":
            return self._worth.count(self._head_state(like), self._rank)
        left = self._worth.count(self._head, TEN)
        if self._worth.is_steady:
            return left / 4
        return max((left + 2) / 4 - 2 - like, 0.0)

    def _head_state(self, like: int) -> State:
        return reduce(self._worth.without, [self._rank] * like, self._head)


def _follow(values: list[tuple[float, float]], which: int) -> float:
    """Return the next of a row of values, the last of which is the first here."""
    one, *others = (value[which] for value in values)
    match others:
        case [two, three]:
            return 3 * one - 3 * two + three
        case [two]:
            return 2 * one - two
        case _:
            return one
