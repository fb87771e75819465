"""A player that keeps to basic strategy."""

from collections.abc import Sequence

from bj_game.count import best_of
from bj_game.house import House
from bj_game.strategies.hand import Hand
from bj_game.strategies.player import Cards, PlayerBank, View
from bj_game.strategies.threshold_player import SteadyPlayer
from bj_game.strategy import basic_play


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
        return (
            self._best(hand, dealer_up, cards_dealt, "double", "hit", "stand")
            == "double"
        )

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether two hands are better than all that the pair may do."""
        return self._best(hand, dealer_up, cards_dealt, "split", "decline") == "split"

    def want_surrender(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether half of the stake is worth more than the hand."""
        return (
            self._best(hand, dealer_up, cards_dealt, "surrender", "decline")
            == "surrender"
        )

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
