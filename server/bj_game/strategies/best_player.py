"""A player that plays best by the composition of what is left in the shoe."""

from collections.abc import Sequence
from contextlib import suppress

from bj_game.card import CARDS
from bj_game.count import best_of
from bj_game.house import House
from bj_game.odds.ranks import whole_shoe, without
from bj_game.strategies.basic_player import BasicPlayer
from bj_game.strategies.hand import Hand
from bj_game.strategies.player import Cards


class BestPlayer(BasicPlayer):
    """Plays what is worth most with exactly the cards that it has not seen.

    Its bets stay the same. Where it does not know the rules, it draws below 17.
    """

    def _choose(
        self,
        house: House,
        hand: Hand,
        upcard: str | None,
        seen: Cards,
        plays: Sequence[str],
    ) -> str | None:
        """Return the best of ``plays`` with what is left of the shoe."""
        counts = None
        if house.shoe != "endless":
            out = [CARDS[card.text].value for card in seen]
            # More than there are: the shoe was refilled, and is nearly full again.
            with suppress(ValueError):
                counts = without(whole_shoe(house), out)
        cards = [card.text for card in hand.get_cards()]
        return best_of(house, cards, upcard, counts, plays, hand.get_score())
