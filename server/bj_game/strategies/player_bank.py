"""A player's money as a strategy sees it: a copy, in whole dollars."""


class PlayerBank:
    """A copy of what a player has, and has at risk.

    >>> print(PlayerBank(90, 10))
    bet 10 balance 90
    """

    def __init__(self, balance: int, wager: int = 0) -> None:
        """Note the free ``balance`` and the ``wager`` of this round, in dollars."""
        self._balance = balance
        self._bets_placed = wager

    def get_balance(self) -> int:
        """Return what is free to wager, in whole dollars, rounded down."""
        return self._balance

    def get_wager(self) -> int:
        """Return all that is wagered in this round, on every hand of the player."""
        return self._bets_placed

    def __str__(self) -> str:
        """Return the money, as the game summary of the text has it."""
        return f"bet {self._bets_placed} balance {self._balance}"
