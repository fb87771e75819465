"""The situation of a hand: what a strategy is told, copied anew for each question."""

from dataclasses import dataclass
from typing import Self

from bj_client.card import HIDDEN
from bj_client.table import Table
from bj_game.strategies import Card, Hand, PlayerBank
from bj_protocol.views import Ask

__all__ = ["Situation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One hand that is to be decided. It holds nothing that belongs to the table."""

    cards: tuple[str, ...]
    """The hand's cards as on the wire; empty where they are not known."""
    total: int
    balance: int
    """Cents."""
    wager: int
    """Cents at risk on all hands of the seat."""
    upcard: tuple[str, ...]
    """The dealer's one upcard, or nothing."""
    seen: tuple[str, ...]
    """Every card that was face up since the last shuffle, oldest first."""

    @classmethod
    def of(cls, ask: Ask, table: Table) -> Self:
        """Return the situation of the hand that ``ask`` is about."""
        hand, seat = table.hand(ask.seat, ask.hand), table.seat(ask.seat)
        shown = [card for card in table.dealer.cards if card != HIDDEN]
        return cls(
            cards=tuple(hand.cards),
            total=hand.total,
            balance=seat.balance,
            wager=sum(other.stake + other.insurance for other in seat.hands),
            upcard=tuple(shown[:1]),
            seen=table.seen.cards,
        )

    def hand(self) -> Hand:
        """Return a new copy of the hand."""
        return Hand(map(Card.read, self.cards), self.total or None)

    def copies(self) -> tuple[Hand, PlayerBank, list[Card], list[Card]]:
        """Return new copies of all that a strategy is asked with."""
        bank = PlayerBank(self.balance // 100, self.wager // 100)
        dealer_up = [Card.read(card) for card in self.upcard]
        return self.hand(), bank, dealer_up, [Card.read(card) for card in self.seen]
