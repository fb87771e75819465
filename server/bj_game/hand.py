"""Hands: cards, their best total and their money, and the players who hold them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum, auto
from functools import cache
from typing import NamedTuple

from bj_game.card import Card


class Outcome(StrEnum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class SettleReason(StrEnum):
    """The rule that settled a hand."""

    BUSTED = "busted"
    BOTH_BUSTED = "both_busted"
    """Hand and dealer are bust, which is a tie in this house."""
    SURRENDERED = "surrendered"
    GIVEN_UP = "given_up"
    NATURAL = "natural"
    """An ace and a ten-value as dealt, paid as the house's rules say."""
    EVEN_MONEY = "even_money"
    CHARLIE = "charlie"
    DEALER_BUSTED = "dealer_busted"
    HIGHER_TOTAL = "higher_total"
    LOWER_TOTAL = "lower_total"
    SAME_TOTAL = "same_total"
    TIE_TO_DEALER = "tie_to_dealer"
    """Equal totals, which the dealer wins in this house."""
    DEALER_BLACKJACK = "dealer_blackjack"
    """The dealer's blackjack beats what the hand has."""
    TWENTY_ONE_TIES_BLACKJACK = "twenty_one_ties_blackjack"
    """Any 21 is level with the dealer's blackjack in this house."""


class Total(NamedTuple):
    """The best value of some cards, and whether an ace counts 11 in it."""

    points: int
    soft: bool

    def __str__(self) -> str:
        """Return the total as players say it, as in ``soft 17``."""
        return f"soft {self.points}" if self.soft else str(self.points)


class Aces(IntEnum):
    """How the aces of a hand count."""

    BEST = auto()
    """One of them 11 if that does not bust, every other 1."""
    ONE = auto()
    ELEVEN = auto()


def total_of(cards: Sequence[Card], aces: Aces = Aces.BEST) -> Total:
    """Return the best total of ``cards``, whatever their order.

    One ace counts 11 if that does not bust; every other ace counts 1
    (``specs/cpsc386.txt``, "Rules"), unless ``aces`` fixes them all
    (``specs/cs1114.txt``, ``specs/cs220.txt``).

    >>> from bj_game.card import parse_cards
    >>> str(total_of(parse_cards("As 6d")))
    'soft 17'
    >>> str(total_of(parse_cards("Ks As Ah")))
    '12'
    """
    total = _NOTHING
    for card in cards:
        total = _sum(total, card.value, aces)
    return total


_NOTHING = Total(0, soft=False)


@cache  # there are few, and every card asks
def _sum(total: Total, value: int, aces: Aces) -> Total:
    """Return a total and a card more, whose points are ``value``, 1 for an ace."""
    points, soft = total.points + value, total.soft
    if value == 1 and (aces is Aces.ELEVEN or (aces is Aces.BEST and points <= 11)):
        points, soft = points + 10, aces is Aces.BEST
    elif soft and points > 21:
        points, soft = points - 10, False
    return Total(points, soft)


class HandState(StrEnum):
    """How far a hand has come."""

    WAITING = "waiting"
    """Its turn is yet to come."""
    PLAYING = "playing"
    STOOD = "stood"
    TWENTY_ONE = "twenty_one"
    BUSTED = "busted"
    SURRENDERED = "surrendered"
    GIVEN_UP = "given_up"
    CHARLIE = "charlie"
    """So many cards without a bust that the hand has won."""


@dataclass(slots=True)
class Hand:
    """The cards of one hand. ``stake`` and ``insurance`` are cents; the dealer's are 0.

    ``is_split`` tells whether the hand came of a split, so that its ace and ten is a
    plain 21 and not a natural; ``is_split_declined`` that its pair stays together.
    """

    cards: list[Card] = field(default_factory=list)
    seat: int = 0
    """The seat of its player; the dealer's is 0."""
    index: int = 0
    """Its place among the hands of its player, from 0."""
    spot: int = 0
    """The spot of its player that the hand lies on, from 0."""
    stake: int = 0
    aces: Aces = Aces.BEST
    insurance: int = 0
    is_split: bool = False
    is_split_declined: bool = False
    is_at_even_money: bool = False
    """Whether a natural has been settled at even money."""
    cards_valued: int = 0
    """How many cards the hand had when its player last said how aces count."""
    state: HandState = HandState.WAITING
    total: Total = field(default=_NOTHING, init=False, compare=False)
    """The best total, kept as cards come."""

    def __post_init__(self) -> None:
        """Add the first cards up, if there are any."""
        if self.cards:
            self.total = total_of(self.cards, self.aces)

    def add(self, card: Card) -> None:
        """Lay a card to the others."""
        self.cards.append(card)
        self.total = _sum(self.total, card.value, self.aces)

    def split(self, index: int) -> "Hand":
        """Return the last card as hand ``index`` of its player, with an equal stake."""
        self.is_split = True
        last = self.cards.pop()
        self.total = total_of(self.cards, self.aces)
        return Hand(
            [last], self.seat, index, self.spot, self.stake, self.aces, is_split=True
        )

    def value_aces(self, aces: Aces) -> None:
        """Count the aces that are here, and those to come, in this way."""
        self.aces, self.cards_valued = aces, len(self.cards)
        self.total = total_of(self.cards, aces)

    @property
    def is_pair(self) -> bool:
        """Whether the hand is two cards of identical rank."""
        return len(self.cards) == 2 and self.cards[0].rank == self.cards[1].rank

    @property
    def is_pair_by_value(self) -> bool:
        """Whether the hand is two cards that count alike, as ten and king do."""
        return len(self.cards) == 2 and self.cards[0].value == self.cards[1].value

    @property
    def is_natural(self) -> bool:
        """Whether the hand is an ace and a ten-value as dealt."""
        return len(self.cards) == 2 and self.total.points == 21 and not self.is_split


@dataclass(slots=True)
class Player:
    """A seat in the round: its hands, and its free money in cents."""

    seat: int
    funds: int
    hands: list[Hand]
