"""The interface of a strategy, and the cards and hands that it gets to see.

A strategy has three methods, and may have six more. The methods get copies only.
``hand`` is the hand that is to be decided; ``bank`` the player's money; ``dealer_up`` a
list of the dealer's one upcard, empty in a house whose dealer is dealt last;
``cards_dealt`` every card that has been seen face up since the last shuffle, oldest
first: those of this table's other players, of the hand and of the dealer too. The hole
card is not in it before it is turned.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from bj_game.house import House

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


Cards = list[Card]
"""A list of cards that is a copy, so that a strategy may do with it what it likes."""


class PlayerBank:
    """A copy of the money that a player has, and has at risk.

    >>> print(PlayerBank(90, 10))
    bet 10 balance 90
    """

    def __init__(self, balance: int, wager: int = 0) -> None:
        """Note the free ``balance`` and the ``wager`` of this round, in dollars."""
        self._balance = balance
        self._bets_placed = wager

    def get_balance(self) -> int:
        """Return what is free to wager, in whole dollars, rounded down."""
        return self._balance

    def get_wager(self) -> int:
        """Return all that is wagered in this round, on every hand of the player."""
        return self._bets_placed

    def __str__(self) -> str:
        """Return the money, as the game summary of the text has it."""
        return f"bet {self._bets_placed} balance {self._balance}"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """All that can be seen from the seat. It is a copy."""

    cards_seen: Cards
    """Every card seen face up since the shuffle, oldest first, the last round's too."""
    cards_left: int | None
    """In the shoe; None in an endless one."""
    is_shuffled: bool
    """Whether the shoe has been shuffled since the view before."""
    house: House | None
    """The rules; None where this client does not know all of them."""
    last_result: int | None
    """Cents won in the last round with a hand, insurance included, less those lost;
    None before the first."""

    @property
    def decks_left(self) -> float | None:
        """The packs of 52 cards that are left in the shoe; None in an endless one."""
        return None if self.cards_left is None else self.cards_left / 52


REQUIRED_METHODS = ("place_bet", "use_ace_hi", "want_card")
"""The methods that a class must have to be a strategy."""


class Player(Protocol):
    """A strategy (``specs/cs220.txt``, "Interface Player")."""

    def place_bet(self, balance: int) -> int:
        """Return the bet on the coming round, in whole dollars; 0 sits it out.

        ``balance`` is what is free to wager, in whole dollars.
        """
        ...

    def use_ace_hi(self, hand: Hand) -> bool:
        """Return whether the aces of ``hand`` shall count 11, and not 1.

        Asked only in houses where that is the player's choice.
        """
        ...

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return True to hit, and False to stand."""
        ...


class FullPlayer(Player, Protocol):
    """A strategy with all that it may have besides; each of these may be left out."""

    def observe(self, view: View) -> None:
        """Take note of a view; it comes before each bet and each decision."""
        ...

    def want_to_leave(self, balance: int) -> bool:
        """Return whether to leave instead of betting; it is asked before each bet."""
        ...

    def want_surrender(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether to give the hand up for half of its stake."""
        ...

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether to double the stake for exactly one more card."""
        ...

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether to make two hands of a pair, for a second stake."""
        ...

    def want_insurance(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> int:
        """Return the wager on the dealer's blackjack in whole dollars; 0 for none."""
        ...
