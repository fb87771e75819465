"""Servers that cheat: what they tell is chained and signed as if it were true."""

import re
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from bj_protocol import commands, events
from bj_protocol.action import Action
from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer
from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.views import Phase, Turn
from bj_server.table.table import Table
from support.company import Cheat, Company, Player
from support.rig import PLAYS

HOME = "cpsc386"
"""The house in which each cheat is played today; the long tests play the others."""


class Change(Protocol):
    """Tells other events in the place of one."""

    def __call__(self, event: events.Event, /) -> list[events.Event]: ...


def play(
    rig: Company,
    rounds: int = 1,
    *,
    most: int = 400,
    likes: Sequence[Action] = (),
    spots: int = 1,
) -> None:
    """Bet, stand, and decline what is offered; wait where nobody is asked.

    What a player ``likes`` is done wherever it is legal.
    """
    last = rig.table.context.round + rounds
    for _ in range(most):
        if rig.table.context.round >= last:
            return
        seats = [s for s in rig.table.context.seats.here if s.ask]
        for seat in seats:
            if seat.ask is not None:
                rig.answer(seat.handle, answer_to(rig, seat.handle, likes, spots))
        if not seats:
            rig.wait(2.1)


def answer_to(
    rig: Company, handle: str, likes: Sequence[Action] = (), spots: int = 1
) -> AnyAnswer:
    """Return what a meek player answers, or one of what is liked."""
    ask = rig.ask(handle)
    for like in likes:
        if like in ask.actions and like is not Action.INSURE:
            return PLAYS[like.value](ask.prompt)
        if like in ask.actions:
            least = 0 if ask.wager is None else ask.wager.minimum
            return commands.Insure(prompt=ask.prompt, amount=least)
    if "accept_gift" in ask.actions:
        return commands.AcceptGift(prompt=ask.prompt)
    if "place_bet" in ask.actions:
        assert ask.wager is not None
        amount = min(max(1000, ask.wager.minimum), ask.wager.maximum)
        spots = min(spots, ask.spots)
        return commands.PlaceBet(prompt=ask.prompt, amount=amount, spots=spots)
    if "stand" in ask.actions:
        return commands.Stand(prompt=ask.prompt)
    if "decline" in ask.actions:
        return commands.Decline(prompt=ask.prompt)
    return commands.AceHigh(prompt=ask.prompt)


def told(
    rig: Company, patch: pytest.MonkeyPatch, change: Callable[[Update], Update]
) -> None:
    """Have everyone told other updates than those that happen."""
    honest = Table.close_update
    rig.lies = 0

    def close_update(table: Table) -> Update | None:
        update = honest(table)
        if update is None:
            return None
        other = change(update)
        rig.lies = (rig.lies or 0) + (other != update)
        return other

    patch.setattr(Table, "close_update", close_update)


def changed(rig: Company, patch: pytest.MonkeyPatch, change: Change) -> None:
    """Have everyone told of other events, by a change that begins anew."""
    change = deepcopy(change)

    def cheat(update: Update) -> Update:
        events_told = tuple(new for old in update.events for new in change(old))
        return update.model_copy(update={"events": events_told})

    told(rig, patch, cheat)


def asked(
    rig: Company, patch: pytest.MonkeyPatch, change: Callable[[Turn], Turn]
) -> None:
    """Have everyone told of other questions."""

    def cheat(update: Update) -> Update:
        turn = None if update.turn is None else change(update.turn)
        return update.model_copy(update={"turn": turn})

    told(rig, patch, cheat)


def with_fields(event: events.Event, **fields: Any) -> events.Event:
    """Return a copy of an event with other fields, however wrong."""
    copied = copy(event)
    for name, value in fields.items():
        object.__setattr__(copied, name, value)
    return copied


@dataclass
class Once:
    """A change of the first event of a kind."""

    kind: type[Any]
    told: Change
    is_done: bool = False

    def __call__(self, event: events.Event) -> list[events.Event]:
        if self.is_done or not isinstance(event, self.kind):
            return [event]
        self.is_done = True
        return self.told(event)


def once(kind: type[Any], **fields: Any) -> Change:
    """Return a change of the first event of a kind; numbers are added."""

    def told(event: events.Event) -> list[events.Event]:
        moved = {}
        for name, value in fields.items():
            was = getattr(event, name)
            if was is None:
                pytest.skip(f"this house tells no {name}")
            moved[name] = was + value if type(value) is int else value
        return [with_fields(event, **moved)]

    return Once(kind, told)


def assert_found(player: Player, pattern: str, number: int | None = None) -> None:
    """See that a finding says so, and names the round."""
    found = [str(finding) for finding in player.findings]
    where = r"\d+" if number is None else str(number)
    wanted = re.compile(rf"Round {where}: .*{pattern}")
    assert any(wanted.search(sentence) for sentence in found), found or player.notes


def found(rig: Company, pattern: str, number: int | None = None) -> None:
    """See that ned21 has found it, in a house where there was such a lie to tell."""
    if rig.lies == 0 and rig.plan.house.name != HOME:
        pytest.skip("in this house there is nothing of the kind to lie about")
    assert_found(rig.players["ned21"], pattern, number)


def noted(rig: Company, pattern: str) -> None:
    said = [str(note) for note in rig.players["ned21"].notes]
    assert any(re.search(pattern, note) for note in said), said


def bets_changed(**fields: Any) -> Change:
    """Return a change of the first bet in each call."""

    def change(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.BetsClosed):
            return [event]
        first, *rest = event.bets
        bets = (first.model_copy(update=fields), *rest)
        return [event.model_copy(update={"bets": bets})]

    return change


def unsigned(kind: str) -> Cheat:
    """Return what keeps a kind of signatures from everyone."""

    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        is_kept = isinstance(message, Signed) and message.kind == kind
        return [] if is_kept else [(message, text)]

    return cheat


def without(kind: type[events.Event]) -> Change:
    return lambda event: [] if isinstance(event, kind) else [event]


def bet_all(rig: Company) -> None:
    for seat in list(rig.table.context.seats):
        if seat.ask is not None and Action.SIT_OUT in seat.ask.actions:
            rig.answer(seat.handle, answer_to(rig, seat.handle))


def deal_to_ask(rig: Company, handle: str = "ned21") -> None:
    """Play until ``handle`` is asked what to do with a hand."""
    if handle not in rig.players or not rig.plan.house.hit:
        pytest.skip(f"in this house {handle} is never asked")
    for _ in range(60):
        if rig.picture.phase is Phase.PLAYING and rig.is_asked(handle):
            return
        if rig.picture.phase is Phase.BETTING:
            bet_all(rig)
            continue
        for seat in list(rig.table.context.seats.here):
            if seat.ask is not None and seat.handle != handle:
                rig.answer(seat.handle, answer_to(rig, seat.handle))
    raise AssertionError("never asked")


def hang_up(rig: Company, handle: str) -> None:
    """Lose the line of a player, of which the server knows."""
    line = rig.line[handle]
    rig.outlet.audience.discard(line)
    rig.drop(handle)


def pictured(change: Callable[[Snapshot], Snapshot]) -> Cheat:
    """Return what shows everyone other pictures of the table."""

    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line is not None and isinstance(message, Snapshot):
            other = change(message)
            return [(other, other.model_dump_json())]
        return [(message, text)]

    return cheat


def own(rig: Company) -> int:
    return rig.seat("ned21").seat


def picture_of(rig: Company, handle: str = "ned21") -> Snapshot:
    shown = rig.table.snapshot(rig.line[handle])
    assert shown is not None
    return shown


def poorer(picture: Snapshot, cents: int = 5000) -> Snapshot:
    """Return a picture in which everyone has less money."""
    seats = tuple(
        view.model_copy(update={"balance": view.balance - cents})
        for view in picture.seats
    )
    return picture.model_copy(update={"seats": seats})


def links_sent(rig: Company) -> list[str]:
    """Return the lines of ned21's record in which a link is told."""
    log = rig.players["ned21"].log
    return [line for line in log if '"sent": {"type":"link"' in line]


def say(rig: Company, *happened: events.Event) -> None:
    """Tell everyone of what has not happened, as an update of the story."""
    context = rig.table.context
    context.seq += 1
    update = Update(table="main", seq=context.seq, events=happened, turn=None)
    text = encode(update)
    signed = rig.table.tell(update, text)
    rig.outlet.announce((update, text), *((each, encode(each)) for each in signed))
