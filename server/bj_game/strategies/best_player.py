"""A player that plays best by the composition of what is left in the shoe."""

from collections.abc import Sequence
from contextlib import suppress

from bj_game.card import CARDS
from bj_game.house import House
from bj_game.odds.ranks import whole_shoe, without
from bj_game.strategies.basic_player import BasicPlayer
from bj_game.strategies.player import Cards


class BestPlayer(BasicPlayer):
    """Plays what is worth most with exactly the cards that it has not seen.

    Its bets stay the same. Where it does not know the rules, it draws below 17.
    """

    def _counts(self, house: House, seen: Cards) -> Sequence[int] | None:
        if house.shoe != "endless":
            out = [CARDS[card.text].value for card in seen]
            # More than there are: the shoe was refilled, and is nearly full again.
            with suppress(ValueError):
                return without(whole_shoe(house), out)
        return None
