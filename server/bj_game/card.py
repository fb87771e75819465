"""Cards: fifty-two of them, each one object, written as text such as ``As``."""

from collections.abc import Iterable
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

    def __post_init__(self) -> None:
        """Look both up once; hands are added up, and shoes counted, all the time."""
        object.__setattr__(self, "value", _VALUES[self.rank])
        place = SUITS.index(self.suit) * len(RANKS) + RANKS.index(self.rank)
        object.__setattr__(self, "place", place)

    @property
    def is_ace(self) -> bool:
        """Whether the card may count 11."""
        return self.value == 1

    @property
    def is_ten_valued(self) -> bool:
        """Whether the card is a ten, jack, queen or king."""
        return self.value == 10

    def __str__(self) -> str:
        """Return the text of the card, as in ``Td``."""
        return self.rank + self.suit


PACK = tuple(Card(rank=rank, suit=suit) for suit in SUITS for rank in RANKS)
"""One pack of 52, in order."""

_BY_TEXT = {str(card): card for card in PACK}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written with spaces between, as a test writes a stacked shoe.

    Raises:
        ValueError: if a word is no card; the message names it.

    >>> [str(card) for card in parse_cards("As 9d Kh 7c")]
    ['As', '9d', 'Kh', '7c']
    """
    return tuple(_parse_all(text.split()))


def _parse_all(words: Iterable[str]) -> Iterable[Card]:
    for word in words:
        card = _BY_TEXT.get(word)
        if card is None:
            raise ValueError(
                f"{word!r} is not a card: write a rank of {RANKS} and a suit of "
                f"{SUITS}, as in As or Td"
            )
        yield card
