"""The situation of a hand, and the view of the table, as a strategy gets them.

Both are copied anew for each question.
"""

from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Self

from bj_client.model.table import Table
from bj_game.house import known_house
from bj_game.strategies import Card, Hand, PlayerBank, View
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask

if TYPE_CHECKING:
    from pydantic import JsonValue

    from bj_game.house import House

_card = cache(Card.read)
"""Each card is read once: a shoe of them is copied for each question."""


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
        return Hand(map(_card, self.cards), self.total or None)

    def copies(self) -> tuple[Hand, PlayerBank, list[Card], list[Card]]:
        """Return new copies of the arguments for a strategy."""
        bank = PlayerBank(self.balance // 100, self.wager // 100)
        dealer_up = list(map(_card, self.upcard))
        return self.hand(), bank, dealer_up, list(map(_card, self.seen))


@dataclass(eq=False)
class Observer:
    """Makes the views of one table, each with the news since the one before."""

    _terms: "dict[str, JsonValue] | None" = None
    _house: "House | None" = None
    _shuffles: int = 0

    def view(self, table: Table) -> View:
        """Return a view of ``table`` that nobody else holds."""
        if table.house.terms is not self._terms:
            self._terms = table.house.terms
            self._house = known_house(self._terms)
        shuffles, self._shuffles = self._shuffles, table.seen.shuffles
        return View(
            cards_seen=list(map(_card, table.seen.cards)),
            cards_left=table.shoe.cards_left,
            is_shuffled=table.seen.shuffles != shuffles,
            house=copy(self._house),
            last_result=table.record.last_net,
        )
