"""Events: all that happens in a round, in the past tense, nothing hidden.

Seat 0 is the dealer. Money is in cents; ``funds`` is what the player is free to wager
after the event. A total counts only the cards that lie face up.
"""

from dataclasses import dataclass

from bj_game.card import Card
from bj_game.hand import Total
from bj_game.play import Decider
from bj_game.settlement import Outcome, Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDealt:
    """A card went to a hand; only the dealer's hole card is not ``face_up``."""

    seat: int
    hand: int
    card: Card
    face_up: bool
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardReached:
    """The cut card came out of the shoe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardsShuffled:
    """The shoe was empty; the ``cards`` of the rounds before are in it again."""

    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitDeclined:
    """A pair stays together."""

    seat: int
    hand: int
    by: Decider


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSplit:
    """A pair became two hands with ``stake`` each; ``new_hand`` cost another stake."""

    seat: int
    hand: int
    new_hand: int
    stake: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInsured:
    """``amount`` was wagered on the dealer's blackjack."""

    seat: int
    hand: int
    amount: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDeclined:
    """A hand took nothing of what was offered before its play."""

    seat: int
    hand: int
    by: Decider


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDoubled:
    """The stake is now ``stake``, of which half is new."""

    seat: int
    hand: int
    stake: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStood:
    """A hand stands on its total."""

    seat: int
    hand: int
    total: Total
    by: Decider


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReached21:
    """A hand has 21 and is complete."""

    seat: int
    hand: int
    natural: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReachedCharlie:
    """A hand has so many cards without a bust that it wins at once."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSurrendered:
    """A hand is given up for half of its stake."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandGivenUp:
    """A hand is given up, and lost."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenMoneyTaken:
    """A natural is settled at even money, whatever the dealer has."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AcesValued:
    """A player has said how the aces of a hand count: 11 if ``high``, else 1."""

    seat: int
    hand: int
    high: bool
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerPeeked:
    """The dealer has looked for a blackjack; with one, the round is over."""

    blackjack: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBusted:
    """A hand is over 21 and lost."""

    seat: int
    hand: int
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleRevealed:
    """The dealer turned the hole card; ``total`` is now of both."""

    card: Card
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerStood:
    """The dealer draws no more."""

    total: Total
    blackjack: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerBusted:
    """The dealer is over 21."""

    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class InsuranceSettled:
    """An insurance of ``amount`` ended; ``payout`` has the wager in it."""

    seat: int
    hand: int
    outcome: Outcome
    amount: int
    payout: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled:
    """A hand ended; ``payout`` has the returned stake in it."""

    seat: int
    hand: int
    outcome: Outcome
    ruling: Ruling
    stake: int
    payout: int
    funds: int


Event = (
    CardDealt
    | CutCardReached
    | DiscardsShuffled
    | SplitDeclined
    | HandSplit
    | HandInsured
    | OfferDeclined
    | HandDoubled
    | HandStood
    | HandReached21
    | HandReachedCharlie
    | HandSurrendered
    | HandGivenUp
    | EvenMoneyTaken
    | AcesValued
    | HandBusted
    | DealerPeeked
    | HoleRevealed
    | DealerStood
    | DealerBusted
    | InsuranceSettled
    | HandSettled
)
"""Everything that can happen in a round."""
