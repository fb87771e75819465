"""Ctrl-C after the last word of a client changes neither its status nor its words."""

import subprocess
import sys

PROGRAM = """
import atexit, os, signal, sys
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["bj-client", "--handle", "ned21", "--server", "127.0.0.1:1"]
from bj_client.__main__ import main
main()
"""


def test_ctrl_c_once_the_client_has_said_all_is_not_heard() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 3
    assert ended.stderr.startswith("There is no blackjack server at 127.0.0.1:1")
    assert "KeyboardInterrupt" not in ended.stderr
