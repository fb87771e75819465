"""Faults of our own while a shoe is cut: the table goes on, from one that was cut."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_server.settings import load_house
from bj_server.table.cutting import Cutting
from bj_server.table.felt import Felt
from bj_server.table.inbox import Quit, Reshuffle
from bj_server.table.shoes import Shoes
from bj_server.table.stream import Stream
from company import Company
from gambler import legal_answer

PLACES: list[tuple[type[Any], str]] = [
    (Cutting, "hear"),
    (Cutting, "_show_commitments"),
    (Cutting, "_shuffle"),
    (Felt, "begin"),
    (Felt, "freshen"),
    (Felt, "end_stream"),
    (Felt, "_reveal"),
    (Felt, "_replace_shoe"),
    (Felt, "_await_cut"),
    (Felt, "_shuffle"),
    (Felt, "_post_shoe"),
    (Shoes, "begin"),
    (Shoes, "end"),
    (Shoes, "next"),
    (Stream, "numbers"),
]


class Fault(Exception):
    """What goes wrong on purpose."""


def fail_once(
    patch: pytest.MonkeyPatch, place: tuple[type[Any], str], *, at: int, is_done: bool
) -> Callable[[], bool]:
    """Have the call number ``at`` fail, before or after it; tell whether it has."""
    owner, name = place
    honest, calls = getattr(owner, name), 0

    def faulty(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        done = honest(*arguments, **named) if calls != at or is_done else None
        if calls == at:
            raise Fault(name)
        return done

    patch.setattr(owner, name, faulty)
    return lambda: calls >= at


def play_on(rig: Company, chance: random.Random, rounds: int) -> None:
    """Play so many rounds, to see that the table goes on."""
    last, steps = rig.table.felt.round + rounds, 0
    while rig.table.felt.round < last:
        steps += 1
        assert steps < 200 * rounds, "the table is stuck"
        asked = [s for s in rig.table.felt.seats if s.ask]
        if not asked:
            rig.wait(31)
            continue
        assert not rig.table.felt.is_shoe_over
        assert asked[0].ask is not None
        rig.answer(asked[0].handle, legal_answer(chance, asked[0].ask))


@pytest.mark.parametrize("is_done", [False, True])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[1])
@pytest.mark.parametrize(
    "at", [1, *(pytest.param(n, marks=pytest.mark.torture) for n in (2, 3, 4))]
)
def test_after_a_fault_in_a_cut_the_next_shoe_is_cut_and_proven(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: tuple[type[Any], str],
    at: int,
    *,
    is_done: bool,
) -> None:
    chance = random.Random(f"{place[1]} {at} {is_done}")
    house = load_house(chance.choice(("cpsc386", "iipp6", "dsc20", "cs1114")))
    with Company(tmp_path / "bank", house=house, seats=1) as rig:
        rig.watch()
        rig.join("ned21")
        with monkeypatch.context() as patch:
            has_failed = fail_once(patch, place, at=at, is_done=is_done)
            for _ in range(4):
                play_on(rig, chance, 1)
                rig.send(Reshuffle())
        assert has_failed()
        play_on(rig, chance, 2)
        rig.send(Quit(rig.line["ned21"]))
        for player in rig.everyone():
            player.remarks += player.checker.finish()
            assert not player.findings
            assert player.checker.tally.open == 0
            assert player.checker.tally.proven >= 2
        assert rig.table.felt.bound is None
