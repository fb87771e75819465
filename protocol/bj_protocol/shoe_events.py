"""What happens to the shoe on the table."""

from typing import Literal

from bj_protocol.model import Model


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
