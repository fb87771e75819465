"""The screen in real terminals: whole rounds by keys and by mouse, at a real server."""

import signal
from pathlib import Path

from support.terminal import Terminal
from whole.host import Host

# ned21 splits eights, doubles one half, and stands on the other; the dealer busts.
SPLIT = "8s 6h 8d Th 3c Tc 9s 7d"
# 19 for ned21, 16 and a bust for the dealer.
WON = "Ts 9h 9s 7d Td"
INSURED = "Ts Ah 9s Kd"
SETTINGS = ("--bet-seconds", "600", "--turn-seconds", "600")


def sit(host: Host, home: Path, *options: str, size: tuple[int, int]) -> Terminal:
    known = ("--server", host.address, "--pace", "0", *options)
    return Terminal("bj_client", *known, size=size, HOME=str(home))


def test_a_round_with_a_split_is_played_by_keys_in_the_smallest_window(
    tmp_path: Path,
) -> None:
    with (
        Host(tmp_path / "bank", "--stack", SPLIT, *SETTINGS) as host,
        sit(host, tmp_path, "--handle", "ned21", size=(40, 16)) as ned,
    ):
        ned.until("▶ Bet $1")
        ned.press("100", "$100▏")
        ned.press("\r", "▶ Hit, stand, double or split?")
        ned.press("p", "▶ Hand 1: ")
        ned.press("d", "▶ Hand 2: ")
        ned.press("s", "▶ New deal?")
        assert "won +$200" in ned.text
        assert "won +$100" in ned.text
        ned.until("bank $10,300")
        ned.press("q", "Good-bye, ned21: 1 round, 2 won, 0 lost")
        assert ned.end() == 0


def test_a_round_is_played_by_mouse(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", "--stack", f"{WON} {INSURED}", *SETTINGS) as host,
        sit(host, tmp_path, "--handle", "ned21", size=(100, 30)) as ned,
    ):
        ned.until("▶ Bet $1")
        ned.click("x $25", "$25▏")
        ned.click("w Twice", "$50▏")
        ned.click("Deal", "▶ Hit, stand or double?")
        ned.click("s Stand", "▶ New deal?")
        assert "won +$50" in ned.text
        ned.click("Deal", "▶ Bet $1")
        ned.click("b Again", "$50▏")
        ned.click("Deal", "▶ Insurance")
        ned.click("i Insurance", "$25▏")
        ned.click("i Insurance", "▶ Hit, stand or double?")
        ned.click("s Stand", "▶ New deal?")
        ned.until("net +$25")
        ned.click("q Leave", "Good-bye, ned21: 2 rounds")
        assert ned.end() == 0


def test_others_are_waited_for_and_a_decision_is_chosen_ahead(tmp_path: Path) -> None:
    cards = "Ts 9c 9h 9s 8c 7d Td"
    with (
        Host(tmp_path / "bank", "--stack", cards, *SETTINGS) as host,
        sit(host, tmp_path, "--handle", "ned21", size=(80, 24)) as ned,
        sit(host, tmp_path, "--watch", size=(80, 24)) as onlooker,
    ):
        ned.until("▶ Bet $1")
        with sit(host, tmp_path, "--handle", "lia9", size=(80, 24)) as lia:
            lia.until("▶ Bet $1")
            ned.press("5\r", "Waiting for lia9")
            lia.press("7\r", "Waiting for ned21; h, s, d or p")
            lia.press("s", "Waiting for ned21; you will stand")
            ned.until("▶ Hit, stand or double?")
            onlooker.until("Waiting for ned21")
            assert "Stand" not in onlooker.text
            ned.press("s", "▶ New deal?")
            for terminal in (ned, lia, onlooker):
                terminal.until("17 $7")
                terminal.until("won +$7")
            lia.press("q", "Good-bye, lia9")
            assert lia.end() == 0
        onlooker.child.send("q")
        assert onlooker.end() == 0
        ned.press("q", "Good-bye, ned21")
        assert ned.end() == 0


def test_two_players_share_the_screen(tmp_path: Path) -> None:
    cards = "Ts 9c 9h 9s 8c 7d Td"
    handles = ("--handle", "ned21", "--handle", "lia9")
    with (
        Host(tmp_path / "bank", "--stack", cards, *SETTINGS) as host,
        sit(host, tmp_path, *handles, size=(100, 30)) as both,
    ):
        both.until("▶ ned21: Bet $1")
        both.press("5\r", "▶ lia9: Bet $1")
        both.press("7\r", "▶ ned21: Hit")
        both.press("s", "▶ lia9: Hit")
        both.press("s", "▶ ned21: New deal?")
        both.press("q", "Good-bye, lia9")
        assert "Good-bye, ned21: 1 round, 1 won" in both.text
        assert both.end() == 0


def test_the_window_changes_its_size_in_the_middle_of_a_hand(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", "--stack", WON, *SETTINGS) as host,
        sit(host, tmp_path, "--handle", "ned21", size=(100, 30)) as ned,
    ):
        ned.until("▶ Bet $1")
        ned.press("5\r", "▶ Hit, stand or double?")
        ned.resize(30, 10)
        ned.until("too small")
        ned.resize(60, 20)
        ned.until("▶ Hit, stand or double?")
        ned.press("s", "▶ New deal?")
        ned.press("\x04", "Good-bye, ned21: 1 round, 1 won")
        assert ned.end() == 0


def test_chat_and_pages_come_and_go(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", *SETTINGS) as host,
        sit(host, tmp_path, "--handle", "ned21", "--ascii", size=(80, 24)) as ned,
    ):
        ned.until("> Bet $1")
        ned.press(":", "Say: _")
        ned.press("hello 5 q\r", "ned21 says: hello 5 q")
        ned.press("/dance", " /dance_")
        ned.press("\r", "That is none of the words with a slash")
        ned.press("r", "The rules of")
        ned.press(" ", "> Bet $1")
        ned.press("?", "Ctrl-C and Ctrl-D leave at once.")
        ned.press(" q", "Good-bye, ned21: 0 rounds")
        assert ned.end() == 0


def test_a_server_that_stops_is_said_on_the_terminal_that_was_there(
    tmp_path: Path,
) -> None:
    with (
        Host(tmp_path / "bank", *SETTINGS) as host,
        sit(
            host, tmp_path, "--handle", "ned21", "--reconnect", "0", size=(80, 24)
        ) as n,
    ):
        n.until("▶ Bet $1")
        host.process.send_signal(signal.SIGTERM)
        n.until("Good-bye, ned21")
        assert n.end() == 6
        assert "Traceback" not in n.text
