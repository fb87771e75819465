"""Looking back at one's last rounds: by a typed line, a key, or a program."""

import sys
from pathlib import Path

from support.nursery import run_quickly
from support.terminal import Terminal
from whole.host import Host

CARDS = "Ts 9h 9s 7d Td 8s 9c 9h Td"
SETTINGS = ("--bet-seconds", "600", "--turn-seconds", "600")


def told(host: Host, *options: str, typed: str) -> str:
    command = [sys.executable, "-m", "bj_client", "--server", host.address]
    done = run_quickly([*command, *options], input=typed, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_script_looks_back(tmp_path: Path) -> None:
    plain = ("--handle", "ned21", "--plain", "--ascii")
    with Host(tmp_path / "bank", "--stack", CARDS, *SETTINGS) as host:
        said = told(host, *plain, typed="5\ns\n/history\n/history 0\nn\n")
    assert "The last round of ned21:" in said
    assert "The dealer has 9H 7D 10D (26)." in said
    assert "The hand has 10S 9S (19) for $5.00, won (dealer busted)" in said
    assert "Say how many rounds, 1 to 20" in said


def test_who_watches_has_no_rounds(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", *SETTINGS) as host:
        said = told(host, "--watch", "--plain", typed="/history\nq\n")
    assert "A watcher has no rounds" in said


def test_a_program_is_told_what_came(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", *SETTINGS) as host:
        command = [sys.executable, "-m", "bj_client", "--server", host.address]
        with Terminal("bj_client", *command[3:], "--handle", "ned21", "--json") as line:
            line.until('"type":"snapshot"')
            line.press('{"type":"recall","rounds":2}\r', '"type":"recalled"')
            line.child.send('{"type":"leave"}\r')
            assert line.end() == 0


def test_a_page_of_the_screen_shows_the_rounds(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--stack", CARDS, *SETTINGS) as host:
        known = ("--server", host.address, "--pace", "0", "--handle", "ned21")
        with Terminal("bj_client", *known, size=(100, 30), HOME=str(tmp_path)) as ned:
            ned.until("▶ Bet $1")
            ned.press("5\r", "▶ Hit, stand or double?")
            ned.press("s", "▶ New deal?")
            ned.press("m", "The last round of ned21")
            ned.until("The dealer has 9♥ 7♦ 10♦ (26).")
            ned.press(" ", "▶ New deal?")
            ned.click("m My rounds", "The last round of ned21")
            ned.press(" q", "Good-bye, ned21: 1 round, 1 won")
            assert ned.end() == 0
