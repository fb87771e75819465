"""Ctrl-C after the last word of a client changes neither its status nor its words."""

import subprocess
import sys

import pytest

PROGRAM = """
import asyncio, atexit, os, signal, sys
{interrupted}
sys.argv = ["bj-client", "--handle", "ned21", "--server", "127.0.0.1:1"]
from bj_client.__main__ import main
main()
"""

AT_EXIT = "atexit.register(os.kill, os.getpid(), signal.SIGINT)"

WHILE_THE_LOOP_CLOSES = """
from asyncio.selector_events import BaseSelectorEventLoop as Loop
def close(loop, close=Loop._close_self_pipe):
    close(loop)
    os.kill(os.getpid(), signal.SIGINT)
Loop._close_self_pipe = close
"""


@pytest.mark.parametrize("interrupted", [AT_EXIT, WHILE_THE_LOOP_CLOSES])
def test_ctrl_c_once_the_client_has_said_all_is_not_heard(interrupted: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(interrupted=interrupted)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 3
    assert ended.stderr.startswith("There is no blackjack server at 127.0.0.1:1")
    assert "KeyboardInterrupt" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
