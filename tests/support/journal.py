"""A journal alone, and a disk that holds it up."""

import errno
import os
import threading
from pathlib import Path

import pytest

from bj_server.bank.history import begin, go_on, read_history
from bj_server.bank.journal import Journal
from bj_server.bank.line import Line, act, command
from bj_server.bank.move import Clock, Posting
from bj_server.bank.reader import Position, Visit

NOTE = command(None, [act(Posting(kind="note", data={"text": "hello"}))], None)


def open_journal(folder: Path, now: Clock, visit: Visit = lambda line: None) -> Journal:
    history = read_history(folder, None, visit)
    if history.number == 0:
        begin(folder, 1, Position(), now)
        history = read_history(folder, None, visit)
    return go_on(folder, history, now)[0]


class Disk:
    """Stands in for the system's sync, which it holds up, counts or fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: OSError | None = None
        self.gate = threading.Event()
        self.entered = threading.Semaphore(0)
        self.gate.set()
        self.syncs = 0
        monkeypatch.setattr(os, "fdatasync", self.fdatasync)

    def fdatasync(self, descriptor: int) -> None:
        self.entered.release()
        assert self.gate.wait(60)
        self.syncs += 1
        if self.error is not None:
            raise self.error


def seen(folder: Path, now: Clock) -> list[Line]:
    lines: list[Line] = []
    journal = open_journal(folder, now, lines.append)
    journal.close()
    return lines


def missing(*_: object) -> int:
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def full_disk(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
