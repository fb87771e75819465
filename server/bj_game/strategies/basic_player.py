"""A player that keeps to basic strategy."""

from bj_game.strategies.card import Card
from bj_game.strategies.hand import Hand
from bj_game.strategies.player_bank import PlayerBank
from bj_game.strategies.steady_player import SteadyPlayer
from bj_game.strategy import basic_play

__all__ = ["BasicPlayer"]


class BasicPlayer(SteadyPlayer):
    """Plays by the table of ``bj_game.strategy``; never insures.

    Where the table does not apply, because no upcard is shown or because aces are
    counted otherwise, it draws below 17 and takes no other risk.
    """

    def want_card(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Return whether hitting is best."""
        if not _applies(hand, dealer_up):
            return hand.get_score() < 17
        return _best(hand, dealer_up, "hit", "stand") == "hit"

    def want_double(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Return whether doubling is best."""
        return _best(hand, dealer_up, "double", "hit", "stand") == "double"

    def want_split(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Return whether two hands are better than the pair."""
        return _best(hand, dealer_up, "split", "decline") == "split"


def _best(hand: Hand, dealer_up: list[Card], *plays: str) -> str:
    """Return the best of ``plays``."""
    if not _applies(hand, dealer_up):
        return "stand"
    cards = [card.text for card in hand.get_cards()]
    return basic_play(cards, dealer_up[0].text, plays)


def _applies(hand: Hand, dealer_up: list[Card]) -> bool:
    return bool(dealer_up) and hand.get_score() == Hand(hand.get_cards()).get_score()
