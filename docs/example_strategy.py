"""A strategy of one page: watch the tens, and be bold when many of them are left.

Run it, from the folder that it is in, by

    bj-client --handle tess --bot example_strategy:TenWatcher --rounds 20
"""

from bj_game.strategies import Card, Hand, PlayerBank, View


class TenWatcher:
    """Bets more after many small cards; stands early against a weak dealer."""

    def __init__(self) -> None:
        """Begin without having seen a card."""
        self.surplus = 0

    def observe(self, view: View) -> None:
        """Count all that has come out since the shuffle, before each question."""
        tens = sum(card.points == 10 for card in view.cards_seen)
        small = sum(2 <= card.points <= 6 for card in view.cards_seen)
        self.surplus = small - tens

    def place_bet(self, balance: int) -> int:
        """Bet 10 dollars, or 50 while more small cards than tens have come out."""
        return min(50 if self.surplus > 3 else 10, balance)

    def use_ace_hi(self, hand: Hand) -> bool:
        """Count aces 11 for as long as that does not bust."""
        return hand.score_hand(True) <= 21

    def want_card(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Draw to 17, against a 4, 5 or 6 only to 12."""
        is_weak = bool(dealer_up) and dealer_up[0].rank in ("4", "5", "6")
        return hand.get_score() < (12 if is_weak else 17)

    def want_double(
        self,
        hand: Hand,
        bank: PlayerBank,
        dealer_up: list[Card],
        cards_dealt: list[Card],
    ) -> bool:
        """Double any 11. This method may be left out, and so may want_split."""
        return hand.get_score() == 11
