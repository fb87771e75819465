"""A player that takes no risk."""

from bj_game.strategies.card import Card
from bj_game.strategies.hand import Hand
from bj_game.strategies.player_bank import PlayerBank
from bj_game.strategies.steady_player import SteadyPlayer


class ConservativePlayer(SteadyPlayer):
    """Draws below 17, and only while no card at all could bust the hand."""

    def want_card(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Return whether a card is wanted that cannot hurt."""
        return hand.get_score() < 17 and hand.score_hand(ace_hi=False) <= 11
