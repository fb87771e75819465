"""A player that counts by Hi-Lo, and bets, insures and plays by the true count."""

from collections.abc import Sequence

from bj_game.count import likely_counts, running_count, tag, true_count
from bj_game.house import House
from bj_game.strategies.basic_player import BasicPlayer
from bj_game.strategies.hand import Hand
from bj_game.strategies.player import Cards, PlayerBank, View

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
