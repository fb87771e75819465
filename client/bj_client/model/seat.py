"""Cards, hands and seats: as the table model keeps them, and as people see them.

Cards have suit symbols where the output has them, and letters elsewhere. Hands and
seats change as events come in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bj_protocol.model import HIDDEN
from bj_protocol.views import HandState, HandView, Outcome, Presence, SeatView

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


def faces_in(encoding: str | None, *, ascii_only: bool) -> Faces:
    """Return how cards are written: with suits if an output's encoding has them."""
    try:
        "♠♥♦♣".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Faces(symbols=False)
    return Faces(symbols=not ascii_only)


def rank(card: str) -> str:
    """Return a card's rank as people write it: ``10`` for a ten."""
    return "10" if card[0] == "T" else card[0]


def rank_name(card: str) -> str:
    """Return a card's rank as a word.

    >>> rank_name("8s"), rank_name("Ah"), rank_name("Td")
    ('8', 'ace', '10')
    """
    return _RANKS.get(card[0], rank(card))


@dataclass(slots=True)
class Hand:
    """A hand of a seat, or the dealer's."""

    cards: list[str] = field(default_factory=list)
    total: int = 0
    """Of the face-up cards; 0 while it is not known."""
    soft: bool = False
    stake: int = 0
    insurance: int = 0
    state: HandState = HandState.WAITING
    outcome: Outcome | None = None
    natural: bool = field(default=False, compare=False)
    """Whether it is known to be a blackjack, which a snapshot does not tell."""

    @property
    def value(self) -> str:
        """The total in words, such as ``soft 17``; a hand of 21 that is complete is 21.

        >>> Hand(total=17, soft=True).value
        'soft 17'
        >>> Hand(total=21, soft=True, state=HandState.TWENTY_ONE).value
        '21'
        """
        is_complete = self.natural or self.state is HandState.TWENTY_ONE
        return value_of(self.total, soft=self.soft and not is_complete)


def value_of(total: int, *, soft: bool) -> str:
    """Return a total in words, such as ``soft 17``."""
    return f"soft {total}" if soft else str(total)


@dataclass(slots=True)
class Seat:
    """A taken seat."""

    number: int
    handle: str
    balance: int = 0
    presence: Presence = Presence.HERE
    bet: int = 0
    """Cents on each spot."""
    spots: int = 1
    hands: list[Hand] = field(default_factory=list)

    @property
    def at_risk(self) -> int:
        """Cents on the hands that are not settled."""
        live = (hand for hand in self.hands if hand.outcome is None)
        return sum(hand.stake + hand.insurance for hand in live)


def seat_of(view: SeatView) -> Seat:
    """Return the seat that a view shows."""
    return Seat(
        view.seat,
        view.handle,
        view.balance,
        view.presence,
        view.bet,
        view.spots,
        [_hand(hand) for hand in view.hands],
    )


def _hand(view: HandView) -> Hand:
    return Hand(
        list(view.cards), view.total, view.soft, view.stake, view.insurance, view.state
    )
