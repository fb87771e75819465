"""Events: all that happens in a round, in the past tense, nothing hidden.

Seat 0 is the dealer. Money is in cents; ``funds`` is what the player is free to wager
after the event. A total counts only the cards that lie face up.
"""

from dataclasses import dataclass

from bj_game.card import Card
from bj_game.hand import Total
from bj_game.outcome import Outcome, SettleReason
from bj_game.play import By


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEvent:
    """An event of one hand of a seat."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDealt(HandEvent):
    """A card went to a hand; only the dealer's hole card is not ``face_up``."""

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
class SplitDeclined(HandEvent):
    """A pair stays together."""

    by: By


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSplit(HandEvent):
    """A pair became two hands with ``stake`` each; ``new_hand`` cost another stake."""

    new_hand: int
    stake: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInsured(HandEvent):
    """``amount`` was wagered on the dealer's blackjack."""

    amount: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDeclined(HandEvent):
    """A hand took nothing of what was offered before its play."""

    by: By


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDoubled(HandEvent):
    """The stake is now ``stake``, of which half is new."""

    stake: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStood(HandEvent):
    """A hand stands on its total."""

    total: Total
    by: By


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReached21(HandEvent):
    """A hand has 21 and is complete."""

    natural: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReachedCharlie(HandEvent):
    """A hand has so many cards without a bust that it wins at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSurrendered(HandEvent):
    """A hand is given up for half of its stake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandGivenUp(HandEvent):
    """A hand is given up, and lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenMoneyTaken(HandEvent):
    """A natural is settled at even money, whatever the dealer has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcesValued(HandEvent):
    """A player has said how the aces of a hand count: 11 if ``high``, else 1."""

    high: bool
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerPeeked:
    """The dealer has looked for a blackjack; with one, the round is over."""

    blackjack: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBusted(HandEvent):
    """A hand is over 21 and lost."""

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
class InsuranceSettled(HandEvent):
    """An insurance of ``amount`` ended; ``payout`` has the wager in it."""

    outcome: Outcome
    amount: int
    payout: int
    funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled(HandEvent):
    """A hand ended; ``payout`` has the returned stake in it."""

    outcome: Outcome
    ruling: SettleReason
    stake: int
    payout: int
    funds: int


Offers = HandSplit | SplitDeclined | HandInsured | OfferDeclined | HandDoubled
Stops = HandStood | HandReached21 | HandReachedCharlie | HandSurrendered | HandGivenUp
Values = EvenMoneyTaken | AcesValued | HandBusted
Dealers = DealerPeeked | HoleRevealed | DealerStood | DealerBusted
Shoes = CardDealt | CutCardReached | DiscardsShuffled

Event = Shoes | Offers | Stops | Values | Dealers | InsuranceSettled | HandSettled
"""Everything that can happen in a round."""
