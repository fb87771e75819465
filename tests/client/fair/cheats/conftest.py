"""A table whose server cheats, and the whole client that hears of it.

What a cheat tells is chained and signed as if it were true, unless it is told to one
line. A test says what the check of a player finds; then the client hears the same, in
lines or on the screen, and must tell it to people.
"""

import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_game.house import House
from bj_server.settings import HOUSES, load_house
from support.cheating import HOME, play
from support.company import Company, repeatable
from support.hands import Keys, Lines
from support.hearing import assert_seen

_OTHERS = [name for name in HOUSES if name != HOME]


@pytest.fixture(
    autouse=True,
    params=[
        "today",
        *(
            pytest.param(name, marks=pytest.mark.torture)
            for name in ("lines", "keys", *_OTHERS)
        ),
    ],
)
def way(request: pytest.FixtureRequest) -> str:
    """Return how a cheat is played.

    Today it is played at the house at home before the check of a player. The whole
    client hears one in five, by turns in lines and on the screen. The long tests have
    it hear all of them in both, and the check of a player those of all other houses.
    """
    way: str = request.param
    return way


@pytest.fixture
def house(way: str) -> House:
    """Return the rules of the table."""
    return load_house(way if way in HOUSES else HOME)


@pytest.fixture
def two_seats(house: House) -> None:
    """Leave out the houses in which nobody sits beside ned21."""
    if house.max_seats < 2:
        pytest.skip("this house has one seat")


@pytest.fixture
def hands_to_play(house: House) -> None:
    """Leave out the houses in which nothing is decided once the bets are down."""
    if not house.hit:
        pytest.skip("in this house nobody is asked in a round")


@pytest.fixture
def hand(way: str, request: pytest.FixtureRequest) -> type[Keys | Lines] | None:
    """Return how a person plays; None where the whole client does not hear."""
    if way == "today" and not getattr(request.module, "ON_BENCH", False):
        way = _TURNS.get(zlib.crc32(_name(request).encode()) % 10, "")
    hands: dict[str, type[Keys | Lines]] = {"lines": Lines, "keys": Keys}
    return hands.get(way)


_TURNS = {0: "lines", 1: "keys"}
"""Who of ten is heard today, and how."""


def _name(request: pytest.FixtureRequest) -> str:
    name: str = request.node.name
    return re.sub("today|lines|keys", "", name)


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have the secrets of a test be the same, whoever hears of it."""
    with repeatable(random.Random(_name(request))):
        yield


@pytest.fixture(autouse=True)
def _whole(
    hand: type[Keys | Lines] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Have the whole client hear what ned21 has heard, or who watches."""
    tables: list[Company] = []
    enter = Company.__enter__

    def entered(table: Company) -> Company:
        tables.append(table)
        return enter(table)

    if hand is not None:
        monkeypatch.setattr(Company, "__enter__", entered)
    yield
    monkeypatch.undo()
    for table in tables:
        for number, player in enumerate(table.everyone()):
            if hand and player.handle in ("ned21", None):
                assert_seen(player, hand, tmp_path / f"whole-{number}")


@pytest.fixture
def rig(
    request: pytest.FixtureRequest, tmp_path: Path, house: House
) -> Iterator[Company]:
    """Return a table at which ned21 and lia9 sit, and have played some rounds."""
    seats = min(4, house.max_seats)
    with Company(tmp_path / "bank", house=house, seats=seats) as rig:
        rig.join("ned21")
        if seats > 1:
            rig.join("lia9")
        play(rig, getattr(request.module, "ROUNDS", 0))
        yield rig
