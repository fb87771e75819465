"""The deal: one round as it is heard, from the first card to its end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from bj_client.fair.answers import Answers
from bj_client.fair.finding import Finding, Note, Refuted
from bj_client.fair.retelling import Choice, Difference, Retelling
from bj_game.card import PACK, Card
from bj_game.house import House
from bj_game.play import Decider
from bj_game.player import Stake
from bj_game.shoe import Shoe, ShoeEmpty
from bj_protocol import events
from bj_protocol.draw import SeatLink
from bj_protocol.messages import Snapshot
from bj_protocol.views import Turn

_MOST_EVENTS = 20_000
_CARDS = {str(card): card for card in PACK}


class HeardShoe(Shoe):
    """The cards of one round, in a shoe of which no more is known than its size."""

    def __init__(
        self,
        cards: Sequence[Card],
        left: int | None,
        until_cut: int | None,
        decks: int,
    ) -> None:
        """Lay out ``cards``.

        ``left`` and ``until_cut`` are counted before the round, None where the shoe
        has no end, or no cut card.
        """
        super().__init__(cards)
        self._all = 52 * decks
        self._left_before = left
        self._until_before = until_cut

    @property
    def left(self) -> int | None:
        """Cards in the shoe after those that were drawn."""
        return None if self._left_before is None else self._left_before - self.dealt

    @property
    def until_cut(self) -> int | None:
        """Cards above the cut card; None if there is none."""
        if self._until_before is None:
            return None
        return max(0, self._until_before - self.dealt)

    @property
    def just_reached_cut(self) -> bool:
        """Whether the card drawn last was the one above the cut card."""
        return self.dealt == self._until_before

    def refill(self, on_table: int) -> int:
        """Count what is not on the table as left; the cards to come are those heard.

        Raises:
            ShoeEmpty: if everything is on the table.
        """
        discards = self._all - on_table
        if discards <= 0:
            raise ShoeEmpty
        self._left_before = self.dealt + discards
        return discards


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """What a seat has staked on the coming round, in cents."""

    amount: int
    spots: int
    balance: int


@dataclass(slots=True, kw_only=True)
class Deal:
    """A round that runs."""

    number: int
    stakes: tuple[Stake, ...] = ()
    links: tuple[SeatLink, ...] = ()
    left: int | None = None
    """The cards in the shoe before; None if it has no end, or that is not known."""
    until_cut: int | None = None
    """The cards before the cut card, as they were told when the round began."""
    is_whole: bool = True
    """Whether all of it was heard."""
    was_stopped: bool = False
    """Whether the server was started anew since; the host may have given money then."""
    is_left_known: bool = True
    """Whether ``left`` and ``until_cut`` count what is in the shoe for certain."""
    heard: list[events.Event] = field(default_factory=list)
    prompts: list[int | None] = field(default_factory=list)
    """For each event of our seat, what we had been asked before; None if unsure."""
    times: list[float] = field(default_factory=list)
    """For each event, when it was heard, in seconds."""
    turns: dict[int, Turn | None] = field(default_factory=dict)
    """Who was asked what, after so many events."""
    given: Counter[int] = field(default_factory=Counter)
    """The cents that the host has given each seat since the deal."""

    @classmethod
    def of(
        cls, event: events.RoundBegan, bets: Mapping[int, Bet], house: House | None
    ) -> "Deal":
        """Return the round that begins.

        Raises:
            Refuted: if something is wrong with its bets.
        """
        if set(bets) != set(event.seats) or not bets:
            what = "the seats that are dealt to are not those that have bet"
            raise Refuted(what, str(sorted(set(event.seats))), str(sorted(bets)))
        most = 1 if house is None else house.max_spots
        if any(not 1 <= bet.spots <= most for bet in bets.values()):
            raise Refuted("a seat plays more spots than the house has")
        return cls(number=event.round, stakes=stakes_of(bets), links=event.links)

    def hear(self, event: events.Event, prompt: int | None, at: float) -> None:
        """Keep an event of the round, unless there are more than a round can have.

        Balances are kept without what the host gave meanwhile, as the rules have them.
        """
        if len(self.heard) == _MOST_EVENTS:
            self.is_whole = False
            return
        given = self.given[getattr(event, "seat", 0)]
        if given and hasattr(event, "balance"):
            event = event.model_copy(update={"balance": event.balance - given})
        self.heard.append(event)
        self.prompts.append(prompt)
        self.times.append(at)

    @property
    def cards(self) -> tuple[str | None, ...]:
        """The cards that were dealt, in order; None for one never turned."""
        hole = next(
            (e.card for e in self.heard if isinstance(e, events.HoleRevealed)), None
        )
        told = (e.card for e in self.heard if isinstance(e, events.CardDealt))
        turned = None if hole == "??" else hole
        return tuple(turned if card == "??" else card for card in told)

    @property
    def is_shown(self) -> bool:
        """Whether anyone could know by now who wins."""
        ends = events.HoleRevealed | events.HandSettled
        return any(isinstance(event, ends) for event in self.heard)

    @property
    def counts(self) -> tuple[int | None, int | None]:
        """The cards that are left after what was heard, and those before the cut."""
        left, until = self.left, self.until_cut
        for told in self.heard:
            if isinstance(told, events.DiscardsShuffled):
                left = told.cards
            elif isinstance(told, events.CardDealt) and left is not None:
                left -= 1
        return left, None if until is None else max(0, until - len(self.cards))

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture has the cards of the round, unless it was heard in part."""
        if self.number != picture.round or not self.is_whole:
            return self.number == picture.round
        told = {0: Counter(picture.dealer.cards)}
        for view in picture.seats:
            told[view.seat] = Counter(chain(*(hand.cards for hand in view.hands)))
        shown = picture.shoe.cards_left, picture.shoe.until_cut
        is_counted = not self.is_left_known or shown == self.counts
        return is_counted and self._by_seat == {s: c for s, c in told.items() if c}

    @property
    def _by_seat(self) -> dict[int, Counter[str]]:
        """The cards on the table as they lie there, by the seat; 0 is the dealer."""
        told = dict[int, Counter[str]]()
        for event in self.heard:
            if isinstance(event, events.CardDealt):
                told.setdefault(event.seat, Counter())[event.card] += 1
            elif isinstance(event, events.HoleRevealed) and "??" in told.get(0, ()):
                told[0] = told[0] - Counter(["??"]) + Counter([event.card])
        return told

    @property
    def bets(self) -> dict[int, Bet]:
        """The bets as they were before the first card."""
        return {
            stake.seat: Bet(amount=stake.amount, spots=stake.spots, balance=stake.funds)
            for stake in self.stakes
        }

    def joined_by(self, bet: Bet, seat: int) -> "Deal":
        """Return the round as it would begin with another bet."""
        return Deal(number=self.number, stakes=stakes_of(self.bets | {seat: bet}))

    def heard_shoe(self, house: House) -> HeardShoe:
        """Return a shoe with the cards that were told, where no other is known."""
        cards: list[Card] = []
        for text in self.cards:
            # A hole card that is not turned yet gives no blackjack.
            cards.append(_CARDS.get(text or "2s", _CARDS["2s"]))
        return HeardShoe(cards, self.left, self.until_cut, house.decks)

    def retell(self, house: House, shoe: Shoe, *, is_over: bool = True) -> Retelling:
        """Play the round again from a shoe, beside what was told.

        Raises:
            Refuted: if something differs.
        """
        retelling = Retelling(
            house, shoe, self.stakes, self.heard, self.turns, gifts=self.was_stopped
        )
        try:
            retelling.run(is_over=is_over)
        except Difference as differs:
            what = "this is not how the round goes on by the rules"
            if not isinstance(shoe, HeardShoe):
                what = "this is not how the round goes on by its draw and the rules"
            raise Refuted(what, differs.told, differs.due) from None
        return retelling

    def check_own(
        self, choices: Sequence[Choice], answers: Answers
    ) -> list[Finding | Note]:
        """Compare decisions that are said to be ours with what we have sent."""
        found: list[Finding | Note] = []
        for choice in choices:
            prompt, reply = self.prompts[choice.at], choice.reply
            if prompt is None:
                continue
            if reply.by is Decider.PLAYER:
                found += answers.check(
                    self.number, prompt, reply.play.value, reply.amount
                )
            else:
                found += answers.check_default(
                    self.number, prompt, reply.by.value, self.times[choice.at]
                )
        return found

    def count_back(self, event: events.RoundEnded) -> None:
        """Find out what was in the shoe before, from what is left in the end."""
        left, until, count = event.cards_left, event.until_cut, len(self.cards)
        self.left = None if left is None else left + count
        self.until_cut = None if until is None else until + count
        cards = 0
        for told in self.heard:
            cards += isinstance(told, events.CardDealt)
            if isinstance(told, events.CutCardReached):
                self.until_cut = cards
            elif isinstance(told, events.DiscardsShuffled):
                self.left = cards


def stakes_of(bets: Mapping[int, Bet]) -> tuple[Stake, ...]:
    """Return what the seats bring into the round.

    Raises:
        Refuted: if one of the bets is none that can be.
    """
    try:
        return tuple(
            Stake(seat=seat, amount=bet.amount, funds=bet.balance, spots=bet.spots)
            for seat, bet in sorted(bets.items())
        )
    except ValueError as flaw:
        raise Refuted(f"a bet is none that can be: {flaw}") from None
