"""Cards, hands and seats: as the table model keeps them, and as people see them.

Cards have suit symbols where the output has them, and letters elsewhere. Hands and
seats change as events come in. Our own seats know how they have fared, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bj_protocol.events import HandSettled, InsuranceSettled
from bj_protocol.model import HIDDEN
from bj_protocol.recall import PastRound, RoundEnd
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


@dataclass(frozen=True, slots=True)
class Judged:
    """A play that a person chose, held against the best one."""

    kind: str
    """The kind of hand, as in ``hard 16 against 10``."""
    play: str
    """What was done, as in ``split``."""
    best: str
    """What is worth most."""
    cost: int
    """The cents by which the play is worth less, on average; 0 for the best."""


@dataclass(slots=True)
class Score:
    """The results of one seat since it sat down."""

    rounds: int = 0
    """Rounds in which the seat had a hand."""
    won: int = 0
    lost: int = 0
    pushed: int = 0
    net: int = 0
    """Cents won less cents lost, insurance included, gifts not."""
    last_net: int | None = None
    """Cents won less cents lost in the last round that counts; None before one."""
    best: int = 0
    decisions: dict[int, bool | None] = field(default_factory=dict)
    """Whether each play that a person chose was that of basic strategy, by prompt;
    None where that has nothing to say. Empty for a bot."""
    judged: dict[int, Judged] = field(default_factory=dict)
    """Those of them that could be judged, by prompt, the last one last."""

    @property
    def last_judged(self) -> Judged | None:
        """The last play that could be judged; None before one."""
        return next(reversed(self.judged.values()), None)

    @property
    def score(self) -> int:
        """Hands won minus hands lost."""
        return self.won - self.lost

    def count(self, outcome: Outcome, net: int) -> None:
        """Count a hand that has ended so, and what it has won or lost."""
        match outcome:
            case Outcome.WIN:
                self.won += 1
            case Outcome.LOSE:
                self.lost += 1
            case Outcome.PUSH:
                self.pushed += 1
        self.net += net
        self.best = max(self.best, net)


@dataclass(slots=True)
class OwnSeat:
    """One of the seats that are played at this keyboard."""

    handle: str
    seat: Seat
    """As it was last known, once it is given up."""
    record: Score = field(default_factory=Score)
    has_played: bool = False
    """Whether a hand was settled in the round that is not over yet."""
    net_before: int = 0
    """The net of the record before that round."""
    last_round: int = 0

    @property
    def has_money_in_play(self) -> bool:
        """Whether there is a bet, or a hand that is not settled."""
        return bool(self.seat.bet or self.seat.at_risk)

    def settle(self, event: HandSettled | InsuranceSettled) -> None:
        """Count a settlement of this seat; insurance moves money and no score."""
        match event:
            case HandSettled():
                self.record.count(event.outcome, event.payout - event.stake)
                self.has_played = True
            case InsuranceSettled():
                self.record.net += event.payout - event.amount

    def close_round(self, number: int, *, counts: bool) -> bool:
        """Close a round; tell whether it counts as one that this seat has played."""
        self.last_round = number
        played, self.has_played = counts and self.has_played, False
        self.record.rounds += played
        if played:
            self.record.last_net = self.record.net - self.net_before
        self.net_before = self.record.net
        return played

    def play_past(self, past: PastRound) -> bool:
        """Count a round as the bank has it; tell whether it was not counted before."""
        if past.round <= self.last_round:
            return False
        for hand in past.hands:
            if hand.insured is not None:
                self.record.net += hand.insured.payout - hand.insured.amount
            if hand.outcome is not None:
                self.record.count(hand.outcome, hand.payout - hand.stake)
        self.has_played = True
        self.close_round(past.round, counts=past.end is RoundEnd.SETTLED)
        return True
