"""The base of everything spoken on the wire, and the few types that recur in it.

Owns strictness: a message has exactly the fields of its model, of exactly their
types, and never changes once built. Knows nothing of sockets or of the rules.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from bj_game import card, money

MAX_WAGER, HIDDEN = money.MAX_WAGER, card.HIDDEN

CARD_PATTERN = r"^([2-9TJQKA][shdc]|\?\?)$"

Cards = tuple[Annotated[str, Field(pattern=CARD_PATTERN)], ...]
"""Cards: rank then suit, as in ``As``, ``Td``, ``9c``; ``??`` is face down."""

MOST_SEATS = 99

SeatNumber = Annotated[int, Field(ge=0, le=MOST_SEATS)]
"""A seat: 1 acts first; 0 is the dealer where an event may speak of either."""

Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""32 bytes, such as a secret or a SHA-256, in lower-case hexadecimal."""

Signature = Annotated[str, Field(pattern="^[0-9a-f]{128}$")]
"""An Ed25519 signature of 64 bytes, in lower-case hexadecimal."""

CardCounts = Annotated[
    tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=52, max_length=52)
]
"""How many of each card there are, from two to ace, first the spades, then the hearts,
the diamonds and the clubs."""


class Model(BaseModel):
    """A value of the protocol: strict, frozen, and without room for extra fields."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
