"""Events: all that happens in a round, in the past tense, as everyone is told of it.

They are the words of the wire: ``bj_protocol.events`` adds what happens around a round,
and how a message is read. Seat 0 is the dealer. Money is in cents; ``balance`` is what
the player is free to wager after the event. A card that lies face down is ``HIDDEN``
from the start, and a total counts the others alone, so no event knows the hole card
before it is turned.
"""

from dataclasses import dataclass
from typing import Literal

from bj_game.hand import Outcome, SettleReason
from bj_game.play import By


@dataclass(slots=True, kw_only=True)
class HandEvent:
    """An event of one hand; seat 0 is the dealer."""

    type: str
    seat: int
    hand: int


@dataclass(slots=True, kw_only=True)
class CardDealt(HandEvent):
    """A card went to a hand; seat 0 is the dealer."""

    type: Literal["card_dealt"] = "card_dealt"
    card: str
    total: int
    """Of the hand's cards that are face up."""
    soft: bool


@dataclass(slots=True, kw_only=True)
class CutCardReached:
    """The cut card came out: the shoe is shuffled before the next bets."""

    type: Literal["cut_card_reached"] = "cut_card_reached"


@dataclass(slots=True, kw_only=True)
class DiscardsShuffled:
    """The shoe was empty within a round: all cards that are not on the table are in it.

    They come out in an order of their own, and the shoe is shuffled anew before the
    next bets.
    """

    type: Literal["discards_shuffled"] = "discards_shuffled"
    cards: int


@dataclass(slots=True, kw_only=True)
class SplitDeclined(HandEvent):
    """A pair stays together."""

    type: Literal["split_declined"] = "split_declined"
    by: By


@dataclass(slots=True, kw_only=True)
class HandSplit(HandEvent):
    """A pair became two hands: ``hand`` and ``new_hand``, each with ``stake``."""

    type: Literal["hand_split"] = "hand_split"
    new_hand: int
    stake: int
    balance: int


@dataclass(slots=True, kw_only=True)
class HandInsured(HandEvent):
    """A hand is insured against the dealer's blackjack."""

    type: Literal["hand_insured"] = "hand_insured"
    amount: int
    balance: int


@dataclass(slots=True, kw_only=True)
class OfferDeclined(HandEvent):
    """A hand took nothing of what was offered before its play."""

    type: Literal["offer_declined"] = "offer_declined"
    by: By


@dataclass(slots=True, kw_only=True)
class HandDoubled(HandEvent):
    """A hand's stake is now ``stake``, twice what it was."""

    type: Literal["hand_doubled"] = "hand_doubled"
    stake: int
    balance: int


@dataclass(slots=True, kw_only=True)
class HandStood(HandEvent):
    """A hand stands."""

    type: Literal["hand_stood"] = "hand_stood"
    total: int
    by: By


@dataclass(slots=True, kw_only=True)
class HandReached21(HandEvent):
    """A hand has 21 and is complete."""

    type: Literal["hand_reached_21"] = "hand_reached_21"
    natural: bool
    """An ace and a ten-value as the first two cards, not after a split."""


@dataclass(slots=True, kw_only=True)
class HandReachedCharlie(HandEvent):
    """A hand has so many cards without a bust that it wins."""

    type: Literal["hand_reached_charlie"] = "hand_reached_charlie"


@dataclass(slots=True, kw_only=True)
class HandSurrendered(HandEvent):
    """A hand is given up for half of its stake."""

    type: Literal["hand_surrendered"] = "hand_surrendered"


@dataclass(slots=True, kw_only=True)
class HandGivenUp(HandEvent):
    """A hand is given up, and lost."""

    type: Literal["hand_given_up"] = "hand_given_up"


@dataclass(slots=True, kw_only=True)
class EvenMoneyTaken(HandEvent):
    """A natural will be settled at even money."""

    type: Literal["even_money_taken"] = "even_money_taken"


@dataclass(slots=True, kw_only=True)
class AcesValued(HandEvent):
    """A player has said how the aces of a hand count: 11 if ``high``, else 1."""

    type: Literal["aces_valued"] = "aces_valued"
    high: bool
    total: int


@dataclass(slots=True, kw_only=True)
class DealerPeeked:
    """The dealer has looked for a blackjack; with one, nobody plays on."""

    type: Literal["dealer_peeked"] = "dealer_peeked"
    blackjack: bool


@dataclass(slots=True, kw_only=True)
class HandBusted(HandEvent):
    """A hand has more than 21."""

    type: Literal["hand_busted"] = "hand_busted"
    total: int


@dataclass(slots=True, kw_only=True)
class HoleRevealed:
    """The dealer has turned the hole card."""

    type: Literal["hole_revealed"] = "hole_revealed"
    card: str
    total: int
    soft: bool


@dataclass(slots=True, kw_only=True)
class DealerStood:
    """The dealer draws no more."""

    type: Literal["dealer_stood"] = "dealer_stood"
    total: int
    blackjack: bool


@dataclass(slots=True, kw_only=True)
class DealerBusted:
    """The dealer has more than 21."""

    type: Literal["dealer_busted"] = "dealer_busted"
    total: int


@dataclass(slots=True, kw_only=True)
class InsuranceSettled(HandEvent):
    """An insurance is won (``payout`` has the wager in it) or lost."""

    type: Literal["insurance_settled"] = "insurance_settled"
    outcome: Outcome
    amount: int
    payout: int
    balance: int


@dataclass(slots=True, kw_only=True)
class HandSettled(HandEvent):
    """A hand is won, lost or pushed; ``payout`` has the returned stake in it."""

    type: Literal["hand_settled"] = "hand_settled"
    outcome: Outcome
    reason: SettleReason
    stake: int
    payout: int
    balance: int


Offers = HandSplit | SplitDeclined | HandInsured | OfferDeclined | HandDoubled
Stops = HandStood | HandReached21 | HandReachedCharlie | HandSurrendered | HandGivenUp
Values = EvenMoneyTaken | AcesValued | HandBusted
Dealers = DealerPeeked | HoleRevealed | DealerStood | DealerBusted
Ends = InsuranceSettled | HandSettled
Shoes = CutCardReached | DiscardsShuffled

Funded = HandSplit | HandInsured | HandDoubled | InsuranceSettled | HandSettled
"""The events that change what a player is free to wager."""

RoundEvent = CardDealt | Offers | Stops | Values | Dealers | Ends | Shoes
"""Everything that can happen in a round."""
