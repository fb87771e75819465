"""The cut: what everyone at a table may see of how its shoe came about.

``docs/fairness.md`` says what it proves, and how to check it.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from bj_protocol.model import Model, SeatNumber

__all__ = ["CommittedCut", "Cut", "CutStep", "Hex", "StreamView"]

Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""32 bytes, a secret or a SHA-256, in lower-case hexadecimal."""


class CutStep(StrEnum):
    """How far a stream of random numbers has come."""

    COMMIT = "commit"
    """Players commit to their nonces."""
    REVEAL = "reveal"
    """All commitments were shown, and players reveal."""
    CUT = "cut"
    """It is fixed, and shoes are shuffled from it."""


class CommittedCut(Model):
    """A player's commitment to a nonce."""

    seat: SeatNumber
    handle: str
    sha256: Hex


class Cut(Model):
    """A player's nonce, which is in the stream."""

    seat: SeatNumber
    handle: str
    nonce: Hex


class StreamView(Model):
    """The stream of random numbers behind the shoe."""

    step: CutStep
    seed_sha256: Hex
    """The server's commitment to its seed, which is told when the stream ends."""
    committed: tuple[CommittedCut, ...] = ()
    """Empty while commitments are still taken."""
    cuts: tuple[Cut, ...] = ()
    """Empty before the stream is fixed."""
    words: int = Field(default=0, ge=0)
    """The words that were drawn from it before the shoe on the table was shuffled; for
    a shoe without end, before the next card."""
    lefts: tuple[int, ...] = ()
    """The cards that were left at each shuffle by hand of this shoe."""
    discards: int | None = None
    """The discards that were shuffled in this round, when the shoe was empty."""
