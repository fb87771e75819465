"""Events that are odd: told twice, of others, beyond all bounds, or out of order."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.codec import MessageError, decode_message
from bj_protocol.messages import Message, Signed, Update
from bj_protocol.proof import StatementKind
from bj_protocol.views import Turn
from bj_server.settings import load_house
from bj_server.table.context import TableContext
from support.cheating import (
    HOME,
    Change,
    Once,
    asked,
    changed,
    found,
    once,
    play,
    told,
)
from support.company import Cheat, Company

Patch = pytest.MonkeyPatch

ROUNDS = 1


def twice(kind: type[Any]) -> Change:
    """Return a change by which the first event of a kind is told twice."""
    return Once(kind, lambda event: [event, event])


def before(kind: type[Any], *others: events.Event) -> Change:
    """Return a change by which others are told before the first event of a kind."""
    return Once(kind, lambda event: [*others, event])


def card() -> events.CardDealt:
    return events.CardDealt(seat=1, hand=0, card="2c", total=2, soft=False)


BY_RULES = "by its draw|balance of seat"
ODD: dict[str, tuple[Change, str]] = {
    "a bet told twice": (twice(events.BetPlaced), "has bet twice|balance of seat"),
    "bets opened twice": (twice(events.BettingOpened), "seal is that of a round"),
    "a deal begun twice": (twice(events.RoundBegan), "a round begins within another"),
    "a card told twice": (twice(events.CardDealt), BY_RULES),
    "a payout told twice": (twice(events.HandSettled), BY_RULES),
    "a decision told twice": (twice(events.HandStood), BY_RULES),
    "an end told twice": (twice(events.RoundEnded), "secret is that of a round"),
    "a stake of 2 to the 53": (once(events.BetPlaced, amount=2**53), "balance of seat"),
    "a payout beyond bounds": (once(events.HandSettled, payout=10**400), BY_RULES),
    "a payout below nothing": (once(events.HandSettled, payout=-(10**9)), BY_RULES),
    "a balance beyond bounds": (once(events.HandSettled, balance=10**400), BY_RULES),
    "a payout to another seat": (once(events.HandSettled, seat=1), BY_RULES),
    "a payout to another hand": (once(events.HandSettled, hand=1), BY_RULES),
    "a hole card that stays hidden": (once(events.HoleRevealed, card="??"), BY_RULES),
    "a card of a player hidden": (once(events.CardDealt, card="??"), BY_RULES),
    "a card before the bets": (before(events.BetsClosed, card()), "outside of a round"),
    "a card after the end": (
        before(events.BettingOpened, card()),
        "outside of a round",
    ),
    "a new shoe in a round": (
        before(
            events.HandStood, events.ShoeShuffled(decks=8, cards=416, until_cut=None)
        ),
        "shuffled|shoe",
    ),
    "a refill too early": (
        before(events.HandStood, events.DiscardsShuffled(cards=300)),
        BY_RULES,
    ),
    "an end of another round": (once(events.RoundEnded, round=1), "another"),
    "a call of another round": (once(events.BetsClosed, round=1), "not of the round"),
    "bets opened for another round": (once(events.BettingOpened, round=5), "counted"),
    "a bet after the bets": (
        before(
            events.RoundBegan, events.BetPlaced(seat=1, amount=100, balance=998_900)
        ),
        "after the bets were closed",
    ),
    "a bet that comes back unasked": (
        before(
            events.BetsClosed,
            events.BetReturned(seat=1, amount=1000, balance=1_000_000),
        ),
        "bets that are called are others|balance of seat",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_found(rig: Company, monkeypatch: Patch, name: str) -> None:
    change, pattern = ODD[name]
    changed(rig, monkeypatch, change)
    play(rig, 2, most=60)
    found(rig, pattern)


def test_a_secret_that_serves_two_rounds_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Whoever has heard the last round knows the secret of this one."""
    prepare = TableContext.prepare

    def again(context: TableContext) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("secrets.token_hex", lambda size: "5e" * size)
            patch.setattr("secrets.token_bytes", lambda size: b"\x5e" * size)
            prepare(context)

    monkeypatch.setattr(TableContext, "prepare", again)
    play(rig, 3)
    found(rig, "secret is that of a round before")


def test_links_that_change_places_are_found(rig: Company, monkeypatch: Patch) -> None:
    def swap(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundBegan) or len(event.links) != 2:
            return [event]
        one, two = event.links
        links = (
            one.model_copy(update={"link": two.link}),
            two.model_copy(update={"link": one.link}),
        )
        return [event.model_copy(update={"links": links})]

    changed(rig, monkeypatch, swap)
    play(rig)
    found(rig, "committed to", 2)


def test_an_update_of_another_table_is_found(rig: Company, monkeypatch: Patch) -> None:
    def other(update: Update) -> Update:
        return update.model_copy(update={"table": "other"})

    told(rig, monkeypatch, other)
    play(rig, 2, most=30)
    found(rig, "another table")


@pytest.mark.parametrize("kind", [StatementKind.CALL, StatementKind.END])
def test_one_statement_that_another_has_signed_is_found(
    rig: Company, kind: StatementKind
) -> None:
    """A key of somebody else signs once, in the middle of a visit."""
    done: list[Message] = []

    def forged(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line is None and isinstance(message, Signed) and message.kind == kind:
            if not done:
                done.append(message)
                message = message.model_copy(update={"signature": "ab" * 64})
            return [(message, message.model_dump_json())]
        return [(message, text)]

    rig.outlet.cheat = forged
    play(rig, 2, most=30)
    found(rig, "is not the server's", 2)


def test_one_end_that_is_not_signed_is_found(rig: Company) -> None:
    rig.outlet.cheat = unsigned_once(StatementKind.END)
    play(rig, 2, most=30)
    found(rig, "has not signed the end", 2)


def unsigned_once(kind: StatementKind) -> Cheat:
    done: list[Message] = []

    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line is None and isinstance(message, Signed) and message.kind == kind:
            done.append(message)
            if len(done) == 1:
                return []
        return [(message, text)]

    return cheat


WAGERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "a higher least": lambda wager: {"minimum": wager.minimum + 100},
    "a higher most": lambda wager: {"maximum": wager.maximum + 100},
    "another step": lambda wager: {"step": wager.step * 5},
}


@pytest.mark.parametrize("name", WAGERS)
def test_other_limits_than_those_of_the_house_are_found(
    rig: Company, monkeypatch: Patch, name: str
) -> None:
    def lie(turn: Turn) -> Turn:
        asks = tuple(
            ask
            if ask.wager is None
            else ask.model_copy(
                update={"wager": replace(ask.wager, **WAGERS[name](ask.wager))}
            )
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    asked(rig, monkeypatch, lie)
    play(rig, 2, most=30)
    found(rig, "never asks")


INSURED: dict[str, Change] = {
    "an insurance paid too little": once(events.InsuranceSettled, payout=-50),
    "an insurance paid too much": once(events.InsuranceSettled, payout=50),
    "an insurance of another amount": once(events.HandInsured, amount=100),
    "an insurance that is not settled": lambda event: (
        [] if isinstance(event, events.InsuranceSettled) else [event]
    ),
}


@pytest.mark.parametrize("name", INSURED)
def test_an_insurance_that_is_told_otherwise_is_found(
    rig: Company, monkeypatch: Patch, name: str
) -> None:
    changed(rig, monkeypatch, INSURED[name])
    for _ in range(30):
        play(rig, likes=(Action.INSURE,))
        if rig.lies:
            break
    play(rig)
    found(rig, BY_RULES)


def test_a_peek_that_is_not_told_is_found(
    tmp_path: Path, monkeypatch: Patch, house: House
) -> None:
    if house.name == HOME:  # where nobody peeks
        house = load_house("vegas-strip")
    with Company(tmp_path / "bank", house=house, seats=min(4, house.max_seats)) as rig:
        rig.join("ned21")
        changed(
            rig,
            monkeypatch,
            lambda event: [] if isinstance(event, events.DealerPeeked) else [event],
        )
        play(rig, 8)
        found(rig, "by its draw")


def test_who_watches_finds_the_same(rig: Company, monkeypatch: Patch) -> None:
    rig.watch()
    changed(rig, monkeypatch, once(events.HandSettled, payout=-100))
    play(rig, 3)
    assert any("by its draw" in str(each) for each in rig.watchers[0].findings)


def test_null_in_the_place_of_a_card_is_no_message(rig: Company) -> None:
    """The client hears no such thing: the line ends with a sentence."""
    [text, *_] = [text for text in rig.outlet.texts if '"card_dealt"' in text]
    assert decode_message(text)
    for lie in ("null", '""', '"1c"', "[]"):
        with pytest.raises(MessageError):
            decode_message(re.sub(r'"card":"[^"]*"', f'"card":{lie}', text, count=1))
