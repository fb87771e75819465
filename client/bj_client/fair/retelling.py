"""The retelling: a round played once more, beside what was told of it.

The cards come from a shoe, the decisions from the heard events themselves: at a
question to a seat, the next event tells which answer was given. Everything else follows
from the rules, so every event is either a decision or due; where what is due differs
from what was told, the server has not told the truth of the one or the other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bj_client.fair.finding import short_number
from bj_game.event import Event as GameEvent
from bj_game.house import House
from bj_game.illegal import IllegalPlay
from bj_game.play import Decider, Play, Prompt, Reply
from bj_game.player import Stake
from bj_game.round import Round
from bj_game.shoe import Shoe, ShoeEmpty
from bj_game.told import told_of
from bj_game.wager import WagerLimits
from bj_protocol import events
from bj_protocol.views import Ask, Turn, WagerRange


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A decision that was told."""

    seat: int
    reply: Reply
    at: int
    """The place among the events of the round where it is told."""


class Difference(Exception):
    """What was told is not what was due; both are texts."""

    def __init__(self, told: str, due: str) -> None:
        """Remember both."""
        super().__init__(told, due)
        self.told, self.due = told, due


class Retelling:
    """One round, played along what was told."""

    def __init__(
        self,
        house: House,
        shoe: Shoe,
        stakes: Sequence[Stake],
        heard: Sequence[events.Event],
        turns: Mapping[int, Turn | None],
        *,
        gifts: bool = False,
    ) -> None:
        """Prepare; ``run`` plays. ``turns`` are by the number of events before.

        With ``gifts`` the host may have given money that was not told.
        """
        self._takes_gifts = gifts
        self._given: Counter[int] = Counter()
        self._house, self._shoe, self._stakes = house, shoe, stakes
        self._heard, self._turns = heard, turns
        self._at = 0
        self._asked: set[int] = set()
        """Where the round has come to a question."""
        self._deal: Round
        self.choices: list[Choice] = []

    def run(self, *, is_over: bool = True) -> None:
        """Play the round.

        One that is not over need only be right as far as it was told.

        Raises:
            Difference: at the first event that is not what was due.
        """
        try:
            self._run(is_over=is_over)
        except ShoeEmpty:
            raise Difference(self._told(), "another card") from None
        except ValueError as flaw:
            raise Difference("the stakes", short_number(flaw)) from None
        for at, turn in self._turns.items():
            if turn is not None and at not in self._asked:
                raise Difference("a question in the middle of the deal", "none")

    def play_on(self, seat: int) -> int:
        """Play to the end, where nobody decides.

        Returns:
            What ``seat`` has won by then, in cents; less than 0 for a loss.

        Raises:
            ShoeEmpty: if there are no cards for that.
        """
        deal = self._deal
        while deal.prompts:
            prompt = deal.prompts[0]
            reply = Reply(play=prompt.default, by=Decider.ABSENCE)
            deal.answer(prompt.seat, reply)
        stake = next(stake for stake in self._stakes if stake.seat == seat)
        player = next(player for player in deal.players if player.seat == seat)
        return player.funds - stake.funds - stake.amount * stake.spots

    def _run(self, *, is_over: bool) -> None:
        deal = self._deal = Round(self._house, self._shoe, self._stakes)
        self._compare(deal.take_events(), is_over=is_over)
        while deal.prompts:
            self._check_turn(deal.prompts)
            if not is_over and self._at == len(self._heard):
                return
            choice = self._choice()
            legal = {p.seat: p for p in deal.prompts}.get(choice.seat)
            told = self._heard[choice.at]
            if legal is None or legal.hand != getattr(told, "hand", None):
                raise Difference(describe(told), "a decision of another hand")
            try:
                deal.answer(choice.seat, choice.reply)
            except IllegalPlay:
                plays = ", ".join(play.value.replace("_", " ") for play in legal.plays)
                raise Difference(describe(told), f"one of {plays}") from None
            self.choices.append(choice)
            self._compare(deal.take_events(), is_over=is_over)
        if self._at < len(self._heard):
            raise Difference(self._told(), "the end of the round")

    def _check_turn(self, prompts: Sequence[Prompt]) -> None:
        """Compare what was asked at this place with what the rules ask."""
        self._asked.add(self._at)
        if self._at not in self._turns:
            return
        turn = self._turns[self._at]
        asks = () if turn is None else turn.asks
        told = [_asked_text(ask) for ask in sorted(asks, key=lambda ask: ask.seat)]
        due = [_due_text(each) for each in sorted(prompts, key=lambda each: each.seat)]
        if told != due:
            raise Difference("; ".join(told) or "no question", "; ".join(due))

    def _compare(self, happened: Iterable[GameEvent], *, is_over: bool) -> None:
        for event in happened:
            if self._at == len(self._heard):
                if not is_over:
                    return
                raise Difference("the end of the round", _listed(told_of(event)))
            told, wanted = self._heard[self._at], self._due(event)
            if told.__dict__ != wanted:
                raise Difference(describe(told), _listed(wanted))
            self._at += 1

    def _due(self, event: GameEvent) -> dict[str, object]:
        """Return what is due, with the money that must have been given meanwhile."""
        wanted, told = told_of(event), self._heard[self._at]
        balance, seat = wanted.get("balance"), getattr(told, "seat", 0)
        if self._takes_gifts and isinstance(balance, int):
            more = getattr(told, "balance", 0) - balance
            self._given[seat] = max(self._given[seat], more)
            wanted["balance"] = balance + self._given[seat]
        return wanted

    def _choice(self) -> Choice:
        if self._at == len(self._heard):
            raise Difference("the end of the round", "a decision")
        at = self._at
        if isinstance(self._heard[at], events.DiscardsShuffled):
            at = min(at + 1, len(self._heard) - 1)  # to the card that was hit for
        event = self._heard[at]
        reply = reply_of(event)
        if reply is None or reply.by is Decider.RULES:
            raise Difference(describe(event), "a decision of a player")
        seat: int = getattr(event, "seat", 0)
        return Choice(seat=seat, reply=reply, at=at)

    def _told(self) -> str:
        if self._at >= len(self._heard):
            return "the end of the round"
        return describe(self._heard[self._at])


def _asked_text(ask: Ask) -> str:
    plays = ", ".join(action.value for action in ask.actions)
    more = "" if ask.spots == 1 and ask.gift is None else " and more"
    return f"seat {ask.seat}, hand {ask.hand}: {plays}{_range_text(ask.wager)}{more}"


def _due_text(prompt: Prompt) -> str:
    plays = ", ".join(play.value for play in prompt.plays)
    where = f"seat {prompt.seat}, hand {prompt.hand}"
    return f"{where}: {plays}{_range_text(prompt.insurance)}"


def _range_text(limits: WagerRange | WagerLimits | None) -> str:
    if limits is None:
        return ""
    least, most = short_number(limits.minimum), short_number(limits.maximum)
    return f" {least} to {most} by {short_number(limits.step)}"


def reply_of(event: events.Event) -> Reply | None:
    """Return the answer that an event tells of, if it is the first that follows it."""
    match event:
        case events.HandStood(by=by):
            return Reply(play=Play.STAND, by=Decider(by.value))
        case events.SplitDeclined(by=by) | events.OfferDeclined(by=by):
            return Reply(play=Play.DECLINE, by=Decider(by.value))
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


def describe(event: events.Event) -> str:
    """Return an event as short text: its type and fields."""
    return _listed(event.__dict__)


def _listed(fields: dict[str, object]) -> str:
    rest = (
        f"{name} {short_number(value)}"
        for name, value in fields.items()
        if name != "type"
    )
    return " ".join([str(fields["type"]), *rest])
