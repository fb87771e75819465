"""A player that tries to break the game, so that everyone can see that it holds."""

from itertools import cycle
from typing import Any

from bj_game.strategies.player import Card, Cards, Hand, PlayerBank

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

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> Any:
        """Spoil everything, and say anything."""
        return self.want_card(hand, bank, dealer_up, cards_dealt)

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> Any:
        """Spoil everything, and say anything."""
        return self.want_card(hand, bank, dealer_up, cards_dealt)

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
