"""Refills of a dry shoe that are told, left out or dealt otherwise are found."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bj_client.fair.finding import Finding
from bj_game.house import House
from bj_game.shoe import Shoe
from bj_protocol import events
from bj_protocol.commands import Hit
from bj_protocol.views import Phase
from bj_server.table.inbox import Reshuffle
from cheating import answer_to, changed, once
from company import Company, record_of, verified

DRY = House(
    name="dry", title="", decks=1, cut_card_min=0, cut_card_max=0, insurance="none"
)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    """Return a table with one deck, dealt to its end, at which ned21 sits."""
    monkeypatch.setattr("secrets.token_bytes", random.Random(3).randbytes)
    with Company(tmp_path / "bank", house=replace(DRY, split="none")) as rig:
        rig.join("ned21")
        yield rig


def hit_on(rig: Company) -> None:
    """Hit whenever that may be done, until the shoe is empty; then tell its seed."""
    for _ in range(400):
        if is_refilled(rig) and rig.picture.phase is not Phase.PLAYING:
            break
        ask = rig.ask("ned21")
        hits = "hit" in ask.actions
        answer = Hit(prompt=ask.prompt) if hits else answer_to(rig, "ned21")
        rig.answer("ned21", answer)
    assert is_refilled(rig)
    rig.send(Reshuffle())


def is_refilled(rig: Company) -> bool:
    told = [event for update in rig.outlet.updates for event in update.events]
    return any(isinstance(event, events.DiscardsShuffled) for event in told)


def findings_of(rig: Company) -> list[str]:
    """Return what the client finds, having seen that the check of its record agrees."""
    player = rig.players["ned21"]
    found = [str(finding) for finding in player.findings]
    remarks, verification = verified(record_of(player))
    again = [str(remark) for remark in remarks if isinstance(remark, Finding)]
    assert again[: len(found)] == found
    assert bool(verification.findings) is bool(found)
    return found


def test_13_4_a_refill_that_is_told_as_it_was_is_believed(rig: Company) -> None:
    hit_on(rig)
    assert findings_of(rig) == []


def test_13_4_a_refill_of_another_count_is_found(rig: Company) -> None:
    changed(rig, once(events.DiscardsShuffled, cards=1))
    hit_on(rig)
    assert findings_of(rig)


def test_13_4_a_refill_that_is_not_told_is_found(rig: Company) -> None:
    def hide(event: events.Event) -> list[events.Event]:
        return [] if isinstance(event, events.DiscardsShuffled) else [event]

    changed(rig, hide)
    hit_on(rig)
    assert findings_of(rig)


def test_13_4_a_refill_of_a_shoe_that_is_not_dry_is_found(rig: Company) -> None:
    done: list[int] = []

    def add(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.CardDealt) and not done:
            done.append(1)
            return [events.DiscardsShuffled(cards=52), event]
        return [event]

    changed(rig, add)
    hit_on(rig)
    assert findings_of(rig)


def test_13_4_a_refill_in_an_order_not_of_the_stream_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    refill = Shoe.refill

    def turn(shoe: Shoe, on_table: int) -> int:
        count = refill(shoe, on_table)
        cards = shoe._cards
        shoe._cards = (*cards[:on_table], *reversed(cards[on_table:]))
        return count

    with monkeypatch.context() as patch:  # the client of this process has it, too
        patch.setattr(Shoe, "refill", turn)
        hit_on(rig)
    _, verification = verified(record_of(rig.players["ned21"]))
    assert verification.findings
