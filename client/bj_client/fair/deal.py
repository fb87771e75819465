"""The deal: one round as it is heard, from the bets to its end."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bj_client.fair.answers import Answers
from bj_client.fair.due import short_number
from bj_client.fair.finding import Finding
from bj_client.fair.heard import HeardShoe
from bj_client.fair.retelling import Choice, Difference, Retelling
from bj_client.fair.stream import Dealt
from bj_game.card import PACK, Card
from bj_game.house import House
from bj_game.play import Decider
from bj_game.player import Stake
from bj_protocol import events

__all__ = ["Bet", "Deal"]

_MOST_EVENTS = 20_000
_CARDS = {str(card): card for card in PACK}


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
    left: int | None = None
    """The cards in the shoe before; None if it has no end, or that is not known."""
    until_cut: int | None = None
    on_table: int = 0
    """The cards that were dealt before we came."""
    is_whole: bool = True
    """Whether all of it was heard."""
    is_left_known: bool = True
    """Whether ``left`` and ``until_cut`` count what is in the shoe for certain."""
    heard: list[events.Event] = field(default_factory=list)
    prompts: list[int | None] = field(default_factory=list)
    """For each event, what we had been asked before it was told."""
    given: Counter[int] = field(default_factory=Counter)
    """The cents that the host has given each seat since the deal."""

    @classmethod
    def of(
        cls, event: events.RoundBegan, bets: Mapping[int, Bet], house: House | None
    ) -> "tuple[Deal, list[Finding]]":
        """Return the round that begins, and what is wrong with its bets."""
        deal = cls(number=event.round)
        if set(bets) != set(event.seats) or not bets:
            what = "the seats that are dealt to are not those that have bet"
            told, due = sorted(set(event.seats)), sorted(bets)
            deal.is_whole = False
            return deal, [
                Finding(round=event.round, what=what, told=str(told), due=str(due))
            ]
        most = 1 if house is None else house.max_spots
        if any(not 1 <= bet.spots <= most for bet in bets.values()):
            deal.is_whole = False
            what = "a seat plays more spots than the house has"
            return deal, [Finding(round=event.round, what=what)]
        try:
            deal.stakes = tuple(
                Stake(seat=seat, amount=bet.amount, funds=bet.balance, spots=bet.spots)
                for seat, bet in sorted(bets.items())
            )
        except ValueError as flaw:
            deal.is_whole = False
            what = f"a bet is none that can be: {flaw}"
            return deal, [Finding(round=event.round, what=what)]
        return deal, []

    def hear(self, event: events.Event, prompt: int | None) -> None:
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
    def left_now(self) -> int | None:
        """The cards in the shoe after what was heard; None as for ``left``."""
        left = self.left
        for told in self.heard:
            if isinstance(told, events.DiscardsShuffled):
                left = told.cards
            elif isinstance(told, events.CardDealt) and left is not None:
                left -= 1
        return left

    @property
    def dealt(self) -> Dealt:
        """What is to be compared with the shoe, once that is known."""
        return Dealt(
            round=self.number,
            cards=self.cards,
            left=self.left,
            on_table=self.on_table,
            is_whole=self.is_whole,
        )

    def end(self, event: events.RoundEnded) -> list[Finding]:
        """Check what the shoe is said to have at the end."""
        count = len(self.cards)
        if not self.is_left_known:
            self._count_back(event, count)
            return []
        left = self.left_now
        until = None if self.until_cut is None else max(0, self.until_cut - count)
        if event.round == self.number and (left, until) == (
            event.cards_left,
            event.until_cut,
        ):
            return []
        told = ", ".join(
            map(short_number, (event.round, event.cards_left, event.until_cut))
        )
        due = ", ".join(map(short_number, (self.number, left, until)))
        what = "the round, or the cards that are left, were counted wrong"
        return [Finding(round=self.number, what=what, told=told, due=due)]

    def check(
        self, house: House, own_seat: int | None, *, is_over: bool = True
    ) -> tuple[list[Finding], list[Choice]]:
        """Play the round again; return what differs, and our own decisions."""
        cards: list[Card] = []
        for text in self.cards:
            # A hole card that is not turned yet gives no blackjack.
            cards.append(_CARDS.get(text or "2s", _CARDS["2s"]))
        shoe = HeardShoe(cards, self.left, self.until_cut, house.decks)
        retelling = Retelling(house, shoe, self.stakes, self.heard)
        found = []
        try:
            retelling.run(is_over=is_over)
        except Difference as difference:
            found.append(
                Finding(
                    round=self.number,
                    what="this is not how the round goes on by the rules",
                    told=difference.told,
                    due=difference.due,
                )
            )
        return found, [
            choice
            for choice in retelling.choices
            if choice.seat == own_seat and choice.reply.by is Decider.PLAYER
        ]

    def check_own(self, choices: list[Choice], answers: Answers) -> list[Finding]:
        """Compare decisions that are said to be ours with what we have sent."""
        found = []
        for choice in choices:
            prompt = self.prompts[choice.at]
            if prompt is not None:
                reply = choice.reply
                found += answers.check(
                    self.number, prompt, reply.play.value, reply.amount
                )
        return found

    def _count_back(self, event: events.RoundEnded, count: int) -> None:
        """Find out what was in the shoe before, from what is left in the end."""
        left, until = event.cards_left, event.until_cut
        self.left = None if left is None else left + count
        self.until_cut = None if until is None else until + count
        cards = 0
        for told in self.heard:
            cards += isinstance(told, events.CardDealt)
            if isinstance(told, events.CutCardReached):
                self.until_cut = cards
            elif isinstance(told, events.DiscardsShuffled):
                self.left = cards
