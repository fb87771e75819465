"""Events: what has happened at the table, in the past tense and in order.

Everyone at a table receives the same events. They carry totals and balances, so a
client shows the table without knowing the rules. All money is in cents; ``balance``
is what the player is free to wager after the event.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from bj_protocol.model import CardText, Model, SeatNumber
from bj_protocol.views import Outcome, Presence

__all__ = [
    "AcesValued",
    "BetPlaced",
    "BetReturned",
    "BettingOpened",
    "By",
    "CardDealt",
    "CutCardReached",
    "DealerBusted",
    "DealerPeeked",
    "DealerStood",
    "EvenMoneyTaken",
    "Event",
    "GiftGiven",
    "HandBusted",
    "HandDoubled",
    "HandInsured",
    "HandReached21",
    "HandReachedCharlie",
    "HandSettled",
    "HandSplit",
    "HandStood",
    "HandSurrendered",
    "HoleRevealed",
    "InsuranceSettled",
    "OfferDeclined",
    "PlayerJoined",
    "PlayerLeft",
    "PresenceChanged",
    "RoundBegan",
    "RoundEnded",
    "RoundVoided",
    "SatOut",
    "SettleReason",
    "ShoeShuffled",
    "SplitDeclined",
]


class By(StrEnum):
    """Who decided."""

    PLAYER = "player"
    CLOCK = "clock"
    """The time was up."""
    ABSENCE = "absence"
    """The player was away or had left."""
    RULES = "rules"
    """There was nothing to decide."""


class SettleReason(StrEnum):
    """The rule that settled a hand."""

    BUSTED = "busted"
    BOTH_BUSTED = "both_busted"
    """Hand and dealer are bust, which is a tie in this house."""
    SURRENDERED = "surrendered"
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


class PlayerJoined(Model):
    """A player has sat down."""

    type: Literal["player_joined"] = "player_joined"
    seat: SeatNumber
    handle: str
    balance: int


class PlayerLeft(Model):
    """A seat is free again."""

    type: Literal["player_left"] = "player_left"
    seat: SeatNumber
    handle: str


class PresenceChanged(Model):
    """A player dropped off the line, came back, or is about to leave."""

    type: Literal["presence_changed"] = "presence_changed"
    seat: SeatNumber
    presence: Presence


class BettingOpened(Model):
    """Bets for the round are taken; the cards of the last one are off the table."""

    type: Literal["betting_opened"] = "betting_opened"
    round: int


class BetPlaced(Model):
    """A seat has staked on the coming round."""

    type: Literal["bet_placed"] = "bet_placed"
    seat: SeatNumber
    amount: int
    balance: int


class BetReturned(Model):
    """All that a seat had at risk has come back to it."""

    type: Literal["bet_returned"] = "bet_returned"
    seat: SeatNumber
    amount: int
    balance: int


class SatOut(Model):
    """A seat lets the coming round pass."""

    type: Literal["sat_out"] = "sat_out"
    seat: SeatNumber
    by: By


class GiftGiven(Model):
    """The anonymous donor has helped a broke player."""

    type: Literal["gift_given"] = "gift_given"
    seat: SeatNumber
    amount: int
    balance: int


class ShoeShuffled(Model):
    """A new shoe is on the table, shuffled and cut."""

    type: Literal["shoe_shuffled"] = "shoe_shuffled"
    decks: int
    cards: int | None
    """None for a shoe without end."""
    until_cut: int | None
    """None if there is no cut card."""


class RoundBegan(Model):
    """The bets are closed and the deal begins."""

    type: Literal["round_began"] = "round_began"
    round: int
    seats: tuple[SeatNumber, ...]


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


class CutCardReached(Model):
    """The cut card came out: the shoe is shuffled before the next bets."""

    type: Literal["cut_card_reached"] = "cut_card_reached"


class RoundEnded(Model):
    """Everything is settled."""

    type: Literal["round_ended"] = "round_ended"
    round: int
    cards_left: int | None
    until_cut: int | None


class RoundVoided(Model):
    """The round could not be played out; ``bet_returned`` events follow."""

    type: Literal["round_voided"] = "round_voided"
    round: int
    text: str


Event = Annotated[
    PlayerJoined
    | PlayerLeft
    | PresenceChanged
    | BettingOpened
    | BetPlaced
    | BetReturned
    | SatOut
    | GiftGiven
    | ShoeShuffled
    | RoundBegan
    | CardDealt
    | HandSplit
    | SplitDeclined
    | HandInsured
    | OfferDeclined
    | HandDoubled
    | HandStood
    | HandReached21
    | HandReachedCharlie
    | HandSurrendered
    | EvenMoneyTaken
    | AcesValued
    | HandBusted
    | DealerPeeked
    | HoleRevealed
    | DealerStood
    | DealerBusted
    | InsuranceSettled
    | HandSettled
    | CutCardReached
    | RoundEnded
    | RoundVoided,
    Field(discriminator="type"),
]
"""Everything that can happen at a table."""
