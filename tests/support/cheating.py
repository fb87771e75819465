"""Servers that cheat: what they tell is chained and signed as if it were true."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from bj_protocol import commands, events
from bj_protocol.commands import AnyAnswer
from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.views import Phase, Turn
from bj_server.table.table import Table
from support.company import Cheat, Company, Player

Change = Callable[[events.Event], list[events.Event]]


def play(rig: Company, rounds: int = 1, *, most: int = 400) -> None:
    """Bet, stand, and decline what is offered; wait where nobody is asked."""
    last = rig.table.context.round + rounds
    for _ in range(most):
        if rig.table.context.round >= last:
            return
        seats = [s for s in rig.table.context.seats.here if s.ask]
        for seat in seats:
            if seat.ask is not None:
                rig.answer(seat.handle, answer_to(rig, seat.handle))
        if not seats:
            rig.wait(2.1)


def answer_to(rig: Company, handle: str) -> AnyAnswer:
    ask = rig.ask(handle)
    if rig.picture.phase is Phase.BETTING:
        assert ask.wager is not None
        amount = min(max(1000, ask.wager.minimum), ask.wager.maximum)
        return commands.PlaceBet(prompt=ask.prompt, amount=amount)
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

    def close_update(table: Table) -> Update | None:
        update = honest(table)
        return None if update is None else change(update)

    patch.setattr(Table, "close_update", close_update)


def changed(rig: Company, patch: pytest.MonkeyPatch, change: Change) -> None:
    """Have everyone told of other events."""

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


def once(kind: type[events.Event], **fields: Any) -> Change:
    """Return a change of the first event of a kind; numbers are added."""
    done: list[events.Event] = []

    def change(event: events.Event) -> list[events.Event]:
        if not isinstance(event, kind) or done:
            return [event]
        done.append(event)
        moved = {
            name: getattr(event, name) + value if type(value) is int else value
            for name, value in fields.items()
        }
        return [event.model_copy(update=moved)]

    return change


def assert_found(player: Player, pattern: str, number: int | None = None) -> None:
    """See that a finding says so, and names the round."""
    found = [str(finding) for finding in player.findings]
    where = r"\d+" if number is None else str(number)
    wanted = re.compile(rf"Round {where}: .*{pattern}")
    assert any(wanted.search(sentence) for sentence in found), found or player.notes


def found(rig: Company, pattern: str, number: int | None = None) -> None:
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
        if seat.ask is not None:
            bet = commands.PlaceBet(prompt=seat.ask.prompt, amount=1000)
            rig.answer(seat.handle, bet)


def deal_to_ask(rig: Company, handle: str = "ned21") -> None:
    """Play until ``handle`` is asked what to do with a hand."""
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
