"""The draw: the public record of how the cards of a round came about.

``docs/fairness.md`` tells what it proves, and how to check it.
"""

from typing import Annotated

from pydantic import Field

from bj_protocol.action import Action, By
from bj_protocol.model import Cards, Model, SeatNumber

Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""32 bytes, such as a secret or a SHA-256, in lower-case hexadecimal."""

Signature = Annotated[str, Field(pattern="^[0-9a-f]{128}$")]
"""An Ed25519 signature of 64 bytes, in lower-case hexadecimal."""

MOST_PAST_KEYS = 16
"""How many keys before its own a server tells."""

MOST_DOORS = 16
"""How many addresses besides its own a server of a fleet has."""

CardCounts = Annotated[
    tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=52, max_length=52)
]
"""How many of each card there are, from two to ace, first the spades, then the hearts,
the diamonds and the clubs."""


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


class PastPlay(Model):
    """A decision of a seat in a past round, in the order of play."""

    seat: SeatNumber
    action: Action
    by: By
    amount: int = 0
    """Cents, of an insurance."""


class PastDraw(Model):
    """All that the cards and results of a past round follow from."""

    secret: Hex
    """The secret that the server had sealed."""
    seal: Hex | None
    """None where a server of before has sealed it, and is gone."""
    head: Hex
    """The head of the story after the call."""
    bets: tuple[ClosedBet, ...]
    links: tuple[SeatLink, ...]
    left: CardCounts | None
    """The cards in the shoe before; None where it has no end, or is a ``deck``."""
    deck: Cards = ()
    """The deck of a house that never refills it, from its top."""
    below_cut: int | None
    """The cards under the cut card; None if it was drawn with the round, or is none."""
    plays: tuple[PastPlay, ...]
