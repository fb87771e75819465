"""Rows 8 and 14 on the whole screen: the messages of a hand, its pace and its cards."""

from pathlib import Path

from support.terminal import Terminal
from whole.host import Host

REACHED, BUSTED = "Ts 9h 6s 9d 5c", "Tc 9c 6h 7d 9s"
"""16 that is hit to 21, and 16 that is hit to 25."""


def sit(host: Host, home: Path, *options: str) -> Terminal:
    known = ("--server", host.address, "--handle", "ned21", *options)
    return Terminal("bj_client", *known, size=(100, 30), HOME=str(home))


def test_cpsc386_08_the_screen_asks_until_21_or_bust_with_a_message_for_either(
    tmp_path: Path,
) -> None:
    stack = ("--stack", f"{REACHED} {BUSTED}", "--no-clock")
    with (
        Host(tmp_path / "bank", *stack) as host,
        sit(host, tmp_path, "--pace", "0") as ned,
    ):
        ned.until("▶ Bet $1")
        ned.press("1\r", "▶ Hit, stand or double?")
        ned.press("h", "▶ New deal?")
        assert "ned21 has reached 21." in ned.text
        ned.press("\r", "▶ Bet $1")
        ned.press("1\r", "▶ Hit, stand or double?")
        ned.press("h", "▶ New deal?")
        assert "ned21 has busted with 25." in ned.text
        ned.press("q", "Good-bye, ned21")
        assert ned.end() == 0


def test_cpsc386_14_the_screen_deals_card_by_card_in_unicode_until_it_is_hurried(
    tmp_path: Path,
) -> None:
    with (
        Host(tmp_path / "bank", "--stack", "Ts 9h 9d 8c", "--no-clock") as host,
        sit(host, tmp_path, "--pace", "60") as ned,
    ):
        ned.until("▶ Bet $1")
        ned.press("1\r", "The dealer deals")  # and then waits for a minute
        assert "│10♠ " not in ned.text
        ned.press(" ", "▶ Hit, stand or double?")
        for card in ("10♠", "9♥", "9♦"):
            assert f"│{card} " in ned.text
        ned.press("q", "Leave all the same?")
        ned.press("q", "Good-bye, ned21")
        assert ned.end() == 0
