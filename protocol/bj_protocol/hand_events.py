"""Events of the hands of a round, the dealer's among them."""

from typing import Literal

from bj_protocol.action import By, SettleReason
from bj_protocol.model import CardText, Model, SeatNumber
from bj_protocol.views import Outcome


class CardDealt(Model):
    """A card went to a hand; seat 0 is the dealer."""

    type: Literal["card_dealt"] = "card_dealt"
    seat: SeatNumber
    hand: int
    card: CardText
    total: int
    """Of the hand's cards that are face up."""
    soft: bool


class HandSplit(Model):
    """A pair became two hands: ``hand`` and ``new_hand``, each with ``stake``."""

    type: Literal["hand_split"] = "hand_split"
    seat: SeatNumber
    hand: int
    new_hand: int
    stake: int
    balance: int


class SplitDeclined(Model):
    """A pair stays together."""

    type: Literal["split_declined"] = "split_declined"
    seat: SeatNumber
    hand: int
    by: By


class HandInsured(Model):
    """A hand is insured against the dealer's blackjack."""

    type: Literal["hand_insured"] = "hand_insured"
    seat: SeatNumber
    hand: int
    amount: int
    balance: int


class OfferDeclined(Model):
    """A hand took nothing of what was offered before its play."""

    type: Literal["offer_declined"] = "offer_declined"
    seat: SeatNumber
    hand: int
    by: By


class HandDoubled(Model):
    """A hand's stake is now ``stake``, twice what it was."""

    type: Literal["hand_doubled"] = "hand_doubled"
    seat: SeatNumber
    hand: int
    stake: int
    balance: int


class HandStood(Model):
    """A hand stands."""

    type: Literal["hand_stood"] = "hand_stood"
    seat: SeatNumber
    hand: int
    total: int
    by: By


class HandReached21(Model):
    """A hand has 21 and is complete."""

    type: Literal["hand_reached_21"] = "hand_reached_21"
    seat: SeatNumber
    hand: int
    natural: bool
    """An ace and a ten-value as the first two cards, not after a split."""


class HandReachedCharlie(Model):
    """A hand has so many cards without a bust that it wins."""

    type: Literal["hand_reached_charlie"] = "hand_reached_charlie"
    seat: SeatNumber
    hand: int


class HandSurrendered(Model):
    """A hand is given up for half of its stake."""

    type: Literal["hand_surrendered"] = "hand_surrendered"
    seat: SeatNumber
    hand: int


class HandGivenUp(Model):
    """A hand is given up, and lost."""

    type: Literal["hand_given_up"] = "hand_given_up"
    seat: SeatNumber
    hand: int


class EvenMoneyTaken(Model):
    """A natural will be settled at even money."""

    type: Literal["even_money_taken"] = "even_money_taken"
    seat: SeatNumber
    hand: int


class AcesValued(Model):
    """A player has said how the aces of a hand count: 11 if ``high``, else 1."""

    type: Literal["aces_valued"] = "aces_valued"
    seat: SeatNumber
    hand: int
    high: bool
    total: int


class DealerPeeked(Model):
    """The dealer has looked for a blackjack; with one, nobody plays on."""

    type: Literal["dealer_peeked"] = "dealer_peeked"
    blackjack: bool


class HandBusted(Model):
    """A hand has more than 21."""

    type: Literal["hand_busted"] = "hand_busted"
    seat: SeatNumber
    hand: int
    total: int


class HoleRevealed(Model):
    """The dealer has turned the hole card."""

    type: Literal["hole_revealed"] = "hole_revealed"
    card: CardText
    total: int
    soft: bool


class DealerStood(Model):
    """The dealer draws no more."""

    type: Literal["dealer_stood"] = "dealer_stood"
    total: int
    blackjack: bool


class DealerBusted(Model):
    """The dealer has more than 21."""

    type: Literal["dealer_busted"] = "dealer_busted"
    total: int


class InsuranceSettled(Model):
    """An insurance is won (``payout`` has the wager in it) or lost."""

    type: Literal["insurance_settled"] = "insurance_settled"
    seat: SeatNumber
    hand: int
    outcome: Outcome
    amount: int
    payout: int
    balance: int


class HandSettled(Model):
    """A hand is won, lost or pushed; ``payout`` has the returned stake in it."""

    type: Literal["hand_settled"] = "hand_settled"
    seat: SeatNumber
    hand: int
    outcome: Outcome
    reason: SettleReason
    stake: int
    payout: int
    balance: int
