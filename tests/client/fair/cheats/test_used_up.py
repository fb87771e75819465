"""Cheats by what nobody tells: shoes that are used up, aces that a clock values."""

from pathlib import Path

import pytest

from bj_client.fair.finding import RefutedError
from bj_client.fair.known_shoe import KnownShoe
from bj_game.card import PACK
from bj_game.house import House
from bj_protocol import commands, events
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table.inbox import FromLine
from support.cheating import HOME, assert_found, bet_all, noted, play
from support.company import Company

AT_ONCE = commands.AceHigh, commands.AceLow


@pytest.mark.parametrize("name", [HOME, "cs220", "iipp6", "dsc20"])
def test_a_shoe_that_was_to_be_shuffled_before_is_found_by_its_call(name: str) -> None:
    """We come back, and it is not known whether the last round has used it up."""
    house = load_house(name)
    call = used_up(house)
    with pytest.raises(RefutedError, match="that was to be shuffled before"):
        KnownShoe().call(call, house)


def used_up(house: House) -> events.BetsClosed:
    """Return a call from a shoe of which no house of its kind deals any more."""
    seal = "ab" * 32
    if house.shoe == "never_refilled":
        return events.BetsClosed(
            round=2, seal=seal, bets=(), left=None, deck=("2s",), below_cut=None
        )
    out = 1 if house.shoe == "every_round" else house.decks - 1
    left = tuple(house.decks - out for _ in PACK)
    cut = 60 if house.shoe == "cut_card" else None
    return events.BetsClosed(round=2, seal=seal, bets=(), left=left, below_cut=cut)


def aces_to_value(rig: Company) -> None:
    for _ in range(1000):
        if rig.is_asked("ned21") and "ace_high" in rig.ask("ned21").actions:
            return
        bet_all(rig) if rig.picture.phase is Phase.BETTING else play(rig, 1, most=1)
    raise AssertionError("no ace")


@pytest.mark.parametrize("place", [0, 1])
def test_aces_that_are_valued_at_once_in_our_place_are_counted_or_found(
    tmp_path: Path, place: int
) -> None:
    """Nothing tells whether the player has valued them, or the clock."""
    with Company(tmp_path / "bank", house=load_house("cs220")) as rig:
        rig.join("ned21")
        for _ in range(2):
            aces_to_value(rig)
            ask = rig.ask("ned21")
            kind = AT_ONCE[ask.actions[place] == "ace_low"]
            rig.send(FromLine(rig.line["ned21"], kind(prompt=ask.prompt)))
            play(rig, 2)
        if place == 0:
            noted(rig, "the clock has decided for us before the time was up")
        what = ("before the time was up by our clock, for the 2", "as the rules never")
        assert_found(rig.players["ned21"], what[place])
