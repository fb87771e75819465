"""A player that plays best by the composition of what is left in the shoe."""

from typing import TYPE_CHECKING

from bj_game.card import CARDS
from bj_game.count import best_play
from bj_game.odds import values
from bj_game.odds.ranks import whole_shoe, without
from bj_game.play import Play
from bj_game.strategies.hand import Hand
from bj_game.strategies.player import Cards, PlayerBank, View
from bj_game.strategies.threshold_player import SteadyPlayer

if TYPE_CHECKING:
    from bj_game.house import House


class BestPlayer(SteadyPlayer):
    """Plays what is worth most with exactly the cards that it has not seen.

    Its bets stay the same. Where it does not know the rules, it draws below 17.
    """

    def __init__(self, *, bet: int = 10) -> None:
        """Bet ``bet`` dollars each round."""
        super().__init__(bet=bet)
        self._house: House | None = None

    def observe(self, view: View) -> None:
        """Note the rules."""
        self._house = view.house

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether hitting is best."""
        best = self._best(hand, dealer_up, cards_dealt, Play.HIT, Play.STAND)
        return hand.get_score() < 17 if best is None else best is Play.HIT

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether doubling is best."""
        plays = (Play.DOUBLE, Play.HIT, Play.STAND)
        return self._best(hand, dealer_up, cards_dealt, *plays) is Play.DOUBLE

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether two hands are better than the pair."""
        plays = (Play.SPLIT, Play.DOUBLE, Play.HIT, Play.STAND)
        return self._best(hand, dealer_up, cards_dealt, *plays) is Play.SPLIT

    def want_surrender(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether half of the stake is worth more than the hand."""
        plays = (Play.SURRENDER, Play.SPLIT, Play.DOUBLE, Play.HIT, Play.STAND)
        return self._best(hand, dealer_up, cards_dealt, *plays) is Play.SURRENDER

    def _best(
        self, hand: Hand, dealer_up: Cards, seen: Cards, *plays: Play
    ) -> Play | None:
        house = self._house
        if house is None or not (dealer_up or house.deal == "dealer_last"):
            return None
        cards = [card.text for card in hand.get_cards()]
        upcard = dealer_up[0].text if dealer_up else None
        counts = None
        if house.shoe != "endless":
            out = [CARDS[card.text].value for card in seen]
            counts = without(whole_shoe(house), out)
        return best_play(values(house, cards, upcard, counts), plays)
