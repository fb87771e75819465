"""The game of ``specs/iipp6.txt`` on the whole screen, by its three buttons."""

import re
from pathlib import Path

import pytest

from support.terminal import Terminal
from whole.host import Host

STACK = "Ts 9h 9s 8d"
"""19 against 17; the rounds after it are those of a seed, in which nobody has 21."""
SEEDED = ("--house", "iipp6", "--no-clock", "--seed", "5")
BACK = re.compile(r"│▒+│ │9♥ +│")
"""The hole card's back, as the dealer's first card, and the upcard."""


def sit(host: Host, home: Path, *options: str) -> Terminal:
    known = ("--server", host.address, "--handle", "ned21", "--pace", "0", *options)
    return Terminal("bj_client", *known, size=(100, 30), HOME=str(home))


def test_iipp6_01_title_buttons_and_cards_are_on_the_screen(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", *SEEDED, "--stack", STACK) as host,
        sit(host, tmp_path) as ned,
    ):
        ned.until("▶ Hit or stand?")
        assert ned.text.startswith(" Blackjack")
        assert BACK.search(ned.text)
        assert "│10♠ " in ned.text
        assert "│8♦ " not in ned.text
        assert "d Deal   h Hit   s Stand   r Rules" in ned.text
        ned.click("s Stand", "▶ You win. New deal?")
        assert re.search(r"│8♦ +│ │9♥ +│", ned.text)
        ned.click("d Deal", "▶ Hit or stand?")
        ned.click("h Hit", " gets ")
        ned.press("\x04", "Good-bye, ned21")
        assert ned.end() == 0


@pytest.mark.parametrize(
    ("stack", "key", "message"),
    [
        ("Ts 9h 6s 8d Kd", "h", "You have busted. New deal?"),
        ("Ts 9h 7s 8d", "s", "The dealer wins ties. New deal?"),
    ],
)
def test_iipp6_02_messages_are_on_the_screen(
    tmp_path: Path, stack: str, key: str, message: str
) -> None:
    with (
        Host(tmp_path / "bank", *SEEDED, "--stack", stack) as host,
        sit(host, tmp_path) as ned,
    ):
        ned.until("▶ Hit or stand?")
        ned.press(key, f"▶ {message}")
        ned.press("q", "Good-bye, ned21")
        assert ned.end() == 0


def test_iipp6_03_a_round_is_dealt_at_once_and_deal_in_its_middle_loses_it(
    tmp_path: Path,
) -> None:
    with (
        Host(tmp_path / "bank", *SEEDED, "--stack", STACK) as host,
        sit(host, tmp_path) as ned,
    ):
        ned.until("▶ Hit or stand?")  # no key was pressed for it
        assert "48 cards left" in ned.text
        ned.press("d", "You lost the round.")
        ned.until("score -1")
        ned.until("▶ Hit or stand?")
        assert "round 2" in ned.text
        assert "48 cards left" in ned.text
        assert not BACK.search(ned.text)
        ned.press("q", "Leave all the same?")
        ned.press("q", "Good-bye, ned21")
        assert ned.end() == 0


def test_iipp6_04_the_score_on_the_screen_is_wins_minus_losses(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", *SEEDED, "--stack", STACK) as host,
        sit(host, tmp_path) as ned,
    ):
        ned.until("score 0")
        ned.until("▶ Hit or stand?")
        ned.press("s", "score 1")
        ned.until("▶ You win. New deal?")
        ned.press("d", "▶ Hit or stand?")
        for number in (0, -1, -2):
            ned.press("d", f"score {number}")
            ned.until("▶ Hit or stand?")
        ned.press("qq", "Good-bye, ned21")
        assert ned.end() == 0
