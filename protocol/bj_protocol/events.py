"""Events: what has happened at the table, in the past tense and in order.

Those of a round are the game's own, of ``bj_game.event``; here are those around it.
Everyone at a table receives the same events. They carry totals and balances, so a
client shows the table without knowing the rules. All money is in cents; ``balance``
is what the player is free to wager after the event.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, GetCoreSchemaHandler, GetPydanticSchema
from pydantic_core import CoreSchema

from bj_game.event import *  # they are events of the table as they are
from bj_protocol.action import AS_TEXT, By
from bj_protocol.model import (
    CARD_PATTERN,
    MOST_SEATS,
    CardCounts,
    Cards,
    Hex,
    Model,
    SeatNumber,
)
from bj_protocol.views import ClosedBet, Presence, SeatLink


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


def _bounded(union: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return how events are read: the game's, too, have cards and seats of the wire.

    Their type comes first, and their enumerations are written as the texts they are.
    """
    schema = handler(union)
    bounds = {"card": {"pattern": CARD_PATTERN}, "seat": {"ge": 0, "le": MOST_SEATS}}
    for choice in schema["choices"]:
        kind = handler.resolve_ref_schema(choice)
        if kind["type"] == "dataclass":
            for fields in (kind["fields"], kind["schema"]["fields"]):
                fields.insert(0, fields.pop())
            for field in kind["schema"]["fields"]:
                field["schema"] |= bounds.get(field["name"], {})
                if handler.resolve_ref_schema(field["schema"])["type"] == "enum":
                    field["schema"] |= AS_TEXT
    return schema


Coming = PlayerJoined | PlayerLeft | PresenceChanged
Bets = BettingOpened | BetPlaced | BetReturned | SatOut | GiftGiven | BetsClosed
Deal = ShoeShuffled | RoundBegan | RoundEvent | RoundEnded | RoundVoided
Speech = Announced | Proclaimed | Said

Event = Annotated[
    Coming | Bets | Deal | Speech,
    GetPydanticSchema(_bounded),
    Field(discriminator="type"),
]
"""Everything that can happen at a table."""
