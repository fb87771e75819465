"""Cards as people see them: suit symbols where the output has them, else letters."""

from collections.abc import Iterable
from dataclasses import dataclass

from bj_protocol.model import HIDDEN

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}


@dataclass(frozen=True, slots=True)
class Faces:
    """How cards are written.

    >>> Faces(symbols=True).card("As"), Faces(symbols=False).card("Th")
    ('A♠', '10H')
    """

    symbols: bool

    def card(self, card: str) -> str:
        """Return a card of the wire as people write it; ``??`` stays hidden."""
        if card == HIDDEN:
            return HIDDEN
        suit = card[1]
        mark = _SUITS.get(suit, suit) if self.symbols else suit.upper()
        return f"{rank(card)}{mark}"

    def cards(self, cards: Iterable[str]) -> str:
        """Return several cards with blanks between."""
        return " ".join(self.card(card) for card in cards)


def can_show_suits(encoding: str | None) -> bool:
    """Say whether an output encoding has the four suit symbols."""
    try:
        "♠♥♦♣".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def rank(card: str) -> str:
    """Return a card's rank as people write it: ``10`` for a ten."""
    return "10" if card[0] == "T" else card[0]


def rank_name(card: str) -> str:
    """Return a card's rank as a word.

    >>> rank_name("8s"), rank_name("Ah"), rank_name("Td")
    ('8', 'ace', '10')
    """
    return _RANKS.get(card[0], rank(card))
