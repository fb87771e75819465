"""Row 2: the shoe and its cut card, as players see them who count the cards."""

from collections import Counter
from pathlib import Path

import pytest

from support.serving import serving
from whole.guest import Event, Guest, table
from whole.host import Host
from whole.test_bots import play

CARDS = 8 * 52
BELOW = range(60, 81)
"""How many cards may lie below the cut card."""


async def stand_through_a_shoe(guest: Guest) -> None:
    """Bet a dollar and stand, until a round has been dealt from a fresh shoe."""
    while not has_dealt_a_fresh_shoe(types(guest.events)):
        actions = (await guest.asked())["actions"]
        if "place_bet" in actions:
            await guest.answer("place_bet", 1)
        else:
            await guest.answer("stand" if "stand" in actions else "decline")


def has_dealt_a_fresh_shoe(kinds: list[str]) -> bool:
    is_shuffled = "shoe_shuffled" in kinds
    return is_shuffled and "card_dealt" in kinds[kinds.index("shoe_shuffled") :]


def cut(events: list[Event], *kinds: str) -> list[list[Event]]:
    """Cut the events before the first one of each type in turn."""
    parts = []
    for kind in kinds:
        at = [event["type"] for event in events].index(kind)
        parts.append(events[:at])
        events = events[at:]
    return [*parts, events]


def types(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def faces(events: list[Event]) -> list[str]:
    """Return the cards in the order in which they were shown."""
    told = [e["card"] for e in events if e["type"] in {"card_dealt", "hole_revealed"}]
    return [card for card in told if card != "??"]


async def test_cpsc386_02_the_round_in_which_the_cut_card_comes_is_finished(
    tmp_path: Path,
) -> None:
    places, drawn_after = set(), 0
    for seed in (1, 2, 3):
        options = ("--seed", str(seed))
        async with table(tmp_path / str(seed), "ned21", options=options) as (ned,):
            await stand_through_a_shoe(ned)
        before, finish, pause, fresh = cut(
            ned.events, "cut_card_reached", "round_ended", "shoe_shuffled"
        )
        # Counted, and not as the server says it: one card each time.
        dealt = types(before).count("card_dealt")
        assert CARDS - dealt in BELOW
        assert ned.seen("round_began")[0]["until_cut"] == dealt
        assert "hand_settled" in types(finish)
        for kind in ("round_began", "betting_opened"):
            assert kind not in types(finish)
        assert "round_began" not in types(pause)
        # Then it is shuffled, and a cut card is placed again.
        assert (fresh[0]["decks"], fresh[0]["cards"]) == (8, CARDS)
        assert fresh[0]["until_cut"] is None
        (began,) = (event for event in fresh if event["type"] == "round_began")
        assert CARDS - began["until_cut"] in BELOW
        assert max(Counter(faces(before)).values()) <= 8
        assert len(set(faces(before))) == 52
        assert faces(fresh)[:3] != faces(before)[:3]
        places |= {dealt, began["until_cut"]}
        drawn_after += types(finish).count("card_dealt")
    assert len(places) > 3
    assert drawn_after


async def test_cpsc386_02_the_place_of_the_cut_card_is_random(tmp_path: Path) -> None:
    below = []
    for seed in range(20):
        options = ("--seed", str(seed))
        async with table(tmp_path / str(seed), "ned21", options=options) as (ned,):
            shoe = ned.snapshot["shoe"]
            assert (shoe["decks"], shoe["cards_left"]) == (8, CARDS)
            assert shoe["until_cut"] is None  # it is placed with the first round
            await ned.answer("place_bet", 5)
            began = ned.seen("round_began")[0]
            below.append(CARDS - began["until_cut"])
    assert set(below) <= set(BELOW)
    assert len(set(below)) > 5
    assert max(below) - min(below) > 10


async def test_cpsc386_02_eight_decks_have_each_card_eight_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with table(tmp_path, "ned21", stack="As " * 8) as (ned,):
        assert ned.snapshot["shoe"]["cards_left"] == CARDS
    with pytest.raises(SystemExit):
        async with serving(tmp_path / "bank", "--stack", "As " * 9):
            pass
    assert "As" in capsys.readouterr().err


def test_cpsc386_02_the_players_are_told_of_the_cut_card_and_the_shuffle(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank", "--seed", "1") as host:
        said = play(host, tmp_path, "dealer", 75)
    out = said.index("The cut card is out: the shoe is shuffled after this round.")
    shuffled = [
        at
        for at, line in enumerate(said)
        if line == "The dealer shuffles 8 decks, 416 cards."
    ]
    assert len(shuffled) == 1
    over = [line for line in said[out : shuffled[0]] if line.endswith(" is over.")]
    assert len(over) == 1
    after = said[shuffled[0] :]
    deals = "The bets are closed and the dealer deals to ned21."
    assert any(line.startswith(f"{deals} The cut card comes after") for line in after)
