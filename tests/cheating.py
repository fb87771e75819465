"""Servers that cheat: what they tell is chained and signed as if it were true."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from bj_protocol import commands, events
from bj_protocol.commands import AnyAnswer
from bj_protocol.messages import Update
from bj_protocol.views import Phase, Turn
from bj_server.table.table import Table
from company import Company, Player

Change = Callable[[events.Event], list[events.Event]]


def play(rig: Company, rounds: int = 1, *, most: int = 400) -> None:
    """Bet, stand, and decline what is offered; wait where nobody is asked."""
    last = rig.table.felt.round + rounds
    for _ in range(most):
        if rig.table.felt.round >= last:
            return
        seats = [s for s in rig.table.felt.seats.here if s.ask]
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
