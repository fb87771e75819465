"""Players that keep to basic strategy: for a full shoe, for what is left, by Hi-Lo."""

from collections.abc import Sequence
from contextlib import suppress

from bj_game.house import House
from bj_game.odds.ranks import whole_shoe, without
from bj_game.strategies.player import Cards, Hand, PlayerBank, View
from bj_game.strategies.threshold_player import SteadyPlayer
from bj_game.strategy import (
    basic_play,
    best_of,
    likely_counts,
    running_count,
    tag,
    true_count,
)


class BasicPlayer(SteadyPlayer):
    """Plays what is worth most by the rules of the house; never insures.

    Where it does not know the rules, it draws below 17 and takes no other risk.
    """

    def __init__(self, *, bet: int = 10, house: House | None = None) -> None:
        """Bet ``bet`` dollars each round; ``house`` is known without a view, too."""
        super().__init__(bet=bet)
        self._house = house

    def observe(self, view: View) -> None:
        """Note the rules."""
        self._house = view.house

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether hitting is best."""
        best = self._best(hand, dealer_up, cards_dealt, "hit", "stand")
        return hand.get_score() < 17 if best is None else best == "hit"

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether doubling is best."""
        best = self._best(hand, dealer_up, cards_dealt, "double", "hit", "stand")
        return best == "double"

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether two hands are better than all that the pair may do."""
        return self._best(hand, dealer_up, cards_dealt, "split", "decline") == "split"

    def want_surrender(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether half of the stake is worth more than the hand."""
        best = self._best(hand, dealer_up, cards_dealt, "surrender", "decline")
        return best == "surrender"

    def _best(
        self, hand: Hand, dealer_up: Cards, seen: Cards, *plays: str
    ) -> str | None:
        """Return the best of ``plays``; None where that is not known."""
        house = self._house
        if house is None or not (dealer_up or house.deal == "dealer_last"):
            return None
        cards = [card.text for card in hand.get_cards()]
        upcard = dealer_up[0].text if dealer_up else None
        counts = self._counts(house, seen)
        if counts is None:
            return basic_play(house, cards, upcard, plays, hand.get_score())
        return best_of(house, cards, upcard, counts, plays, hand.get_score())

    def _counts(self, house: House, seen: Cards) -> Sequence[int] | None:
        """Return what is left of each rank; None for a full shoe."""
        return None


class BestPlayer(BasicPlayer):
    """Plays what is worth most with exactly the cards that it has not seen.

    Its bets stay the same. Where it does not know the rules, it draws below 17.
    """

    def _counts(self, house: House, seen: Cards) -> Sequence[int] | None:
        if house.shoe != "endless":
            out = [card.points for card in seen]
            # More than there are: the shoe was refilled, and is nearly full again.
            with suppress(ValueError):
                return without(whole_shoe(house), out)
        return None


_RAMP = 8
"""The most units that are bet."""


class HiLoPlayer(BasicPlayer):
    """Bets a unit for each point of the true count, but at least one and at most eight.

    It plays as is best with the cards that the true count makes likely, which is basic
    strategy with every index that there is, and insures where that pays. Where it does
    not know the rules, it draws below 17, insures nothing, and counts all the same.
    """

    def __init__(self, *, bet: int = 10) -> None:
        """Bet units of ``bet`` dollars."""
        super().__init__(bet=bet)
        self._view: View | None = None

    def observe(self, view: View) -> None:
        """Note the rules, and count the cards that were seen since the shuffle."""
        super().observe(view)
        self._view = view

    @property
    def true_count(self) -> float:
        """The true count of now; 0 in an endless shoe, and before a card."""
        view = self._view
        if view is None or view.cards_left is None:
            return 0.0
        running = running_count(card.text for card in view.cards_seen)
        return true_count(running, view.cards_left)

    def place_bet(self, balance: int) -> int:
        """Return the units that the count is worth, as far as there is money."""
        units = max(1, min(_RAMP, int(self.true_count)))
        return min(units * self._bet, balance)

    def want_insurance(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> int:
        """Return half of the wager where enough of what makes a blackjack is left."""
        house = self._house
        if house is None or not dealer_up:
            return 0
        left = likely_counts(0)
        makes = 10 if dealer_up[0].points == 1 else 1
        more = -tag(makes) * self.true_count * (4 if makes == 10 else 1)
        chance = (left[makes - 1] + more) / (sum(left) - 1)
        pays = 2 if house.insurance_pays == "2:1" else 1
        return bank.get_wager() // 2 if chance * (1 + pays) > 1 else 0

    def _counts(self, house: House, seen: Cards) -> Sequence[int]:
        return likely_counts(int(self.true_count // 1))
