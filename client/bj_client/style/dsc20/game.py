"""The game of ``specs/dsc20.txt``: its rounds, and when the text says that it stops.

A game begins with a new deck and goes on until there are too few cards for another
round, or too little money for the bet. The table plays on then: with a fresh deck, in
the next game, or with the lowest bet, in the same one. The ladder of bets climbs by the
house's minimum.
"""

from bj_client.model.table import Table
from bj_client.words.money import plain
from bj_protocol import events
from bj_protocol.views import Outcome

_TOO_FEW_CARDS = "Not enough cards for a game."
_STEPS = {Outcome.WIN: 1, Outcome.LOSE: -1, Outcome.PUSH: 0}


def too_little_money(wallet: int, bet: int) -> str:
    """Say that a wallet does not cover a bet; both are cents.

    >>> too_little_money(500, 1000)
    'Wallet amount $5 is less than bet amount $10.'
    """
    return f"Wallet amount ${plain(wallet)} is less than bet amount ${plain(bet)}."


def is_penniless(table: Table) -> bool:
    """Whether there is too little for the lowest bet, and no donor who offers more."""
    is_idle = not table.my_asks and not table.me.hands
    return is_idle and table.me.balance < table.house.minimum_bet


class Game:
    """Whether a game is on, and how far it has come."""

    def __init__(self) -> None:
        """Wait for the first game."""
        self.is_on = False
        self.rounds = 0
        """Rounds of the game that are over."""
        self._bet = 0
        """Cents that the next round costs; 0 before that is known."""
        self._left: int | None = None
        """The cards that were left when last looked at."""
        self._has_deck = False
        """Whether the deck is that of the game which was on last."""

    def begin(self) -> bool:
        """Begin a game, or go on with one that has its deck; tell whether it is new."""
        is_new = not self._has_deck
        self.is_on = self._has_deck = True
        self.rounds = 0 if is_new else self.rounds
        self._bet = 0
        return is_new

    def close_round(self, stake: int, outcome: Outcome, rung: int) -> None:
        """Count a round, and work out the next bet, never less than one ``rung``."""
        self.rounds += 1
        self._bet = max(rung, stake + _STEPS[outcome] * rung)

    def stop(self, event: events.Event, table: Table) -> str:
        """Return why the game stops with an event that was just folded in, or nothing.

        The cards are looked at before the money, as in the text.
        """
        fresh = self.look(table)
        match event:
            case events.ShoeShuffled() if fresh and self.is_on:
                self.is_on = False
                return _TOO_FEW_CARDS
            case events.BettingOpened() if self.is_on and self._is_short(table):
                self.is_on = False
                return too_little_money(table.me.balance, self._bet)
            case _:
                return ""

    def miss(self, table: Table) -> str:
        """Return why the game has stopped behind our back, or nothing."""
        if self.look(table) and self.is_on:
            self.is_on = False
            return _TOO_FEW_CARDS
        return ""

    def look(self, table: Table) -> bool:
        """Look at the deck; tell whether it has more cards than before."""
        before, self._left = self._left, table.shoe.cards_left
        fresh = before is not None and self._left is not None and self._left > before
        self._has_deck &= not fresh
        return fresh

    def _is_short(self, table: Table) -> bool:
        return table.me.balance < self._bet
