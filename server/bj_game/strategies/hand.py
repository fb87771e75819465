"""Hands as a strategy sees them: copies, with the methods of ``specs/cs220.txt``."""

from collections.abc import Iterable
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
        """The points of the card, an ace 1."""
        return _POINTS.get(self.rank) or int(self.rank)


class Hand:
    """A copy of the cards of one hand, and of its score.

    The table keeps the hand itself; whatever is done to a copy stays with the copy.

    >>> hand = Hand([Card("A", "spades"), Card("6", "clubs")])
    >>> hand.get_score(), hand.score_hand(True), hand.score_hand(False)
    (17, 17, 7)
    >>> print(hand)
    score: 17
    Card(rank='A', suit='spades') Card(rank='6', suit='clubs')
    """

    def __init__(self, cards: Iterable[Card] = (), score: int | None = None) -> None:
        """Copy ``cards``; without a ``score`` it is the best total of them."""
        self._cards = list(cards)
        self._score = self._best_score() if score is None else score

    def get_cards(self) -> list[Card]:
        """Return a list of the cards, a new one each time."""
        return list(self._cards)

    def get_score(self) -> int:
        """Return the score as the table counts it now."""
        return self._score

    def has_ace(self) -> bool:
        """Tell whether there is an ace among the cards."""
        return any(card.rank == "A" for card in self._cards)

    def score_hand(self, ace_hi: bool) -> int:
        """Return what the cards add up to, every ace counting 11, or every ace 1."""
        aces = sum(card.rank == "A" for card in self._cards)
        return sum(card.points for card in self._cards) + (10 * aces if ace_hi else 0)

    def __len__(self) -> int:
        """Return the number of cards."""
        return len(self._cards)

    def __str__(self) -> str:
        """Return the score and the cards, as the game summary of the text has them."""
        return f"score: {self._score}\n{' '.join(map(repr, self._cards))}"

    def _best_score(self) -> int:
        low = self.score_hand(ace_hi=False)
        return low + 10 if self.has_ace() and low <= 11 else low
