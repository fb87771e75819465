"""A real ``bj-server`` on a free port of this machine, for the time of a test."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self


class Host:
    """Starts the server, and stops it by SIGTERM at the end of the block."""

    def __init__(self, bank: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "bj_server",
                "--port",
                "0",
                "--bank",
                bank,
                *options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        found = re.search(r"ws://([\d.]+:\d+)", self.process.stdout.readline())
        assert found, self.process.communicate()
        self.address = found[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=30)
        assert self.process.returncode == 0, errors
        assert errors == ""
