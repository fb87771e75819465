"""The base of everything spoken on the wire, and the few types that recur in it.

Owns strictness: a message has exactly the fields of its model, of exactly their
types, and never changes once built. Knows nothing of sockets or of the rules.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["MAX_WAGER", "CardText", "Cards", "Model", "SeatNumber"]

MAX_WAGER = 2**53 - 1
"""The largest wager in cents: the largest integer that every JSON reader keeps exact.

Balances may grow beyond it and are still written as exact integers.
"""

_CARD_PATTERN = r"^([2-9TJQKA][shdc]|\?\?)$"

CardText = Annotated[str, Field(pattern=_CARD_PATTERN)]
"""A card: rank then suit, as in ``As``, ``Td``, ``9c``; ``??`` is face down."""

Cards = tuple[CardText, ...]

SeatNumber = Annotated[int, Field(ge=0, le=99)]
"""A seat: 1 acts first; 0 is the dealer where an event may speak of either."""


class Model(BaseModel):
    """A value of the protocol: strict, frozen, and without room for extra fields."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", use_attribute_docstrings=True
    )
