"""P4, Q20: a second server on a bank is refused, and the first one plays on."""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pytest

from support.nursery import run_quickly
from whole.host import Host


class Start(Protocol):
    """Runs a command to its end."""

    def __call__(
        self, command: Sequence[str], /
    ) -> subprocess.CompletedProcess[str]: ...


def anew(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in an interpreter of its own, as a host does."""
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False
    )


def refuse(bank: Path, times: int, start: Start) -> float:
    """Start so many second servers; return the seconds of the slowest refusal."""
    command = [sys.executable, "-m", "bj_server", "--port", "0", "--bank", str(bank)]
    slowest = 0.0
    with Host(bank) as host:
        for _ in range(times):
            began = time.monotonic()
            second = start(command)
            slowest = max(slowest, time.monotonic() - began)
            assert (second.returncode, second.stdout) == (4, "")
            assert f"in use by process {host.process.pid}" in second.stderr
    print(f"Q20: {times} second servers refused, the slowest after {slowest:.2f} s")
    return slowest


def test_P4_Q20_some_second_servers_are_refused(tmp_path: Path) -> None:
    refuse(tmp_path / "bank", 2, run_quickly)


@pytest.mark.torture
def test_P4_Q20_fifty_second_servers_are_refused_within_two_seconds(
    tmp_path: Path,
) -> None:
    assert refuse(tmp_path / "bank", 50, anew) < 2
