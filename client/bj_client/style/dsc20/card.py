"""The cards of ``specs/dsc20.txt``: drawn, in short, and in order."""

from collections.abc import Iterable, Sequence

from bj_client.model.card import Faces
from bj_protocol.model import HIDDEN

_RANKS = "23456789TJQKA"
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
"""From the lowest to the highest, which is the order of the alphabet."""


def row(cards: Iterable[str]) -> str:
    """Return cards of the wire in short, on one line.

    >>> row(["As", "Td", "??"])
    '(A, spades) (10, diamonds) (?, ?)'
    """
    return " ".join(f"({_rank(card)}, {_SUITS.get(card[1], '?')})" for card in cards)


def drawing(cards: Iterable[str], faces: Faces) -> list[str]:
    r"""Return cards as drawings, each below the last with a blank line between.

    They are drawn as in the summary of the text, where a rank has room for two marks.

    >>> print("\n".join(drawing(["Ts", "??"], Faces(symbols=False))))
    ----
    |10  |
    | S  |
    |--10|
    <BLANKLINE>
    ----
    |?   |
    | ?  |
    |--? |
    """
    lines: list[str] = []
    for card in cards:
        rank = _rank(card)
        suit = "?" if card == HIDDEN else faces.card(card)[-1]
        lines += ["", "----", f"|{rank:<4}|", f"| {suit}  |", f"|--{rank:<2}|"]
    return lines[1:]


def in_order(cards: Iterable[str]) -> list[str]:
    """Return face-up cards by rank, two to ace, and by suit, clubs to spades.

    >>> in_order(["As", "2h", "Ac", "Td", "2d"])
    ['2d', '2h', 'Td', 'Ac', 'As']
    """
    suits = list(_SUITS)
    return sorted(cards, key=lambda c: (_RANKS.index(c[0]), suits.index(c[1])))


def shown(cards: Sequence[str]) -> list[str]:
    """Return a hand as it lies there: in order, unless a card of it is hidden."""
    return list(cards) if HIDDEN in cards else in_order(cards)


def _rank(card: str) -> str:
    return "10" if card[0] == "T" else card[0]
