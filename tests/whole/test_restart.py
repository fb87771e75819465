"""A server stops under its players and starts again; or does not."""

import os
import re
import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bj_client.error import Exit
from support.terminal import Terminal
from whole.host import Host

CARDS = "Ts 9h 9s 7d"
"""19 for ned21, 16 for the dealer."""


def sit(host: Host, handle: str, *options: str) -> Terminal:
    named = ("--server", host.address, "--handle", handle, "--pace", "0")
    return Terminal("bj_client", "--line", *named, *options)


def test_a_player_goes_on_where_the_server_was_stopped(tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    with ExitStack() as stack:
        with Host(bank, "--stack", f"{CARDS} Td") as host:
            terminal = stack.enter_context(sit(host, "ned21"))
            terminal.until("Bet ($1 to $10,000")
            terminal.answer("100", "Hit (h), stand (s) or double (d)?")
        terminal.until(f"The line to {host.address} is lost; trying again...")
        terminal.answer("h", "The line is lost, so that counts for nothing")
        stack.enter_context(Host(bank, "--stack", f"{CARDS} Td"))
        terminal.until(f"The line to {host.address} is back.")
        terminal.until("Hit (h), stand (s) or double (d)?")
        terminal.answer("s", "ned21 stands with 19")
        terminal.until("ned21 wins $100.00 with 19")
        terminal.answer("n", "Good-bye")
        assert terminal.end() == Exit.LEFT
        assert "bank $10,100.00" in terminal.text
        assert terminal.text.count("ned21 bets") == 1


def by_signal(number: signal.Signals) -> Callable[[Terminal], None]:
    return lambda terminal: os.kill(terminal.child.pid, number)


LEAVING: dict[str, tuple[Callable[[Terminal], object], Exit]] = {
    "q": (lambda terminal: terminal.child.send("q\r"), Exit.LEFT),
    "ctrl-d": (lambda terminal: terminal.child.sendeof(), Exit.LEFT),
    "ctrl-c": (lambda terminal: terminal.child.sendintr(), Exit.INTERRUPTED),
    "sigterm": (by_signal(signal.SIGTERM), Exit.TERMINATED),
    "sighup": (by_signal(signal.SIGHUP), Exit.HANGUP),
}
"""What a player does to leave, and the exit code, by handle."""


def test_who_waits_for_a_lost_line_can_leave_at_once(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with Host(tmp_path / "bank", "--seats", "5") as host:
            terminals = {
                handle: stack.enter_context(sit(host, handle)) for handle in LEAVING
            }
            for terminal in terminals.values():
                terminal.until("Bet ($1 to $10,000")
        for handle, (leave, code) in LEAVING.items():
            terminal = terminals[handle]
            terminal.until("trying again...")
            leave(terminal)
            assert terminal.end() == code, handle
            assert "Traceback" not in terminal.text


def test_a_server_that_does_not_come_back_in_time_is_the_end(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with Host(tmp_path / "bank") as host:
            terminal = stack.enter_context(sit(host, "ned21", "--reconnect", "0.5"))
            terminal.until("Bet ($1 to $10,000")
        assert terminal.end() == Exit.LOST
        assert "trying again..." in terminal.text
        assert "join again once it" in re.sub(r"\s+", " ", terminal.text)


def test_the_end_of_a_private_server_is_that_of_the_visit(tmp_path: Path) -> None:
    with Terminal(
        "bj_client", "--solo", "--line", XDG_DATA_HOME=str(tmp_path)
    ) as terminal:
        terminal.until("Setting up your private table: a moment.")
        terminal.until("Bet ($1 to $10,000")
        pid = terminal.child.pid
        (server,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        os.kill(int(server), signal.SIGKILL)
        assert terminal.end() == Exit.LOST
        assert "Traceback" not in terminal.text
