"""A player that tries to break the game by play that is legal, and by nothing else."""

from bj_game.strategies.player import Cards, Hand, PlayerBank


class RecklessPlayer:
    """Risks as much as the rules allow, and ends each hand as late as they allow.

    It stakes all it has, splits what it can, doubles what should stand, and draws until
    it busts: the longest rounds, the most hands and the largest sums that there are.
    """

    def place_bet(self, balance: int) -> int:
        """Bet all there is."""
        return balance

    def use_ace_hi(self, hand: Hand) -> bool:
        """Count aces high, also where that busts."""
        return True

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Want one more."""
        return True

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Double what is better left alone; a lower hand can draw more cards."""
        return hand.get_score() >= 12

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Split every pair."""
        return True

    def want_insurance(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> int:
        """Insure for all that is left."""
        return bank.get_balance()
