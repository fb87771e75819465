"""What most strategies have in common: the same bet each round, and sensible aces."""

from bj_game.strategies.hand import Hand


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
