"""The lobby in real terminals: tables chosen by keys, by mouse, and by lines."""

import contextlib
import socket
from pathlib import Path

import pytest

from support.terminal import Terminal
from whole.host import Host

TABLES = """
[main]
[high]
house = "vegas-strip"
[friends]
seats = 1
code = "open sesame"
"""
WHICH = "Which table?"


@pytest.fixture
def options(tmp_path: Path) -> tuple[str, ...]:
    """Return what starts a server with three tables, one of them private."""
    file = tmp_path / "tables.toml"
    file.write_text(TABLES)
    return ("--tables", str(file), "--no-clock")


def come(host: Host, home: Path, *who: str, **known: str) -> Terminal:
    where = ("--server", host.address, "--pace", "0")
    size = (100, 30) if "--plain" not in who else (200, 60)
    return Terminal("bj_client", *where, *who, size=size, HOME=str(home), **known)


def test_a_table_is_chosen_by_keys(tmp_path: Path, options: tuple[str, ...]) -> None:
    with (
        Host(tmp_path / "bank", *options) as host,
        come(host, tmp_path, "--handle", "ned21") as ned,
    ):
        ned.until(WHICH)
        assert "0 of 4 seats taken" in ned.text
        ned.press("\x1b[B", "▶ 2  high")
        ned.press("\r", "Bet $5")
        assert "Blackjack · high" in ned.text
        with come(host, tmp_path, "--handle", "lia9") as lia:
            lia.until("(ned21)")
            lia.press("\x03", "Interrupted before play began")
            assert lia.end() == 130
        ned.press("q", "Good-bye, ned21")
        assert ned.end() == 0


def test_a_table_is_chosen_by_its_number_and_its_code(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with (
        Host(tmp_path / "bank", *options) as host,
        come(host, tmp_path, "--handle", "ned21") as ned,
        come(host, tmp_path, "--handle", "lia9") as lia,
    ):
        ned.until(WHICH)
        ned.press("3", "The code of friends")
        ned.press("sesame\r", "That is not the code of this private table")
        ned.press("3", "The code of friends")
        ned.press("open sesame\r", "Bet $1")
        assert "Blackjack · friends" in ned.text
        lia.until("1 of 1 seat taken")
        lia.press("3", "The code of friends")
        lia.press("open sesame\r", "Every seat at this table is taken")
        lia.press("1", "Blackjack · main")
        for seat in (ned, lia):
            seat.press("q", "Good-bye")
            assert seat.end() == 0


def test_a_table_is_chosen_by_mouse(tmp_path: Path, options: tuple[str, ...]) -> None:
    with (
        Host(tmp_path / "bank", *options) as host,
        come(host, tmp_path, "--handle", "ned21") as ned,
    ):
        ned.until(WHICH)
        ned.click("friends", "▶ 3  friends")
        ned.click("high", "▶ 2  high")
        ned.click("⏎ Sit", "Blackjack · high")
        ned.until("t Tables")
        ned.click("t Tables", "▶ 2  high")
        ned.click("main", "▶ 1  main")
        ned.click("⏎ Sit", "Blackjack · main")
        ned.press("\x04", "Good-bye, ned21")
        assert ned.end() == 0


@pytest.mark.parametrize("who", [("--handle", "ned21"), ("--watch",)])
def test_a_table_is_looked_on_at(
    tmp_path: Path, options: tuple[str, ...], who: tuple[str, ...]
) -> None:
    with (
        Host(tmp_path / "bank", *options) as host,
        come(host, tmp_path, *who) as onlooker,
    ):
        onlooker.until(WHICH)
        onlooker.press("\x1b[B", "▶ 2  high")
        onlooker.press("w", "You are looking on")
        assert "Blackjack · high" in onlooker.text
        onlooker.press("t", "▶ 2  high")
        onlooker.child.send("q")
        assert onlooker.end() == 0


@pytest.mark.parametrize("mode", [(), ("--line",), ("--plain",)])
def test_a_long_wait_for_the_server_is_told(
    tmp_path: Path, mode: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        options = ("--handle", "ned21", "--server", address, *mode)
        with Terminal("bj_client", *options, HOME=str(tmp_path)) as ned:
            ned.until(f"Waiting for an answer of {address}.")
            ned.press("\x03", "Interrupted before play began")
            assert ned.end() == 130


def test_a_server_that_is_gone_is_told_and_the_list_stays(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with contextlib.ExitStack() as stack:
        with Host(tmp_path / "bank", *options) as host:
            ned = stack.enter_context(come(host, tmp_path, "--handle", "ned21"))
            ned.until(WHICH)
        ned.press("r", "There is no blackjack server at")
        assert "▶ 1  main" in ned.text
        ned.child.send("\x04")
        assert ned.end() == 0


@pytest.mark.parametrize("mode", ["--line", "--plain"])
def test_a_table_is_chosen_by_lines(
    tmp_path: Path, options: tuple[str, ...], mode: str
) -> None:
    with (
        Host(tmp_path / "bank", *options) as host,
        come(host, tmp_path, "--handle", "ned21", mode) as ned,
    ):
        ned.until("Which table (1 to 3)?")
        assert "1. main: cpsc386 (" in ned.text
        assert "3. friends: cpsc386 (" in ned.text
        ned.answer("9", "That is none of the tables: type a number to sit down")
        ned.answer("3", "What is the code of friends?")
        ned.answer("sesame", "That is not the code of this private table")
        ned.answer("r", "Which table (1 to 3)?")
        ned.answer("high", "Bet ($5 to")
        ned.answer("q", "Good-bye, ned21")
        assert ned.end() == 0
        assert "Traceback" not in ned.text


def test_leaving_the_lobby_is_no_error(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with Host(tmp_path / "bank", *options) as host:
        for mode, key in (("--plain", "\x04"), ("--watch", "q")):
            who = (mode,) if mode == "--watch" else ("--handle", "ned21", mode)
            with come(host, tmp_path, *who) as ned:
                ned.until("Which table")
                ned.child.send(key)
                assert ned.end() == 0
                assert "Good-bye" not in ned.text
