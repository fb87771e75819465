"""Players that draw up to a threshold, or as far as the cards not yet seen allow.

The threshold is that of ``hit_or_stand`` in ``specs/dsc20.txt``.
"""

from collections import Counter

from bj_game.card import PACK
from bj_game.strategies.player import Card, Cards, Hand, PlayerBank, View


class SteadyPlayer:
    """A base for strategies; ``want_card`` is what a subclass adds."""

    def __init__(self, *, bet: int = 10) -> None:
        """Bet ``bet`` dollars each round."""
        self._bet = bet

    def place_bet(self, balance: int) -> int:
        """Return the bet, or the whole balance if that is less."""
        return min(self._bet, balance)

    def use_ace_hi(self, hand: Hand) -> bool:
        """Count aces high unless that would bust."""
        return hand.score_hand(ace_hi=True) <= 21


class ThresholdPlayer(SteadyPlayer):
    """Draws until its score has reached or surpassed a threshold."""

    def __init__(self, threshold: int = 17, *, bet: int = 10) -> None:
        """Stand at ``threshold`` or more; bet ``bet`` dollars each round."""
        super().__init__(bet=bet)
        self._threshold = threshold

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether the score is below the threshold."""
        return hand.get_score() < self._threshold


class DealerPlayer(ThresholdPlayer):
    """Draws below 17 and stands on every 17; an ace counts 11 unless that busts."""


class ConservativePlayer(SteadyPlayer):
    """Draws below 17, and only while no card at all could bust the hand."""

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether a card is wanted that cannot hurt."""
        return hand.get_score() < 17 and hand.score_hand(ace_hi=False) <= 11


_PACK = tuple(Card.read(str(card)) for card in PACK)


class CountingPlayer(SteadyPlayer):
    """Draws while fewer than half of the cards not yet seen would bust the hand."""

    def __init__(self, packs: int | None = None, *, bet: int = 10) -> None:
        """Reckon with ``packs`` packs, and with more once the cards seen prove it.

        Without ``packs`` it is as many as the rules say, or one before it saw them.
        """
        super().__init__(bet=bet)
        self._packs = packs or 1
        self._is_told = packs is not None
        self._is_endless = False

    def observe(self, view: View) -> None:
        """Take the number of packs from the rules."""
        if view.house is not None:
            self._is_endless = view.house.shoe == "endless"
            self._packs = self._packs if self._is_told else view.house.decks

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether a card is rather a help; 18 and more is good enough."""
        return hand.get_score() < 18 and self.chance_to_bust(hand, cards_dealt) < 0.5

    def chance_to_bust(self, hand: Hand, cards_dealt: Cards) -> float:
        """Return how many of the unseen cards would bust ``hand``, 0 for none to 1.

        >>> sixteen = Hand([Card("10", "clubs"), Card("6", "hearts")])
        >>> round(CountingPlayer().chance_to_bust(sixteen, sixteen.get_cards()), 2)
        0.6
        """
        unseen = self._unseen(cards_dealt)
        room = 21 - hand.score_hand(ace_hi=False)
        busting = sum(n for card, n in unseen.items() if card.points > room)
        return busting / unseen.total()

    def _unseen(self, cards_dealt: Cards) -> Counter[Card]:
        seen = Counter([] if self._is_endless else cards_dealt)
        packs = max(self._packs, *seen.values(), 1)
        whole = Counter(dict.fromkeys(_PACK, packs))
        # All seen is a shoe that is shuffled next: what comes is as good as whole.
        return whole - seen or whole
