"""Stopping and going on under a shell: the terminal is the shell's meanwhile."""

import os
import signal
from pathlib import Path

from support.recording import write_record
from support.rig import Lay
from whole.host import Host
from whole.job import Job

WAYS = (None, signal.SIGTSTP, signal.SIGSTOP)
WRAP, CURSOR, ALTERNATE, PASTES = 7, 25, 1049, 2004
FRESH = {WRAP, CURSOR}
MOUSE = {1000, 1003, 1006, 1015}
FULL = {ALTERNATE, PASTES, *MOUSE}
SETTINGS = ("--bet-seconds", "600", "--turn-seconds", "600")


def stop_and_go_on(job: Job, shown: str, modes: set[int]) -> None:
    """Stop the job in each way, and see the terminal before, between and after."""
    during = job.settings
    assert "-icanon" in during
    for way in WAYS:
        job.stop(way)
        if way is not signal.SIGSTOP:
            assert job.settings == job.before
            assert job.modes == FRESH
        job.forget(modes)  # as if another program had ended there
        job.go_on(shown)
        assert job.settings == during
        assert job.modes - FRESH == modes


def test_K6_K8_13_3_the_screen_is_suspended_and_drawn_anew(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", "--stack", "Ts 9h 9s 7d Td", *SETTINGS) as host,
        Job(tmp_path, "--handle", "ned21", "--server", host.address) as ned,
    ):
        ned.until("▶ Bet $1")
        ned.press("5", "$5▏")
        stop_and_go_on(ned, "$5▏", FULL)
        ned.press("\r", "▶ Hit, stand or double?")
        ned.press("s", "▶ New deal?")
        ned.press("q", "Good-bye, ned21: 1 round, 1 won")
        assert ned.end() == 0
        assert ned.settings == ned.before


def test_K6_K8_13_3_a_typed_line_is_suspended_and_goes_on(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", *SETTINGS) as host,
        Job(tmp_path, "--handle", "ned21", "--server", host.address, "--line") as ned,
    ):
        ned.until("Bet (")
        ned.press("12", ")? 12")
        stop_and_go_on(ned, ")? 12", {PASTES})
        ned.press("\x15q\r", "Good-bye, ned21")
        assert ned.end() == 0


def test_K6_K8_13_3_the_lobby_is_suspended_and_drawn_anew(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", "--table", "main", "--table", "high=dsc20") as host,
        Job(tmp_path, "--handle", "ned21", "--server", host.address) as ned,
    ):
        ned.until("Which table?")
        stop_and_go_on(ned, "Which table?", FULL)
        ned.press("q", "shell>")
        assert ned.end() == 0


def test_K6_K8_13_3_a_replay_is_suspended_and_drawn_anew(
    lay: Lay, tmp_path: Path
) -> None:
    rig = lay(stack="Ts 9h 9s 7d Td")
    rig.join("ned21")
    rig.bet("ned21", 5)
    path = write_record(tmp_path / "evening.jsonl", rig, "ned21", seconds=1_000.0)
    with Job(tmp_path, "replay", str(path)) as replay:
        replay.until("Welcome, ned21")
        stop_and_go_on(replay, "Welcome, ned21", FULL)
        replay.press("q", "Good-bye, ned21")
        assert replay.end() == 0


def test_K8_13_3_plain_lines_are_suspended_and_asked_again(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "bank", *SETTINGS) as host,
        Job(tmp_path, "--handle", "ned21", "--server", host.address, "--plain") as ned,
    ):
        ned.until("Bet (")
        ned.child.send("12")
        ned.stop(None)
        assert ned.settings == ned.before
        ned.press("echo was $((1 + 1))\r", "was 2\nshell>")
        ned.go_on("Bet (")
        ned.answer("q", "Good-bye, ned21")
        assert ned.end() == 0


def test_K8_the_first_questions_are_suspended_and_asked_again(tmp_path: Path) -> None:
    with Job(tmp_path, "--server", "127.0.0.1:1") as ned:
        ned.until("How many players (1 to 4)?")
        ned.stop(None)
        ned.go_on("How many players (1 to 4)?")
        ned.press("1\r", "Your handle?")
        ned.stop(signal.SIGSTOP)
        ned.go_on("Your handle?")
        ned.answer("ned21", "There is no blackjack server at")
        ned.until("shell>")


def test_K8_the_trainer_in_lines_is_suspended_and_asks_again(tmp_path: Path) -> None:
    with Job(tmp_path, "--train", "16", "--house", "iipp6", "--plain") as ned:
        ned.until("What do you do?")
        ned.stop(None)
        ned.go_on("What do you do?")
        ned.answer("q", "shell>")
        assert ned.end() == 0


def test_13_3_a_bot_is_suspended_and_plays_on_in_the_background(tmp_path: Path) -> None:
    bot = ("--handle", "ned21", "--bot", "basic", "--pace", "0.1")
    with (
        Host(tmp_path / "bank", *SETTINGS) as host,
        Job(tmp_path, *bot, "--server", host.address) as job,
    ):
        job.until("ned21 bets")
        job.stop(None)
        job.press("bg\n", "is over.")
        assert os.tcgetpgrp(job.child.child_fd) == job.shell


def test_13_3_ctrl_z_twice_stops_once_and_what_is_stopped_can_be_ended(
    tmp_path: Path,
) -> None:
    with (
        Host(tmp_path / "bank", *SETTINGS) as host,
        Job(tmp_path, "--handle", "ned21", "--server", host.address) as ned,
    ):
        ned.until("▶ Bet $1")
        ned.press("\x1a\x1a", "shell>")
        ned.go_on("▶ Bet $1")
        ned.press("5", "$5▏")
        ned.stop(None)
        os.kill(ned.group, signal.SIGTERM)
        os.kill(ned.group, signal.SIGCONT)  # as most shells do for it
        ned.press("wait %1; echo status=$?.\r", "status=143.")
        assert ned.settings == ned.before
        assert ned.modes == FRESH
