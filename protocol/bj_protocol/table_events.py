"""What happens around a round: players, bets, talk, the round itself."""

from typing import Literal

from pydantic import Field

from bj_protocol.cause import By
from bj_protocol.model import Model, SeatNumber
from bj_protocol.views import Presence

__all__ = [
    "Announced",
    "BetPlaced",
    "BetReturned",
    "BettingOpened",
    "GiftGiven",
    "PlayerJoined",
    "PlayerLeft",
    "PresenceChanged",
    "Proclaimed",
    "RoundBegan",
    "RoundEnded",
    "RoundVoided",
    "Said",
    "SatOut",
]


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


class RoundBegan(Model):
    """The bets are closed and the deal begins."""

    type: Literal["round_began"] = "round_began"
    round: int
    seats: tuple[SeatNumber, ...]


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
