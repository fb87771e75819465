"""Servers that cheat: what happens at a table is told otherwise."""

import re
from collections.abc import Callable
from typing import Any

from bj_protocol import commands, events
from bj_protocol.commands import AnyAnswer
from bj_protocol.messages import Message, Update
from bj_protocol.views import Phase
from bj_server.table.inbox import Reshuffle
from company import Company, Player

__all__ = ["Change", "answer_to", "assert_found", "changed", "once", "play", "recut"]

Change = Callable[[events.Event], list[events.Event]]


def play(rig: Company, rounds: int = 1) -> None:
    """Bet, stand, and decline what is offered."""
    last = rig.table.felt.round + rounds
    while rig.table.felt.round < last:
        for seat in list(rig.table.felt.seats):
            if seat.ask is not None and seat.handle in rig.line:
                rig.answer(seat.handle, answer_to(rig, seat.handle))


def answer_to(rig: Company, handle: str) -> AnyAnswer:
    ask = rig.ask(handle)
    if rig.picture.phase is Phase.BETTING:
        return commands.PlaceBet(prompt=ask.prompt, amount=1000)
    if "stand" in ask.actions:
        return commands.Stand(prompt=ask.prompt)
    return commands.Decline(prompt=ask.prompt)


def changed(rig: Company, change: Change) -> None:
    """Have everyone hear other events than those that happen."""

    def cheat(message: Message) -> Message:
        if not isinstance(message, Update):
            return message
        told = tuple(new for event in message.events for new in change(event))
        return message.model_copy(update={"events": told})

    rig.outlet.cheat = cheat


def once(kind: type[events.Event], **fields: Any) -> Change:
    """Return a change of the first event of a kind; numbers are added."""
    done: list[events.Event] = []

    def change(event: events.Event) -> list[events.Event]:
        if not isinstance(event, kind) or done:
            return [event]
        done.append(event)
        moved = {
            name: getattr(event, name) + value if isinstance(value, int) else value
            for name, value in fields.items()
        }
        return [event.model_copy(update=moved)]

    return change


def assert_found(player: Player, pattern: str, number: int) -> None:
    """See that a finding says so, and names the round."""
    found = [str(finding) for finding in player.findings]
    wanted = re.compile(rf"Round {number}: .*{pattern}")
    assert any(wanted.search(sentence) for sentence in found), found


def recut(rig: Company, change: Change) -> None:
    """Have the next shoe cut, with the events changed."""
    play(rig)
    changed(rig, change)
    rig.send(Reshuffle())
