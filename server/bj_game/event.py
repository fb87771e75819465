"""Events: all that happens in a round, in the past tense, as everyone is told of it.

They are the words of the wire: ``bj_protocol.events`` adds what happens around a round,
and how a message is read. Seat 0 is the dealer. Money is in cents; ``balance`` is what
the player is free to wager after the event. A card that lies face down is ``HIDDEN``
from the start, and a total counts the others alone, so no event knows the hole card
before it is turned.

Thousands are made a second, so they are light: what makes one gives its fields in their
order. On the wire ``type`` comes first.
"""

from dataclasses import dataclass
from typing import Literal

from bj_game.hand import Outcome, SettleReason
from bj_game.play import By


@dataclass(slots=True)
class HandEvent:
    """An event of one hand; seat 0 is the dealer."""

    seat: int
    hand: int


@dataclass(slots=True)
class CardDealt(HandEvent):
    """A card went to a hand; seat 0 is the dealer."""

    card: str
    total: int
    """Of the hand's cards that are face up."""
    soft: bool
    type: Literal["card_dealt"] = "card_dealt"


@dataclass(slots=True)
class CutCardReached:
    """The cut card came out: the shoe is shuffled before the next bets."""

    type: Literal["cut_card_reached"] = "cut_card_reached"


@dataclass(slots=True)
class DiscardsShuffled:
    """The shoe was empty within a round: all cards that are not on the table are in it.

    They come out in an order of their own, and the shoe is shuffled anew before the
    next bets.
    """

    cards: int
    type: Literal["discards_shuffled"] = "discards_shuffled"


@dataclass(slots=True)
class SplitDeclined(HandEvent):
    """A pair stays together."""

    by: By
    type: Literal["split_declined"] = "split_declined"


@dataclass(slots=True)
class HandSplit(HandEvent):
    """A pair became two hands: ``hand`` and ``new_hand``, each with ``stake``."""

    new_hand: int
    stake: int
    balance: int
    type: Literal["hand_split"] = "hand_split"


@dataclass(slots=True)
class HandInsured(HandEvent):
    """A hand is insured against the dealer's blackjack."""

    amount: int
    balance: int
    type: Literal["hand_insured"] = "hand_insured"


@dataclass(slots=True)
class OfferDeclined(HandEvent):
    """A hand took nothing of what was offered before its play."""

    by: By
    type: Literal["offer_declined"] = "offer_declined"


@dataclass(slots=True)
class HandDoubled(HandEvent):
    """A hand's stake is now ``stake``, twice what it was."""

    stake: int
    balance: int
    type: Literal["hand_doubled"] = "hand_doubled"


@dataclass(slots=True)
class HandStood(HandEvent):
    """A hand stands."""

    total: int
    by: By
    type: Literal["hand_stood"] = "hand_stood"


@dataclass(slots=True)
class HandReached21(HandEvent):
    """A hand has 21 and is complete."""

    natural: bool
    """An ace and a ten-value as the first two cards, not after a split."""
    type: Literal["hand_reached_21"] = "hand_reached_21"


@dataclass(slots=True)
class HandReachedCharlie(HandEvent):
    """A hand has so many cards without a bust that it wins."""

    type: Literal["hand_reached_charlie"] = "hand_reached_charlie"


@dataclass(slots=True)
class HandSurrendered(HandEvent):
    """A hand is given up for half of its stake."""

    type: Literal["hand_surrendered"] = "hand_surrendered"


@dataclass(slots=True)
class HandGivenUp(HandEvent):
    """A hand is given up, and lost."""

    type: Literal["hand_given_up"] = "hand_given_up"


@dataclass(slots=True)
class EvenMoneyTaken(HandEvent):
    """A natural will be settled at even money."""

    type: Literal["even_money_taken"] = "even_money_taken"


@dataclass(slots=True)
class AcesValued(HandEvent):
    """A player has said how the aces of a hand count: 11 if ``high``, else 1."""

    high: bool
    total: int
    type: Literal["aces_valued"] = "aces_valued"


@dataclass(slots=True)
class DealerPeeked:
    """The dealer has looked for a blackjack; with one, nobody plays on."""

    blackjack: bool
    type: Literal["dealer_peeked"] = "dealer_peeked"


@dataclass(slots=True)
class HandBusted(HandEvent):
    """A hand has more than 21."""

    total: int
    type: Literal["hand_busted"] = "hand_busted"


@dataclass(slots=True)
class HoleRevealed:
    """The dealer has turned the hole card."""

    card: str
    total: int
    soft: bool
    type: Literal["hole_revealed"] = "hole_revealed"


@dataclass(slots=True)
class DealerStood:
    """The dealer draws no more."""

    total: int
    blackjack: bool
    type: Literal["dealer_stood"] = "dealer_stood"


@dataclass(slots=True)
class DealerBusted:
    """The dealer has more than 21."""

    total: int
    type: Literal["dealer_busted"] = "dealer_busted"


@dataclass(slots=True)
class InsuranceSettled(HandEvent):
    """An insurance is won (``payout`` has the wager in it) or lost."""

    outcome: Outcome
    amount: int
    payout: int
    balance: int
    type: Literal["insurance_settled"] = "insurance_settled"


@dataclass(slots=True)
class HandSettled(HandEvent):
    """A hand is won, lost or pushed; ``payout`` has the returned stake in it."""

    outcome: Outcome
    reason: SettleReason
    stake: int
    payout: int
    balance: int
    type: Literal["hand_settled"] = "hand_settled"


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
