"""A player that leaves everything to chance."""

from random import Random

from bj_game.strategies.player import Cards, Hand, PlayerBank


class RandomPlayer:
    """Bets any sum it has, and tosses a coin for everything else.

    The same ``Random`` in the same state makes the same decisions.
    """

    def __init__(self, chance: Random) -> None:
        """Take every decision from ``chance``."""
        self._chance = chance

    def place_bet(self, balance: int) -> int:
        """Return any bet from 1 dollar to the whole balance; 0 without a dollar."""
        return self._chance.randint(1, balance) if balance > 0 else 0

    def use_ace_hi(self, hand: Hand) -> bool:
        """Toss a coin."""
        return self._toss()

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Toss a coin."""
        return self._toss()

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Toss a coin."""
        return self._toss()

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Toss a coin."""
        return self._toss()

    def _toss(self) -> bool:
        return self._chance.random() < 0.5
