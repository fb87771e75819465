"""Events: what has happened at the table, in the past tense and in order.

Everyone at a table receives the same events. They carry totals and balances, so a
client shows the table without knowing the rules. All money is in cents; ``balance``
is what the player is free to wager after the event.
"""

from typing import Annotated, Literal

from pydantic import Field

from bj_protocol.action import By, SettleReason
from bj_protocol.draw import CardCounts, ClosedBet, Hex, SeatLink
from bj_protocol.model import Cards, CardText, Model, SeatNumber
from bj_protocol.views import Outcome, Presence


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
    seal: Hex | None = None
    """The hash that binds the server to its secret; None where nothing is proven."""


class BetPlaced(Model):
    """A seat has staked on the coming round."""

    type: Literal["bet_placed"] = "bet_placed"
    seat: SeatNumber
    amount: int
    """Cents on each spot."""
    spots: int = Field(default=1, ge=1)
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
    """The anonymous donor has helped a broke player, or the host gives money."""

    type: Literal["gift_given"] = "gift_given"
    seat: SeatNumber
    amount: int
    balance: int
    by_host: bool = False
    """Whether the host has ordered it; that may be at any time, and any amount."""


class BetsClosed(Model):
    """The call: all that the draw depends on, but the secret and the links.

    Players whose clients have committed send their links now. Where nobody has, there
    is no call.
    """

    type: Literal["bets_closed"] = "bets_closed"
    round: int
    seal: Hex
    bets: tuple[ClosedBet, ...]
    left: CardCounts | None
    """The cards in the shoe; None where it has no end, or is a ``deck``."""
    deck: Cards = ()
    """The deck of a house that never refills it, from its top."""
    below_cut: int | None
    """The cards under the cut card; None if it is drawn with the round, or is none."""


class RoundBegan(Model):
    """The deal begins: these seats are dealt in, from the draw of these links."""

    type: Literal["round_began"] = "round_began"
    round: int
    seats: tuple[SeatNumber, ...]
    links: tuple[SeatLink, ...] = ()
    missing: tuple[SeatNumber, ...] = ()
    """The seats whose links did not come in time; their bets went back."""
    until_cut: int | None = None
    """Cards before the cut card comes out; None if there is none."""


class RoundEnded(Model):
    """Everything is settled."""

    type: Literal["round_ended"] = "round_ended"
    round: int
    cards_left: int | None
    until_cut: int | None
    secret: Hex | None = None
    """The secret that the server had sealed; None where nothing is proven."""


class RoundVoided(Model):
    """The round could not be played out; ``bet_returned`` events follow."""

    type: Literal["round_voided"] = "round_voided"
    round: int
    text: str
    cards_left: int | None = None
    """As before the round, like ``until_cut``; None for a shoe without end."""
    until_cut: int | None = None
    secret: Hex | None = None
    """The secret that the server had sealed; None where nothing is proven."""
    missing: tuple[SeatNumber, ...] = ()
    """The seats whose links did not come in time, if that is why."""


class Announced(Model):
    """The table has a sentence for everyone, such as that play pauses, or goes on."""

    type: Literal["announced"] = "announced"
    text: str


class Proclaimed(Model):
    """The host has said something to everyone."""

    type: Literal["proclaimed"] = "proclaimed"
    text: str
    """One line, as harmless as that of ``Said``."""


class Said(Model):
    """A player has said something to everyone."""

    type: Literal["said"] = "said"
    seat: SeatNumber
    handle: str
    text: str
    """One line, without control characters and marks of direction."""


class ShoeShuffled(Model):
    """A new shoe is on the table, shuffled and cut."""

    type: Literal["shoe_shuffled"] = "shoe_shuffled"
    decks: int
    cards: int | None
    """None for a shoe without end."""
    until_cut: int | None
    """None if there is no cut card, or it is placed with the next round."""
    by_hand: bool = False
    """Whether these are the cards that were left, shuffled by hand."""


class CutCardReached(Model):
    """The cut card came out: the shoe is shuffled before the next bets."""

    type: Literal["cut_card_reached"] = "cut_card_reached"


class DiscardsShuffled(Model):
    """The shoe was empty within a round: all cards that are not on the table are in it.

    They come out in an order of their own, and the shoe is shuffled anew before the
    next bets.
    """

    type: Literal["discards_shuffled"] = "discards_shuffled"
    cards: int


class HandEvent(Model):
    """An event of one hand; seat 0 is the dealer."""

    type: str
    seat: SeatNumber
    hand: int


class CardDealt(HandEvent):
    """A card went to a hand; seat 0 is the dealer."""

    type: Literal["card_dealt"] = "card_dealt"
    card: CardText
    total: int
    """Of the hand's cards that are face up."""
    soft: bool


class HandSplit(HandEvent):
    """A pair became two hands: ``hand`` and ``new_hand``, each with ``stake``."""

    type: Literal["hand_split"] = "hand_split"
    new_hand: int
    stake: int
    balance: int


class SplitDeclined(HandEvent):
    """A pair stays together."""

    type: Literal["split_declined"] = "split_declined"
    by: By


class HandInsured(HandEvent):
    """A hand is insured against the dealer's blackjack."""

    type: Literal["hand_insured"] = "hand_insured"
    amount: int
    balance: int


class OfferDeclined(HandEvent):
    """A hand took nothing of what was offered before its play."""

    type: Literal["offer_declined"] = "offer_declined"
    by: By


class HandDoubled(HandEvent):
    """A hand's stake is now ``stake``, twice what it was."""

    type: Literal["hand_doubled"] = "hand_doubled"
    stake: int
    balance: int


class HandStood(HandEvent):
    """A hand stands."""

    type: Literal["hand_stood"] = "hand_stood"
    total: int
    by: By


class HandReached21(HandEvent):
    """A hand has 21 and is complete."""

    type: Literal["hand_reached_21"] = "hand_reached_21"
    natural: bool
    """An ace and a ten-value as the first two cards, not after a split."""


class HandReachedCharlie(HandEvent):
    """A hand has so many cards without a bust that it wins."""

    type: Literal["hand_reached_charlie"] = "hand_reached_charlie"


class HandSurrendered(HandEvent):
    """A hand is given up for half of its stake."""

    type: Literal["hand_surrendered"] = "hand_surrendered"


class HandGivenUp(HandEvent):
    """A hand is given up, and lost."""

    type: Literal["hand_given_up"] = "hand_given_up"


class EvenMoneyTaken(HandEvent):
    """A natural will be settled at even money."""

    type: Literal["even_money_taken"] = "even_money_taken"


class AcesValued(HandEvent):
    """A player has said how the aces of a hand count: 11 if ``high``, else 1."""

    type: Literal["aces_valued"] = "aces_valued"
    high: bool
    total: int


class DealerPeeked(Model):
    """The dealer has looked for a blackjack; with one, nobody plays on."""

    type: Literal["dealer_peeked"] = "dealer_peeked"
    blackjack: bool


class HandBusted(HandEvent):
    """A hand has more than 21."""

    type: Literal["hand_busted"] = "hand_busted"
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


class InsuranceSettled(HandEvent):
    """An insurance is won (``payout`` has the wager in it) or lost."""

    type: Literal["insurance_settled"] = "insurance_settled"
    outcome: Outcome
    amount: int
    payout: int
    balance: int


class HandSettled(HandEvent):
    """A hand is won, lost or pushed; ``payout`` has the returned stake in it."""

    type: Literal["hand_settled"] = "hand_settled"
    outcome: Outcome
    reason: SettleReason
    stake: int
    payout: int
    balance: int


Coming = PlayerJoined | PlayerLeft | PresenceChanged
Bets = BettingOpened | BetPlaced | BetReturned | SatOut | GiftGiven | BetsClosed
Deal = ShoeShuffled | RoundBegan | CardDealt
Offers = HandSplit | SplitDeclined | HandInsured | OfferDeclined | HandDoubled
Stops = HandStood | HandReached21 | HandReachedCharlie | HandSurrendered | HandGivenUp
Hands = Offers | Stops | EvenMoneyTaken | AcesValued | HandBusted
Dealers = DealerPeeked | HoleRevealed | DealerStood | DealerBusted
Ends = InsuranceSettled | HandSettled | CutCardReached | DiscardsShuffled
Speech = Announced | Proclaimed | Said

Event = Annotated[
    Coming | Bets | Deal | Hands | Dealers | Ends | RoundEnded | RoundVoided | Speech,
    Field(discriminator="type"),
]
"""Everything that can happen at a table."""
