"""The shipped houses through the shipped commands: a pipe plays a round of each."""

import sys
from pathlib import Path

import pytest

from bj_server.settings import HOUSES
from support.nursery import run_quickly
from whole.host import Host


def play(host: Host, lines: list[str]) -> str:
    """Play with the lines as input, and return the output."""
    options = ["--plain", "--ascii", "--handle", "ned21", "--server", host.address]
    done = run_quickly(
        [sys.executable, "-m", "bj_client", *options],
        input="".join(line + "\n" for line in lines),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("house", HOUSES)
def test_every_house_plays_through_the_commands(tmp_path: Path, house: str) -> None:
    with Host(tmp_path / "bank", "--house", house, "--seed", "5") as host:
        said = play(host, ["r", "5", "n", "s", "s", "n", "n"])
    assert f"The house plays {house}" in said
    assert "1 round" in said.splitlines()[-1]


def test_cs220_05_the_ace_prompt_is_for_people(tmp_path: Path) -> None:
    stack = ("--house", "cs220", "--stack", "5s 7s 9h 8h As 7c")
    with Host(tmp_path / "bank", *stack) as host:
        said = play(host, ["10", "h", "", "12", "1", "h", "1", "s", "n"])
    assert said.count("Does an ace count 11 (h) or 1 (l)?") == 4
    assert "ned21 counts an ace 1: 13." in said
    assert "ned21 wins $10.00 with 20" in said


def test_european_has_no_hole_card_on_the_screen(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "european", "--stack", "Ts 9h 9s 8h") as h:
        said = play(h, ["10", "s", "n"])
    assert "hidden" not in said
    assert "The dealer gets 8H: 17." in said


def test_atlantic_city_takes_a_surrender(tmp_path: Path) -> None:
    stack = ("--house", "atlantic-city", "--stack", "Ts 9h 6s 8h")
    with Host(tmp_path / "bank", *stack) as host:
        said = play(host, ["10", "u", "n"])
    assert "ned21 surrenders." in said
    assert "net -$5.00" in said


def test_iipp6_a_busted_player_and_the_dealer_wins_ties(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "iipp6", "--stack", "Ts 9h 8s 9d") as host:
        said = play(host, ["10", "s", "n"])
    assert "ned21 loses $10.00 with 18: the dealer wins equal totals here." in said


def test_iipp6_03_a_new_deal_gives_the_round_up_as_a_loss(tmp_path: Path) -> None:
    stack = ("--house", "iipp6", "--stack", "Ts 9h 9s 8d")
    with Host(tmp_path / "bank", *stack) as host:
        said = play(host, ["10", "g", "n"])
    assert "ned21 gives the hand up." in said
    assert "ned21 loses $10.00 with 19: it was given up." in said
    assert "The dealer shuffles one deck, 52 cards." in said
