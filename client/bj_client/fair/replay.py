"""The replay: a round played once more, beside the told events.

The cards come from a shoe, the decisions from the heard events themselves: at a
question to a seat, the next event tells the answer. Everything else follows from the
rules, so every event is either a decision or due. If a due event differs from the told
one, the server has lied about one of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any

from bj_client.fair.finding import RefutedError, short_number
from bj_game.card import Card
from bj_game.event import Funded, RoundEvent
from bj_game.house import House
from bj_game.play import By, IllegalPlayError, Play, Prompt, Reply, Stake
from bj_game.replay import Replay
from bj_game.round import Round
from bj_game.shoe import Shoe, ShoeEmptyError
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.messages import Snapshot
from bj_protocol.recall import PastDecision, PastPlay
from bj_protocol.round_views import ask_view, dealer_view, decision_view, hand_views
from bj_protocol.views import Ask, DealerView, HandView


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

    def draw(self) -> Card:
        """Take the next card.

        Raises:
            ShoeEmptyError: if there is none.
        """
        if self.left == 0:
            raise ShoeEmptyError
        card = super().draw()
        self.just_reached_cut = self.dealt == self._until_before
        return card

    def refill(self, on_table: int) -> int:
        """Count what is not on the table as left; the cards to come are those heard.

        Raises:
            ShoeEmptyError: if everything is on the table, or cards are left.
        """
        discards = self._all - on_table
        if self.left or discards <= 0:
            raise ShoeEmptyError
        self._left_before = self.dealt + discards
        return discards


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A decision that was told."""

    seat: int
    reply: Reply
    at: int
    """The place among the events of the round where it is told."""


class HeardRound(Replay):
    """One round, played along the told events."""

    def __init__(
        self,
        house: House,
        shoe: Shoe,
        stakes: Sequence[Stake],
        heard: Sequence[RoundEvent],
        turns: Mapping[int, Sequence[Sequence[Ask]]],
        *,
        takes_gifts: bool = False,
        is_over: bool = True,
    ) -> None:
        """Play the round; ``turns`` are the questions told, by the events before.

        One that is not over need only be right as far as it was told. The host may have
        given money that was not told where it ``takes_gifts``.

        Raises:
            RefutedError: at the first event that is not what was due.
        """
        self.choices: list[Choice] = []
        self._is_drawn = not isinstance(shoe, HeardShoe)
        self._takes_gifts, self._is_over = takes_gifts, is_over
        self._given: Counter[int] = Counter()
        self._heard, self._turns = heard, turns
        self._at = 0
        self._asked: set[int] = set()
        """The places at which the round came to a question."""
        try:
            super().__init__(house, shoe, stakes)
            self._run()
        except ShoeEmptyError:
            raise self._differs(self._told(), "another card") from None
        except ValueError as flaw:
            raise self._differs("the stakes", short_number(flaw)) from None
        for at, told in self._turns.items():
            if any(told) and at not in self._asked:
                raise self._differs("a question in the middle of the deal", "none")

    def _differs(self, told: str, due: str) -> RefutedError:
        by = "its draw and the rules" if self._is_drawn else "the rules"
        return RefutedError(f"this is not how the round goes on by {by}", told, due)

    def _run(self) -> None:
        self._compare()
        while self.round.prompts:
            self._check_turn(self.round.prompts)
            if not self._is_over and self._at == len(self._heard):
                return
            choice = self._choice()
            legal = {p.seat: p for p in self.round.prompts}.get(choice.seat)
            told = self._heard[choice.at]
            if legal is None or legal.hand != getattr(told, "hand", None):
                raise self._differs(_listed(told), "a decision of another hand")
            try:
                self.play(choice.seat, choice.reply)
            except IllegalPlayError:
                plays = ", ".join(play.value.replace("_", " ") for play in legal.plays)
                raise self._differs(_listed(told), f"one of {plays}") from None
            self.choices.append(choice)
            self._compare()
        if self._at < len(self._heard):
            raise self._differs(self._told(), "the end of the round")

    def _check_turn(self, prompts: Sequence[Prompt]) -> None:
        """Compare the told questions at this place with those of the rules."""
        self._asked.add(self._at)
        due = _asked_text([ask_view(0, prompt) for prompt in prompts])
        for told in map(_asked_text, self._turns.get(self._at, ())):
            if told != due:
                raise self._differs(told or "no question", due)

    def _compare(self) -> None:
        """Compare the due events with the told ones."""
        for event in self.happened:
            if self._at == len(self._heard):
                if not self._is_over:
                    return
                raise self._differs("the end of the round", _listed(event))
            told, wanted = self._heard[self._at], self._due(event)
            if told != wanted:
                raise self._differs(_listed(told), _listed(wanted))
            self._at += 1

    def _due(self, event: RoundEvent) -> RoundEvent:
        """Return a due event, with the money that must have been given meanwhile."""
        told = self._heard[self._at]
        seat: int = getattr(told, "seat", 0)
        if self._takes_gifts and isinstance(event, Funded):
            more = getattr(told, "balance", 0) - event.balance
            self._given[seat] = max(self._given[seat], more)
            event.balance += self._given[seat]
        return event

    def _choice(self) -> Choice:
        if self._at == len(self._heard):
            raise self._differs("the end of the round", "a decision")
        at = self._at
        if isinstance(self._heard[at], events.DiscardsShuffled):
            at = min(at + 1, len(self._heard) - 1)  # to the card that was hit for
        event = self._heard[at]
        reply = _reply_of(event)
        if reply is None or reply.by is By.RULES:
            raise self._differs(_listed(event), "a decision of a player")
        return Choice(seat=getattr(event, "seat", 0), reply=reply, at=at)

    def _told(self) -> str:
        if self._at >= len(self._heard):
            return "the end of the round"
        return _listed(self._heard[self._at])


PLENTY = 2**60
"""Cents of a player whose money is not known."""

_FOR_MONEY = frozenset({Play.SPLIT, Play.INSURE, Play.DECLINE})
"""The plays of a question that only a player with money for one of them is asked."""


@dataclass(frozen=True, slots=True)
class View:
    """The cards on the table where the players of a round were asked."""

    place: int
    """How many events there were before."""
    dealer: DealerView
    hands: dict[int, tuple[HandView, ...]]
    plays: frozenset[Action]
    """Those that the seat whose round is recalled is offered."""

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture has these cards."""
        told = {view.seat: view.hands for view in picture.seats if view.hands}
        return (picture.dealer, told) == (self.dealer, self.hands)


class RecalledRound(Replay):
    """One round, played from the decisions that are said to have been made.

    A player with ``PLENTY`` may have less. A question to one that the decisions pass
    over was not asked, since the money was short.
    """

    def __init__(
        self,
        house: House,
        shoe: Shoe,
        stakes: Sequence[Stake],
        plays: Sequence[PastPlay],
        seat: int,
        least: float,
    ) -> None:
        """Play the round, as far as there are ``plays``, or ``least`` events.

        Raises:
            RefutedError: if the rules have no such round.
        """
        self._unknown = {stake.seat for stake in stakes if stake.funds == PLENTY}
        self._seat = seat
        self.decisions: list[PastDecision] = []
        """Those of ``seat``, as its player recalls them."""
        self.places: list[int] = []
        """How many events there were before each of them."""
        self.views: list[View] = []
        try:
            super().__init__(house, shoe, stakes)
            self.events = list(self.happened)
            self._look()
            for play in plays:
                self._play_told(play)
                if play.seat == seat:
                    self.decisions.append(decision_view(self.hand, play))
                    self.places.append(len(self.events))
                self.events += self.happened
                self._look()
            while len(self.events) < least and self._pass_over(seat):
                pass
        except (IllegalPlayError, ShoeEmptyError, ValueError, TypeError) as flaw:
            raise RefutedError(f"it cannot be played by the rules: {flaw}") from None

    def _play_told(self, play: PastPlay) -> None:
        kind = Play(play.action.value)
        reply = Reply(play=kind, amount=play.amount, by=play.by)
        while True:
            try:
                self.play(play.seat, reply)
            except IllegalPlayError:
                if not self._pass_over(play.seat):
                    raise
            else:
                return

    def _pass_over(self, seat: int) -> bool:
        """Go on as if a question had not been asked, to ``seat`` rather than others.

        Return whether there is one that may not have been.
        """
        last = self.events[-1]
        kept = last if isinstance(last, events.SplitDeclined) else None
        for prompt in sorted(self.round.prompts, key=lambda open: open.seat != seat):
            is_twice = kept is not None and kept.seat == prompt.seat
            is_for_money = is_twice or _FOR_MONEY.issuperset(prompt.plays)
            if is_for_money and prompt.seat in self._unknown:
                break
        else:
            return False
        self.play(prompt.seat, Reply(play=Play.DECLINE))
        if kept is not None and is_twice:
            # For a split the money was short: what was declined is this question.
            self.events[-1] = events.OfferDeclined(kept.seat, kept.hand, kept.by)
        self.events += self.happened[1:]
        self._look()
        return True

    def _look(self) -> None:
        hands = {player.seat: hand_views(player) for player in self.round.players}
        dealer = dealer_view(self.house, self.round)
        asked = (p for p in self.round.prompts if p.seat == self._seat)
        plays = frozenset(each for p in asked for each in ask_view(0, p).actions)
        self.views.append(View(len(self.events), dealer, hands, plays))


def won_by(round: Round, stake: Stake) -> int | None:
    """Return the cents that a seat has won in the end, if nobody decides any more.

    It is less than 0 for a loss, and None if there are no cards for that.
    """
    try:
        while round.prompt is not None:
            reply = Reply(play=round.prompt.default, by=By.ABSENCE)
            round.answer(round.prompt.seat, reply)
    except ShoeEmptyError:
        return None
    player = next(player for player in round.players if player.seat == stake.seat)
    return player.funds - stake.funds - stake.amount * stake.spots


def _asked_text(asks: Sequence[Ask]) -> str:
    """Return all that some questions ask, in the order of their seats."""
    return "; ".join(map(_ask_text, sorted(asks, key=attrgetter("seat"))))


def _ask_text(ask: Ask) -> str:
    text = f"seat {ask.seat}, hand {ask.hand}: {', '.join(ask.actions)}"
    if ask.wager is not None:
        limits = ask.wager.minimum, ask.wager.maximum, ask.wager.step
        least, most, step = map(short_number, limits)
        text += f" {least} to {most} by {step}"
    return text if ask.spots == 1 and ask.gift is None else f"{text} and more"


def _reply_of(event: RoundEvent) -> Reply | None:
    """Return the answer that an event tells of, if it is the first that follows it."""
    match event:
        case events.HandStood(by=by):
            return Reply(play=Play.STAND, by=by)
        case events.SplitDeclined(by=by) | events.OfferDeclined(by=by):
            return Reply(play=Play.DECLINE, by=by)
        case events.HandInsured(amount=amount):
            return Reply(play=Play.INSURE, amount=amount)
        case events.AcesValued(high=high):
            return Reply(play=Play.ACE_HIGH if high else Play.ACE_LOW)
        case _:
            play = _PLAYS.get(type(event))
            return None if play is None else Reply(play=play)


_PLAYS: dict[type[Any], Play] = {
    events.CardDealt: Play.HIT,
    events.HandSplit: Play.SPLIT,
    events.EvenMoneyTaken: Play.EVEN_MONEY,
    events.HandSurrendered: Play.SURRENDER,
    events.HandGivenUp: Play.GIVE_UP,
    events.HandDoubled: Play.DOUBLE,
}


def _listed(event: RoundEvent) -> str:
    *rest, (_, kind) = asdict(event).items()
    return " ".join([kind, *(f"{name} {short_number(v)}" for name, v in rest)])
