"""A player that stands at a threshold (``specs/dsc20.txt``, ``hit_or_stand``)."""

from bj_game.strategies.hand import Hand
from bj_game.strategies.player import Cards, PlayerBank


class SteadyPlayer:
    """A base for strategies; ``want_card`` is what a subclass adds."""

    def __init__(self, *, bet: int = 10) -> None:
        """Bet ``bet`` dollars each round."""
        self._bet = bet

    def place_bet(self, balance: int) -> int:
        """Return the bet, or the whole balance if that is less."""
        return min(self._bet, balance)

    def use_ace_hi(self, hand: Hand) -> bool:
        """Count aces high unless that would bust."""
        return hand.score_hand(ace_hi=True) <= 21


class ThresholdPlayer(SteadyPlayer):
    """Draws until its score has reached or surpassed a threshold."""

    def __init__(self, threshold: int = 17, *, bet: int = 10) -> None:
        """Stand at ``threshold`` or more; bet ``bet`` dollars each round."""
        super().__init__(bet=bet)
        self._threshold = threshold

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether the score is below the threshold."""
        return hand.get_score() < self._threshold


class DealerPlayer(ThresholdPlayer):
    """Draws below 17 and stands on every 17; an ace counts 11 unless that busts."""

    def __init__(self, *, bet: int = 10) -> None:
        """Play as the dealer must; bet ``bet`` dollars each round."""
        super().__init__(17, bet=bet)


class ConservativePlayer(SteadyPlayer):
    """Draws below 17, and only while no card at all could bust the hand."""

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether a card is wanted that cannot hurt."""
        return hand.get_score() < 17 and hand.score_hand(ace_hi=False) <= 11
