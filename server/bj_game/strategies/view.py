"""What a strategy may look at before it is asked: the shoe, the rules, the last round.

A class that has the method ``observe(view)`` is given a new one before each question.
"""

from dataclasses import dataclass

from bj_game.house import House
from bj_game.strategies.card import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What can be seen from the seat. All of it is a copy."""

    cards_seen: list[Card]
    """Every card seen face up since the shuffle, oldest first, the last round's too."""
    cards_left: int | None
    """In the shoe; None in an endless one."""
    is_shuffled: bool
    """Whether the shoe has been shuffled since the view before."""
    house: House | None
    """The rules; None where this client does not know all of them."""
    last_result: int | None
    """Cents won in the last round with a hand, insurance included, less those lost;
    None before the first."""

    @property
    def decks_left(self) -> float | None:
        """The packs of 52 cards that are left in the shoe; None in an endless one."""
        return None if self.cards_left is None else self.cards_left / 52
