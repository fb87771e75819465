"""A table whose server cheats, and the whole client that hears of it.

What a cheat tells is chained and signed as if it were true, unless it is told to one
line. A test says what the check of a player finds; then the client hears the same, in
lines or on the screen, and must tell it to people.
"""

import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cheating import play
from support.company import Company, repeatable
from support.hands import Keys, Lines
from support.hearing import assert_seen


@pytest.fixture(
    autouse=True, params=["today", pytest.param("else", marks=pytest.mark.torture)]
)
def hand(request: pytest.FixtureRequest) -> type[Keys | Lines]:
    """Return how a person plays, by turns; the long tests do the other one."""
    name = _name(request)
    is_on_screen = zlib.crc32(name.encode()) % 2 == (request.param == "today")
    return Keys if is_on_screen else Lines


def _name(request: pytest.FixtureRequest) -> str:
    name: str = request.node.name
    return name.replace("today", "").replace("else", "")


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have the secrets of a test be the same, whoever hears of it."""
    with repeatable(random.Random(_name(request))):
        yield


@pytest.fixture(autouse=True)
def _whole(
    hand: type[Keys | Lines], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Have the whole client hear what ned21 has heard, or who watches."""
    tables: list[Company] = []
    enter = Company.__enter__

    def entered(table: Company) -> Company:
        tables.append(table)
        return enter(table)

    monkeypatch.setattr(Company, "__enter__", entered)
    yield
    monkeypatch.undo()
    for table in tables:
        for number, player in enumerate(table.everyone()):
            if player.handle in ("ned21", None):
                assert_seen(player, hand, tmp_path / f"whole-{number}")


@pytest.fixture
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Company]:
    """Return a table at which ned21 and lia9 sit, and have played some rounds."""
    with Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        rig.join("lia9")
        play(rig, getattr(request.module, "ROUNDS", 0))
        yield rig
