"""Events: what has happened at the table, in the past tense and in order.

Everyone at a table receives the same events. They carry totals and balances, so a
client shows the table without knowing the rules. All money is in cents; ``balance``
is what the player is free to wager after the event.
"""

from typing import Annotated

from pydantic import Field

from bj_protocol.action import By, SettleReason
from bj_protocol.hand_events import (
    AcesValued,
    CardDealt,
    DealerBusted,
    DealerPeeked,
    DealerStood,
    EvenMoneyTaken,
    HandBusted,
    HandDoubled,
    HandGivenUp,
    HandInsured,
    HandReached21,
    HandReachedCharlie,
    HandSettled,
    HandSplit,
    HandStood,
    HandSurrendered,
    HoleRevealed,
    InsuranceSettled,
    OfferDeclined,
    SplitDeclined,
)
from bj_protocol.table_events import (
    Announced,
    BetPlaced,
    BetReturned,
    BetsClosed,
    BettingOpened,
    CutCardReached,
    DiscardsShuffled,
    GiftGiven,
    PlayerJoined,
    PlayerLeft,
    PresenceChanged,
    Proclaimed,
    RoundBegan,
    RoundEnded,
    RoundVoided,
    Said,
    SatOut,
    ShoeShuffled,
)

__all__ = [
    "AcesValued",
    "Announced",
    "BetPlaced",
    "BetReturned",
    "BetsClosed",
    "BettingOpened",
    "By",
    "CardDealt",
    "CutCardReached",
    "DealerBusted",
    "DealerPeeked",
    "DealerStood",
    "DiscardsShuffled",
    "EvenMoneyTaken",
    "Event",
    "GiftGiven",
    "HandBusted",
    "HandDoubled",
    "HandGivenUp",
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
    "Proclaimed",
    "RoundBegan",
    "RoundEnded",
    "RoundVoided",
    "Said",
    "SatOut",
    "SettleReason",
    "ShoeShuffled",
    "SplitDeclined",
]

Event = Annotated[
    PlayerJoined
    | PlayerLeft
    | PresenceChanged
    | BettingOpened
    | BetPlaced
    | BetReturned
    | SatOut
    | GiftGiven
    | BetsClosed
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
    | CutCardReached
    | DiscardsShuffled
    | RoundEnded
    | RoundVoided
    | Announced
    | Proclaimed
    | Said,
    Field(discriminator="type"),
]
"""Everything that can happen at a table."""
