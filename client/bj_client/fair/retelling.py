"""The retelling: a round played once more, beside what was told of it.

The cards come from a shoe, the decisions from the heard events themselves: at a
question to a seat, the next event tells which answer was given. Everything else follows
from the rules, so every event is either a decision or due; where what is due differs
from what was told, the server has not told the truth of the one or the other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bj_client.fair.due import due, short_number
from bj_game.event import Event as GameEvent
from bj_game.house import House
from bj_game.illegal import IllegalPlay
from bj_game.play import Decider, Play, Reply
from bj_game.player import Stake
from bj_game.round import Round
from bj_game.shoe import Shoe, ShoeEmpty
from bj_protocol import events

__all__ = ["Choice", "Difference", "Retelling"]


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
    ) -> None:
        """Prepare; ``run`` plays."""
        self._house, self._shoe, self._stakes = house, shoe, stakes
        self._heard = heard
        self._at = 0
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

    def _run(self, *, is_over: bool) -> None:
        deal = Round(self._house, self._shoe, self._stakes)
        self._compare(deal.take_events(), is_over=is_over)
        while deal.prompts and (is_over or self._at < len(self._heard)):
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

    def _compare(self, happened: Iterable[GameEvent], *, is_over: bool) -> None:
        for event in happened:
            if self._at == len(self._heard):
                if not is_over:
                    return
                raise Difference("the end of the round", _listed(due(event)))
            told, wanted = self._heard[self._at], due(event)
            if told.__dict__ != wanted:
                raise Difference(describe(told), _listed(wanted))
            self._at += 1

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
