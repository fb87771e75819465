"""Money that is taken beside the rounds."""

import pytest

from bj_protocol import commands, events
from bj_protocol.commands import Leave
from bj_protocol.messages import Signed
from bj_protocol.proof import StatementKind
from bj_protocol.views import Phase
from bj_server.table.inbox import FromLine
from support.cheating import (
    bet_all,
    changed,
    deal_to_ask,
    found,
    hang_up,
    own,
    pictured,
    play,
    poorer,
)
from support.company import Company

ROUNDS = 2
"""Those that were played before the server cheats."""

Patch = pytest.MonkeyPatch


def test_a_gift_that_takes_money_is_found(rig: Company, monkeypatch: Patch) -> None:
    take = events.GiftGiven(seat=own(rig), amount=-5000, balance=0, by_host=True)

    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BettingOpened):
            balance = rig.table.context.till.balance("ned21") - 5000
            return [event, take.model_copy(update={"balance": balance})]
        return [event]

    changed(rig, monkeypatch, change)
    play(rig)
    found(rig, "a gift of the host takes money")


def test_who_is_seated_anew_with_less_money_is_told(
    rig: Company, monkeypatch: Patch
) -> None:
    seat = own(rig)

    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BettingOpened):
            balance = rig.table.context.till.balance("ned21") - 5000
            return [
                events.PlayerLeft(seat=seat, handle="ned21"),
                events.PlayerJoined(seat=seat, handle="ned21", balance=balance),
                event,
            ]
        return [event]

    changed(rig, monkeypatch, change)
    play(rig)
    found(rig, "seated anew on the same line")


def test_money_that_is_gone_after_a_restart_is_found(rig: Company) -> None:
    rig.restart()
    rig.outlet.cheat = pictured(poorer)
    rig.join("ned21")
    rig.wait(1)
    found(rig, "balance fell|is gone after a restart|lower")


@pytest.mark.usefixtures("two_seats")
def test_money_that_is_gone_after_a_gap_in_a_round_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Whoever comes back in the middle of a round knows no balance for certain."""
    deal_to_ask(rig, "lia9")
    hang_up(rig, "ned21")
    rig.wait(1)
    rig.outlet.recent.clear()
    rig.join("ned21")
    assert rig.picture.phase is Phase.PLAYING
    play(rig)

    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BetPlaced):
            return [event.model_copy(update={"balance": event.balance - 5000})]
        return [event]

    changed(rig, monkeypatch, change)
    bet_all(rig)
    found(rig, "balance of seat")


def test_a_goodbye_with_another_balance_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    story = rig.table.context.story
    assert story is not None
    sign = story.sign

    def lower(kind: StatementKind, seq: int, number: int, note: str = "") -> Signed:
        if kind is StatementKind.GOODBYE:
            handle, cents = note.split(" ")
            note = f"{handle} {int(cents) - 5000}"
        return sign(kind, seq, number, note)

    monkeypatch.setattr(story, "sign", lower)
    rig.players["ned21"].send(commands.Leave())
    rig.send(FromLine(rig.line["ned21"], Leave()))
    found(rig, "good-bye")
