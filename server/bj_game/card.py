"""Cards: fifty-two of them, each one object, written as text such as ``As``."""

from dataclasses import dataclass, field

HIDDEN = "??"
"""In the place of a card that lies face down."""

RANKS = "23456789TJQKA"
SUITS = "shdc"

_VALUES = dict(zip(RANKS, (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A playing card.

    ``rank`` is one of ``RANKS`` (``T`` is ten), ``suit`` one of ``SUITS``. ``value`` is
    its points, an ace counting 1 (``specs/cpsc386.txt``, "Rules").
    """

    rank: str
    suit: str
    value: int = field(init=False, compare=False, repr=False)
    place: int = field(init=False, compare=False, repr=False)
    """The place of the card in ``PACK``."""
    text: str = field(init=False, compare=False, repr=False)
    """The card as it is written."""
    is_ace: bool = field(init=False, compare=False, repr=False)
    """Whether the card may count 11."""

    def __post_init__(self) -> None:
        """Look all up once; hands are added up, and shoes counted, all the time."""
        value = _VALUES[self.rank]
        looked_up = {
            "value": value,
            "place": SUITS.index(self.suit) * len(RANKS) + RANKS.index(self.rank),
            "text": self.rank + self.suit,
            "is_ace": value == 1,
        }
        for name, found in looked_up.items():
            object.__setattr__(self, name, found)

    def __str__(self) -> str:
        """Return the text of the card, as in ``Td``."""
        return self.text


PACK = tuple(Card(rank=rank, suit=suit) for suit in SUITS for rank in RANKS)
"""One pack of 52, in order."""

CARDS = {card.text: card for card in PACK}
"""Each card by its text."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written with spaces between, as a test writes a stacked shoe.

    Raises:
        ValueError: if a word is no card; the message names it.

    >>> [str(card) for card in parse_cards("As 9d Kh 7c")]
    ['As', '9d', 'Kh', '7c']
    """
    words = text.split()
    for word in words:
        if word not in CARDS:
            raise ValueError(
                f"{word!r} is not a card: write a rank of {RANKS} and a suit of "
                f"{SUITS}, as in As or Td"
            )
    return tuple(CARDS[word] for word in words)
