"""The replay: a round that is played once more, from its stakes and decisions.

A table goes on from one after a restart, the audit and the history hold records
against one, and the client compares one with what it was told.
"""

from collections.abc import Sequence

from bj_game.house import House
from bj_game.play import Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe


class Replay:
    """One round, as far as it is played again."""

    def __init__(self, house: House, shoe: Shoe, stakes: Sequence[Stake]) -> None:
        """Deal.

        Raises:
            ValueError: if those make no round.
            ShoeEmptyError: if the shoe runs out, as it then did at the table.
        """
        self.house = house
        self.shoe = shoe
        self.round = Round(house, shoe, stakes)
        self.happened = self.round.take_events()
        """The events since the last decision."""
        self.hand = 0
        """The hand of its seat that the last decision was about."""

    def play(self, seat: int, reply: Reply) -> None:
        """Play the next decision.

        Raises:
            IllegalPlayError: if the rules do not allow it.
            ShoeEmptyError: if the shoe runs out.
        """
        asked = (prompt.hand for prompt in self.round.prompts if prompt.seat == seat)
        self.hand = next(asked, 0)
        self.round.answer(seat, reply)
        self.happened = self.round.take_events()
