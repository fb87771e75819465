"""Shoes that are refilled within a round, and hole cards that are changed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_game.shoe import Shoe
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.action import Action
from bj_server.settings import load_house
from bj_server.table.context import TableContext
from bj_server.table.playing import Playing
from support.cheating import HOME, Change, changed, found, once, play, without
from support.company import Company

Patch = pytest.MonkeyPatch

ON_BENCH = True
"""The whole client hears these in the long tests alone: they take many rounds."""


def other_label(shoe: Any) -> None:
    """Shuffle the discards from another branch of the draw."""
    shoe._refills = KeyedStream(bytes(32)).branch(b"another")


def other_order(shoe: Any) -> None:
    """Draw the discards from a pile that lies the other way round."""

    def refilled(on_table: int) -> int:
        count = Shoe.refill(shoe, on_table)
        shoe._pile.reverse()
        return count

    shoe.refill = refilled


SHOES: tuple[Callable[[Any], None], ...] = (other_label, other_order)
TOLD: dict[str, Change] = {
    "another count": once(events.DiscardsShuffled, cards=-1),
    "nothing": without(events.DiscardsShuffled),
}


@pytest.fixture
def dry(tmp_path: Path, house: House) -> Any:
    """Return a table with as few cards as the house can do with, dealt to the last."""
    if house.shoe != "cut_card":
        pytest.skip("the shoes of this house are never refilled within a round")
    few: dict[str, Any] = {"decks": 1, "cut_card_min": 0, "cut_card_max": 0}
    house = replace(house, **few, max_spots=1)
    with Company(tmp_path / "bank", house=house, seats=2) as rig:
        rig.join("ned21")
        rig.join("lia9")
        yield rig


def play_dry(rig: Company) -> None:
    """Play on until a round is over in which discards were shuffled."""
    for _ in range(30):
        play(rig, likes=(Action.HIT,))
        if rig.seen(events.DiscardsShuffled) or rig.players["ned21"].findings:
            break
    play(rig)


@pytest.mark.parametrize("change", SHOES)
def test_another_refill_is_found(
    dry: Company, monkeypatch: Patch, change: Callable[[Any], None]
) -> None:
    arrange = TableContext.arrange

    def arranged(context: TableContext, links: Any) -> None:
        arrange(context, links)
        change(context.shoe)

    monkeypatch.setattr(TableContext, "arrange", arranged)
    play_dry(dry)
    found(dry, "by its draw")


@pytest.mark.parametrize("name", TOLD)
def test_a_refill_that_is_told_otherwise_is_found(
    dry: Company, monkeypatch: Patch, name: str
) -> None:
    changed(dry, monkeypatch, TOLD[name])
    play_dry(dry)
    found(dry, "by its draw")


def test_a_hole_card_that_is_changed_after_the_peek_is_found(
    tmp_path: Path, monkeypatch: Patch, house: House
) -> None:
    """The dealer looks, and lays another card of the shoe in its place."""
    if house.name == HOME:  # where nobody peeks
        house = load_house("vegas-strip")
    if house.hole_card != "peek":
        pytest.skip("in this house nobody peeks")
    ask, done = Playing._ask, set[int]()

    def swapped(playing: Playing) -> list[Any]:
        deal, shoe = playing.deal, playing.deal._layout._shoe
        if playing.number not in done and len(deal.dealer.cards) == 2:
            done.add(playing.number)
            deal.dealer.cards[1] = shoe._pile[0]
        return ask(playing)

    monkeypatch.setattr(Playing, "_ask", swapped)
    with Company(tmp_path / "bank", house=house, seats=2) as rig:
        rig.join("ned21")
        rig.join("lia9")
        play(rig, 3)
        found(rig, "by its draw")
