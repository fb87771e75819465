"""What happens to the shoe, from the seed it comes from to its last card."""

from typing import Literal

from pydantic import Field

from bj_protocol.cut import CommittedCut, Cut, Hex
from bj_protocol.model import Model, SeatNumber

__all__ = [
    "CutCardReached",
    "CutsCommitted",
    "DiscardsShuffled",
    "SeedCommitted",
    "SeedRevealed",
    "ShoeCut",
    "ShoeShuffled",
]


class SeedCommitted(Model):
    """The server is bound to a seed; clients that cut commit to a nonce now."""

    type: Literal["seed_committed"] = "seed_committed"
    seed_sha256: Hex
    seats: tuple[SeatNumber, ...]
    """Whose commitments are waited for."""


class CutsCommitted(Model):
    """All commitments are here; those who made them reveal their nonces now."""

    type: Literal["cuts_committed"] = "cuts_committed"
    seed_sha256: Hex
    committed: tuple[CommittedCut, ...]
    missing: tuple[SeatNumber, ...]
    """Who was asked and has not committed in time, and so is left out."""


class ShoeCut(Model):
    """The nonces are here, and the stream of the shoes to come is fixed."""

    type: Literal["shoe_cut"] = "shoe_cut"
    seed_sha256: Hex
    cuts: tuple[Cut, ...]
    missing: tuple[SeatNumber, ...]
    """Who has committed and not revealed in time, and so is left out."""


class ShoeShuffled(Model):
    """A new shoe is on the table, shuffled and cut."""

    type: Literal["shoe_shuffled"] = "shoe_shuffled"
    decks: int
    cards: int | None
    """None for a shoe without end."""
    until_cut: int | None
    """None if there is no cut card."""
    words: int | None = Field(default=None, ge=0)
    """The words that were drawn from the stream before; None without a stream."""
    by_hand: bool = False
    """Whether these are the cards that were left, shuffled by hand."""


class CutCardReached(Model):
    """The cut card came out: the shoe is shuffled before the next bets."""

    type: Literal["cut_card_reached"] = "cut_card_reached"


class DiscardsShuffled(Model):
    """The shoe was empty within a round: all cards that are not on the table are in it.

    They come out in an order of their own, and the shoe is shuffled anew before the
    next bets.
    """

    type: Literal["discards_shuffled"] = "discards_shuffled"
    cards: int


class SeedRevealed(Model):
    """A stream has ended, and its seed is told, so that all of it can be checked."""

    type: Literal["seed_revealed"] = "seed_revealed"
    seed_sha256: Hex
    seed: Hex
