"""Players that play wildly, by chance, at any risk or by cheating: the table holds."""

from itertools import cycle
from random import Random
from typing import Any

from bj_game.strategies.player import Card, Cards, Hand, PlayerBank


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

    want_double = want_split = want_card

    def _toss(self) -> bool:
        return self._chance.random() < 0.5


_ACE, _KING = Card("A", "spades"), Card("K", "spades")


class CheatingPlayer:
    """Changes all that it is given, and answers as no honest player would.

    Its tricks come in a fixed order, one a call, so that a game with it can be
    repeated. ``RuntimeError`` among the answers stands for raising one.
    """

    def __init__(self) -> None:
        """Begin with the first trick of each kind."""
        self._bets = cycle([-1, 10**30, 0.5, "everything", None, True, RuntimeError])
        self._answers = cycle(["hit", None, True, 1, RuntimeError, False, [True]])
        self._insurances = cycle([10**30, -1, "all", RuntimeError])

    def place_bet(self, balance: int) -> Any:
        """Bet more than there is, less than nothing, or no money at all."""
        return _done(next(self._bets))

    def use_ace_hi(self, hand: Hand) -> Any:
        """Spoil the hand, and say neither yes nor no."""
        _spoil(hand)
        return _done(next(self._answers))

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> Any:
        """Spoil everything, and say anything."""
        _spoil(hand, bank, dealer_up, cards_dealt)
        return _done(next(self._answers))

    want_double = want_split = want_card

    def want_insurance(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> Any:
        """Spoil everything, and insure for an absurd sum."""
        _spoil(hand, bank, dealer_up, cards_dealt)
        return _done(next(self._insurances))


def _spoil(hand: Hand, bank: PlayerBank | None = None, *lists: Cards) -> None:
    """Deal a blackjack to ``hand``, a fortune to ``bank``, and kings into the lists."""
    hand.get_cards().clear()
    hand._cards[:] = [_ACE, _KING]
    hand._score = 21
    if bank is not None:
        bank._balance = bank._bets_placed = 10**30
    for cards in lists:
        cards[:] = [_KING] * 3


def _done(trick: object) -> object:
    if trick is RuntimeError:
        raise RuntimeError("the cheating player wants out")
    return trick
