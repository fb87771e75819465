"""Views: read-only copies of a table, as everyone there may see it.

A view is complete in itself. It has nothing that is hidden: a face-down card is ``??``,
and no total, flag or count is derived from it.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from bj_game import hand, play
from bj_protocol.action import Action
from bj_protocol.model import Cards, Hex, Model, SeatNumber, Signature


class Phase(StrEnum):
    """The phase of a table."""

    WAITING = "waiting"
    """Nobody is there to bet."""
    BETTING = "betting"
    """Bets for the coming round are taken."""
    CALLING = "calling"
    """The bets are closed, and the links of the players are waited for."""
    PLAYING = "playing"
    """A round is being played."""


class Presence(StrEnum):
    """Whether the player of a seat can be reached."""

    HERE = "here"
    AWAY = "away"
    LEAVING = "leaving"
    """Gone for good; the seat is free once its hands are settled."""


HandState = hand.HandState
Outcome = hand.Outcome
WagerRange = play.WagerRange


class Ask(Model):
    """A question to one seat, with exactly the legal answers."""

    prompt: int
    """The id that the answer names; never used twice at a table."""
    seat: SeatNumber
    hand: int = Field(ge=0)
    """The hand of the seat, from 0."""
    actions: tuple[Action, ...]
    """The ``type`` of each command that is legal now."""
    wager: WagerRange | None = None
    """The range for ``place_bet``, a spot, or ``insure``, where one is offered."""
    spots: int = Field(default=1, ge=1)
    """The most spots that ``place_bet`` may name, if the balance pays for them."""
    gift: int | None = None
    """Cents that ``accept_gift`` brings, where it is offered."""


class Turn(Model):
    """The open asks. Several may be answered in any order."""

    asks: tuple[Ask, ...]
    milliseconds: int | None = Field(ge=0)
    """Time left when the message was sent; then the default answer is taken. None at a
    table without a clock."""


class HandView(Model):
    """One hand of a seat."""

    cards: Cards
    total: int
    soft: bool
    """Whether an ace counts 11 in ``total``."""
    stake: int
    """Cents on the hand, doubling included."""
    insurance: int
    """Cents wagered on the dealer's blackjack, 0 for none."""
    state: HandState


class SeatView(Model):
    """One seat that is taken."""

    seat: SeatNumber
    handle: str
    balance: int
    """Cents that are free to wager; money at risk is not in it."""
    presence: Presence
    bet: int
    """Cents staked on each spot in the coming round while bets are taken; 0 for
    none."""
    spots: int = Field(default=1, ge=1)
    """The spots that are bet on."""
    hands: tuple[HandView, ...]
    """The hands in the running round; empty for a seat that is not in it."""


class DealerView(Model):
    """The dealer's hand; the hole card is ``??`` until it is turned.

    Houses without a hole card show one card until the players have played, or none.
    """

    name: str
    cards: Cards
    total: int | None
    """Of the cards that are face up; None before the deal."""
    soft: bool


class ShoeView(Model):
    """The shoe, as anyone can see it."""

    decks: int
    cards_left: int | None
    """None for a shoe without end."""
    until_cut: int | None
    """Cards before the cut card comes out; 0 once it has, None if there is none."""


class PastKey(Model):
    """A key that the server had, and its word for the one that came after it.

    ``bj_protocol.proof.successor`` has what is signed.
    """

    key: Hex
    signature: Signature


MOST_PAST_KEYS = 16
"""How many keys before its own a server tells."""

MOST_DOORS = 16
"""How many addresses besides its own a server of a fleet has."""

PastKeys = Annotated[tuple[PastKey, ...], Field(max_length=MOST_PAST_KEYS)]
"""The oldest first; the last of them has signed the key of today."""


class FleetView(Model):
    """The fleet of a server, and its word that the server is one of its own.

    ``bj_protocol.proof.member`` has what is signed.
    """

    key: Hex
    """The fleet's public key, by which players know all of its servers."""
    name: str
    """The server's name in the fleet."""
    address: str
    """The address that leads to this server alone."""
    doors: tuple[str, ...] = Field(max_length=MOST_DOORS)
    """The addresses that lead to any server of the fleet."""
    signature: Signature
    past_keys: PastKeys = ()
    """The keys by which players knew the fleet before, or its first server."""


class StartView(Model):
    """What the run of a server of a fleet is made of, beside the server's name.

    ``bj_protocol.proof.run_in_fleet`` makes it.
    """

    journal: str
    """The id of the server's journal."""
    epoch: int = Field(ge=0, lt=2**63)
    """The epoch of the start, above that of all starts of the server before it."""
    salt: Hex
    """What the server drew at this start."""


_OMITTED_IF_NONE = Field(default=None, exclude_if=lambda value: value is None)

OfFleet = Annotated[FleetView | None, _OMITTED_IF_NONE]
"""The fleet of a server; only those that are in one have the field."""

OfStart = Annotated[StartView | None, _OMITTED_IF_NONE]
"""The start of a server of a fleet."""


class StoryView(Model):
    """The key, the run and the head of the story of a table."""

    key: Hex
    """The server's public key, for Ed25519."""
    run: Hex
    """The number that the server drew when it was started."""
    head: Hex
    """The head after the last update in the picture."""
    past_keys: PastKeys = ()
    fleet: OfFleet = None
    start: OfStart = None


class TableView(Model):
    """One table of a server, as the list of tables shows it."""

    name: str
    house: str
    """The name of its rules."""
    title: str
    """The rules in a few words."""
    phase: Phase
    seat_count: int
    handles: tuple[str, ...]
    """The players there, in the order of play; empty at a private table."""
    seats_taken: int
    watchers: int
    minimum_bet: int
    """Cents."""
    maximum_bet: int | None
    """Cents; None for a player's whole balance."""
    private: bool
    """Whether it takes a code to join or watch."""


class HouseView(Model):
    """The rules of the table, as a card for people."""

    name: str
    title: str
    rules: tuple[str, ...]
    """One sentence a rule."""
    minimum_bet: int
    """Cents."""
    terms: dict[str, JsonValue] = Field(default_factory=dict)
    """The same rules for programs, by the names of ``docs/houses.md``."""


class PaceView(Model):
    """How long the table waits, in seconds; None for as long as it takes."""

    bet_seconds: float | None
    insurance_seconds: float | None
    """For an offer of insurance or even money."""
    turn_seconds: float | None
    """For each other decision."""
    hold_seconds: float
    """For a player who has lost the line, before the seat is free again."""


class You(Model):
    """The receiver of a snapshot, by handle and seat."""

    handle: str
    seat: SeatNumber


class ClosedBet(Model):
    """A bet of the coming round, as it was when the bets were closed."""

    seat: SeatNumber
    handle: str
    amount: int
    """Cents on each spot."""
    spots: int = Field(ge=1)
    commitment: Hex | None
    """The hash that binds the player to a link; None for a player who offers no link,
    and is dealt in as unproven."""


class SeatLink(Model):
    """A player's part in the draw."""

    seat: SeatNumber
    link: Hex
