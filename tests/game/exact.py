"""What plays are worth with a real pack, card for card: slow, and nothing left out.

It shares no code with ``bj_game.odds``: every order of cards is followed, and
each card leaves the pack. Only a hand that is split again is played with the shares of
the ranks as they were, as the halves would depend on one another.
"""

from collections.abc import Iterator
from functools import cache

from bj_game.house import House

Pack = tuple[int, ...]
"""How many cards count 1, 2 and so on to 10."""


def total(house: House, low: int, aces: int) -> tuple[int, bool]:
    """Return a player's best total of ``low`` points, and whether it is soft."""
    most = 1 if house.ace == "player" else 52
    soft = house.ace != "one" and 1 <= aces <= most and low <= 11
    return low + 10 * soft, soft


def without(pack: Pack, *cards: int) -> Pack:
    """Return a pack that lacks some cards."""
    left = list(pack)
    for card in cards:
        left[card - 1] -= 1
    return tuple(left)


class Exact:
    """One house and one upcard."""

    def __init__(self, house: House, upcard: int) -> None:
        """Take the upcard out of a fresh pack."""
        self.house, self.upcard = house, upcard
        self.pack = without((4 * house.decks,) * 9 + (16 * house.decks,), upcard)
        self.hides = house.hole_card == "peek" and upcard in (1, 10)
        self.ends, self.after = cache(self._ends), cache(self._after)

    def values(self, first: int, second: int) -> dict[str, float]:
        """Return what each play of two cards is worth."""
        house, pack = self.house, without(self.pack, first, second)
        low, aces = first + second, (first == 1) + (second == 1)
        points, soft = total(house, low, aces)
        worth = {
            "stand": self.stand(pack, points),
            "hit": self.hit(pack, low, aces),
        }
        if self.may_double(points, soft):
            worth["double"] = self.double(pack, low, aces)
        if first == second and house.split != "none":
            worth["split"] = self.split(pack, first)
        if house.surrender != "none":
            worth["surrender"] = -0.5
        return worth

    def may_double(self, points: int, soft: bool) -> bool:
        """Return whether the house lets two cards of a total be doubled."""
        lowest = {"none": 99, "any_two": 0, "9-11": 9, "10-11": 10}[self.house.double]
        is_any = self.house.double == "any_two"
        return is_any or (lowest <= points <= 11 and not soft)

    def draws(self, pack: Pack) -> Iterator[tuple[int, float]]:
        """Yield each card that the player may get, and how likely it is."""
        left = sum(pack)
        hidden = 10 if self.upcard == 1 else 1
        for card, count in enumerate(pack, start=1):
            if not count:
                continue
            if not self.hides:
                yield card, count / left
                continue
            # One of the cards that are left is the hole card, and makes no blackjack.
            holes = left - pack[hidden - 1] - (card != hidden)
            yield card, count * holes / (left - 1) / (left - pack[hidden - 1])

    def stand(self, pack: Pack, points: int) -> float:
        """Return the worth of standing, or of a bust."""
        house, worth = self.house, 0.0
        for end, chance in self.ends(pack, self.upcard, self.upcard == 1, 1):
            if points > 21:
                worth -= chance * (end <= 21 or house.both_bust != "push")
            elif end > 21 and end != 22.5:
                worth += chance
            elif end == points:
                worth -= chance * (house.tie == "dealer")
            else:
                worth += chance if points > end else -chance
        return worth

    def _ends(
        self, pack: Pack, low: int, is_ace: bool, size: int
    ) -> list[tuple[float, float]]:
        """Return the dealer's ends, 22.5 a blackjack that beats 21, 26 a bust."""
        house = self.house
        soft = is_ace and low <= 11
        points = low + 10 * soft
        if size > 1 and points == 21 and size == 2 and house.blackjack_beats_21:
            return [(22.5, 1.0)]
        if size > 1 and (points > 17 or (points == 17 and not soft)):
            return [(min(points, 26) if points <= 21 else 26, 1.0)]
        if size > 1 and points == 17 and not house.hit_soft_17:
            return [(17, 1.0)]
        found: dict[float, float] = {}
        left = sum(pack)
        hidden = 11 - low if self.hides and size == 1 else 0
        if hidden:
            left -= pack[hidden - 1]
        for card, count in enumerate(pack, start=1):
            if not count or card == hidden:
                continue
            rest = (low + card, is_ace or card == 1, min(size + 1, 3))
            for end, chance in self.ends(without(pack, card), *rest):
                found[end] = found.get(end, 0.0) + count / left * chance
        return list(found.items())

    def _after(self, pack: Pack, low: int, aces: int) -> float:
        points, _ = total(self.house, low, aces)
        stand = self.stand(pack, points)
        if points > 21 or (points == 21 and self.house.complete_at_21):
            return stand
        return max(stand, self.hit(pack, low, aces))

    def hit(self, pack: Pack, low: int, aces: int) -> float:
        """Return the worth of hitting, and of the best play after it."""
        return sum(
            chance * self.after(without(pack, card), low + card, aces + (card == 1))
            for card, chance in self.draws(pack)
        )

    def double(self, pack: Pack, low: int, aces: int) -> float:
        """Return the worth of doubling."""
        worth = 0.0
        for card, chance in self.draws(pack):
            points, _ = total(self.house, low + card, aces + (card == 1))
            worth += 2 * chance * self.stand(without(pack, card), points)
        return worth

    def split(self, pack: Pack, card: int) -> float:
        """Return the worth of a split."""
        return self._halves(pack, card, 2, 2)

    def _halves(self, pack: Pack, card: int, waiting: int, hands: int) -> float:
        if not waiting:
            return 0.0
        house, worth = self.house, 0.0
        may = hands < house.max_hands and (card != 1 or house.resplit_aces)
        for second, chance in self.draws(pack):
            rest = self._halves(pack, card, waiting - 1, hands)
            best = self._half(without(pack, second), card, second) + rest
            if second == card and may:
                best = max(best, self._halves(pack, card, waiting + 1, hands + 1))
            worth += chance * best
        return worth

    def _half(self, pack: Pack, card: int, second: int) -> float:
        house = self.house
        low, aces = card + second, (card == 1) + (second == 1)
        points, soft = total(house, low, aces)
        if card == 1 and house.one_card_on_split_aces:
            return self.stand(pack, points)
        worth = self.after(pack, low, aces)
        if house.double_after_split and points < 21 and self.may_double(points, soft):
            worth = max(worth, self.double(pack, low, aces))
        return worth
