"""Money that is skimmed from one hand, and is missing in every balance after it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from bj_game.house import House
from bj_protocol import events
from bj_protocol.action import Action, SettleReason
from bj_server.settings import load_house
from support.cheating import HOME, changed, found, play, with_fields
from support.company import Company

Patch = pytest.MonkeyPatch

ON_BENCH = True
"""The whole client hears these in the long tests alone: they take many rounds."""


class Skim:
    """A change of the first event that is meant, and of its seat's balances since."""

    def __init__(
        self, kind: type[Any], fields: Callable[[Any], dict[str, int] | None]
    ) -> None:
        """``fields`` tells by how much the numbers of an event are moved, if at all."""
        self._kind, self._fields = kind, fields
        self._seat: int | None = None
        self._cents = 0

    def __call__(self, event: events.Event) -> list[events.Event]:
        moved: dict[str, int] = {}
        if self._seat is None and isinstance(event, self._kind):
            moved = self._fields(event) or {}
            if moved:
                self._seat, self._cents = event.seat, moved.get("balance", 0)
        elif self._seat is not None and getattr(event, "seat", None) == self._seat:
            moved = {"balance": self._cents} if hasattr(event, "balance") else {}
        known = {name: getattr(event, name) + by for name, by in moved.items()}
        return [with_fields(event, **known)]


def paid(is_meant: Callable[[events.HandSettled], bool], share: float) -> Skim:
    """Return what moves the first payout that is meant by a share of it, or a cent."""

    def moved(event: events.HandSettled) -> dict[str, int] | None:
        cents = int(event.payout * share) or -1
        is_due = event.payout > 0 and is_meant(event)
        return {"payout": cents, "balance": cents} if is_due else None

    return Skim(events.HandSettled, moved)


def staked(kind: type[Any], by: int) -> Skim:
    """Return what raises the first stake of a kind."""
    return Skim(kind, lambda event: {"stake": by, "balance": -by})


def by(reason: SettleReason) -> Callable[[events.HandSettled], bool]:
    return lambda event: event.reason is reason


class Has(Protocol):
    """Says whether a house has something."""

    def __call__(self, house: House, /) -> bool: ...


HAS: dict[Action | None, Has] = {
    None: lambda house: house.natural == "3:2",
    Action.SPLIT: lambda house: house.split != "none",
    Action.DOUBLE: lambda house: house.double != "none",
    Action.SURRENDER: lambda house: house.surrender != "none",
    Action.EVEN_MONEY: lambda house: house.even_money,
}
"""Whether a house has what is skimmed: an action, or naturals that pay 3:2."""
SKIMS: dict[str, tuple[Skim, str, Action | None]] = {
    "3:2 on odd cents rounded down": (
        paid(by(SettleReason.NATURAL), 0),
        "vegas-strip",
        None,
    ),
    "3:2 paid as 1:1": (paid(by(SettleReason.NATURAL), -0.2), "vegas-strip", None),
    "a second split hand paid twice": (
        paid(lambda event: event.hand == 1, 1),
        HOME,
        Action.SPLIT,
    ),
    "a second split hand not paid": (
        paid(lambda event: event.hand == 1, -1),
        HOME,
        Action.SPLIT,
    ),
    "a split for another stake": (staked(events.HandSplit, 100), HOME, Action.SPLIT),
    "a double by another amount": (
        staked(events.HandDoubled, 100),
        HOME,
        Action.DOUBLE,
    ),
    "a surrender that gives nothing back": (
        paid(by(SettleReason.SURRENDERED), -1),
        "atlantic-city",
        Action.SURRENDER,
    ),
    "even money that is less": (
        paid(by(SettleReason.EVEN_MONEY), -0.25),
        "vegas-strip",
        Action.EVEN_MONEY,
    ),
}


def odd(house: House) -> House:
    """Return a house with odd bets, half of which is no whole cent, if it pays 3:2.

    A house that splits splits all pairs by value, so that there are more of them.
    """
    if house.split == "rank":
        house = replace(house, split="value")
    if house.natural != "3:2":
        return house
    return replace(house, minimum_bet=1001, bet_step=1)


@pytest.mark.parametrize("name", SKIMS)
def test_money_that_is_skimmed_is_found(
    tmp_path: Path, monkeypatch: Patch, house: House, name: str
) -> None:
    skim, home, what = SKIMS[name]
    house = odd(load_house(home) if house.name == HOME else house)
    if not HAS[what](house):
        pytest.skip("this house has nothing of the kind")
    likes = () if what is None else (what,)
    seats = min(2, house.max_seats)
    with Company(tmp_path / "bank", house=house, seats=seats) as rig:
        for handle in ("ned21", "lia9")[:seats]:
            rig.join(handle)
        changed(rig, monkeypatch, skim)
        for _ in range(600):
            if rig.lies:
                break
            play(rig, likes=likes)
        play(rig)
        assert rig.lies
        found(rig, "by its draw")


@pytest.mark.parametrize("kind", [events.HandSettled, events.CardDealt])
def test_two_spots_that_change_places_are_found(
    tmp_path: Path, monkeypatch: Patch, house: House, kind: type[Any]
) -> None:
    if house.name == HOME:  # where everyone has one spot
        house = load_house("vegas-strip")
    if house.max_spots == 1:
        pytest.skip("in this house everyone has one spot")
    with Company(tmp_path / "bank", house=house, seats=1) as rig:
        rig.join("ned21")

        def swap(event: events.Event) -> list[events.Event]:
            if not isinstance(event, kind) or event.seat == 0 or event.hand > 1:
                return [event]
            return [with_fields(event, hand=1 - event.hand)]

        play(rig, spots=2)
        changed(rig, monkeypatch, swap)
        play(rig, 3, spots=2)
        found(rig, "by its draw")
