"""A player that stands at a threshold (``specs/dsc20.txt``, ``hit_or_stand``)."""

from bj_game.strategies.card import Card
from bj_game.strategies.hand import Hand
from bj_game.strategies.player_bank import PlayerBank
from bj_game.strategies.steady_player import SteadyPlayer


class ThresholdPlayer(SteadyPlayer):
    """Draws until its score has reached or surpassed a threshold."""

    def __init__(self, threshold: int = 17, *, bet: int = 10) -> None:
        """Stand at ``threshold`` or more; bet ``bet`` dollars each round."""
        super().__init__(bet=bet)
        self._threshold = threshold

    def want_card(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Return whether the score is below the threshold."""
        return hand.get_score() < self._threshold
