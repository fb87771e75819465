"""A player that counts by Hi-Lo, and bets, insures and plays by the true count."""

from bj_game.count import (
    best_play,
    counted_values,
    likely_counts,
    running_count,
    tag,
    true_count,
)
from bj_game.play import Play
from bj_game.strategies.hand import Hand
from bj_game.strategies.player import Cards, PlayerBank, View
from bj_game.strategies.threshold_player import SteadyPlayer

_RAMP = 8
"""The most units that are bet."""


class HiLoPlayer(SteadyPlayer):
    """Bets a unit for each point of the true count above 1, and eight at most.

    It plays as is best with the cards that the true count makes likely, which is basic
    strategy with every index that there is, and insures where that pays. Where it does
    not know the rules, it draws below 17, insures nothing, and counts all the same.
    """

    def __init__(self, *, bet: int = 10) -> None:
        """Bet units of ``bet`` dollars."""
        super().__init__(bet=bet)
        self._view: View | None = None

    def observe(self, view: View) -> None:
        """Count the cards that were seen since the shuffle."""
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

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether hitting is best."""
        best = self._best(hand, dealer_up, Play.HIT, Play.STAND)
        return hand.get_score() < 17 if best is None else best is Play.HIT

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether doubling is best."""
        plays = (Play.DOUBLE, Play.HIT, Play.STAND)
        return self._best(hand, dealer_up, *plays) is Play.DOUBLE

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether two hands are better than the pair."""
        plays = (Play.SPLIT, Play.DOUBLE, Play.HIT, Play.STAND)
        return self._best(hand, dealer_up, *plays) is Play.SPLIT

    def want_surrender(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether half of the stake is worth more than the hand."""
        plays = (Play.SURRENDER, Play.SPLIT, Play.DOUBLE, Play.HIT, Play.STAND)
        return self._best(hand, dealer_up, *plays) is Play.SURRENDER

    def want_insurance(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> int:
        """Return half of the wager where enough of what makes a blackjack is left."""
        house = None if self._view is None else self._view.house
        if house is None or not dealer_up:
            return 0
        left = likely_counts(0)
        makes = 10 if dealer_up[0].points == 1 else 1
        more = -tag(makes) * self.true_count * (4 if makes == 10 else 1)
        chance = (left[makes - 1] + more) / (sum(left) - 1)
        pays = 2 if house.insurance_pays == "2:1" else 1
        return bank.get_wager() // 2 if chance * (1 + pays) > 1 else 0

    def _best(self, hand: Hand, dealer_up: Cards, *plays: Play) -> Play | None:
        house = None if self._view is None else self._view.house
        if house is None or not (dealer_up or house.deal == "dealer_last"):
            return None
        cards = tuple(card.text for card in hand.get_cards())
        upcard = dealer_up[0].text if dealer_up else None
        true = int(self.true_count // 1)
        return best_play(counted_values(house, cards, upcard, true), plays)
