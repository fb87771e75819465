"""Cards as a strategy sees them: named tuples of words, as in ``specs/cs220.txt``."""

from typing import NamedTuple, Self

_RANKS = {"T": "10"}
_LETTERS = {"10": "T"}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_POINTS = {"A": 1, "J": 10, "Q": 10, "K": 10}


class Card(NamedTuple):
    """A card that lies face up.

    ``rank`` is one of 2 to 10, J, Q, K and A, as text; ``suit`` is spades, hearts,
    diamonds or clubs.

    >>> Card.read("6c")
    Card(rank='6', suit='clubs')
    >>> Card("10", "diamonds").points, Card("A", "spades").points
    (10, 1)
    """

    rank: str
    suit: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the card that is written as ``text``, such as ``Td``."""
        return cls(_RANKS.get(text[0], text[0]), _SUITS[text[1]])

    @property
    def text(self) -> str:
        """The card in two letters, such as ``Td``."""
        return _LETTERS.get(self.rank, self.rank) + self.suit[0]

    @property
    def points(self) -> int:
        """What the card counts, an ace 1."""
        return _POINTS.get(self.rank) or int(self.rank)
