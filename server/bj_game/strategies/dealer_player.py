"""The dealer's own rules, as a strategy (``specs/cs220.txt``, "Dealer Deal")."""

from bj_game.strategies.threshold_player import ThresholdPlayer


class DealerPlayer(ThresholdPlayer):
    """Draws below 17 and stands on every 17; an ace counts 11 unless that busts."""

    def __init__(self, *, bet: int = 10) -> None:
        """Play as the dealer must; bet ``bet`` dollars each round."""
        super().__init__(17, bet=bet)
