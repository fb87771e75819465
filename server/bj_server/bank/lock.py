"""The lock on a bank folder: one server at a time.

The lock is the system's ``flock`` on the file ``lock``, which ends with the process
that took it, however that ends. The text in the file says who took it, for people; it
is never asked whether somebody still holds it, so that a number of a process that
was used again, or is 1 in every container, means nothing.
"""

import contextlib
import fcntl
import os
import socket
from pathlib import Path

from bj_server.bank.clock import Clock, stamp, utc_now
from bj_server.bank.disk import check_regular, give_to_owner, lacking, naming
from bj_server.bank.error import FolderLocked

__all__ = ["FolderLock"]

_LONGEST_HOLDER = 200


class FolderLock:
    """Holds a folder from its making until ``release`` or the process's end.

    Raises:
        FolderLocked: if another process, or this one, holds the folder.
        BankUnusable: if the file cannot be opened or locked.
    """

    def __init__(self, folder: Path, *, now: Clock = utc_now) -> None:
        """Take the lock at once or not at all."""
        self.folder = folder
        """What is locked."""
        self._now = now
        self._descriptor = self._open()

    def renew(self) -> None:
        """Take the lock anew, if the folder was deleted and made again.

        Raises:
            FolderLocked: if another server has taken the new folder.
            BankUnusable: if the file cannot be opened or locked.
        """
        path = self.folder / "lock"
        if path.exists() and os.path.samestat(path.stat(), os.fstat(self._descriptor)):
            return
        old, self._descriptor = self._descriptor, self._open()
        os.close(old)

    def release(self) -> None:
        """Let the next server in. The file stays: removing it would race."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _open(self) -> int:
        path = self.folder / "lock"
        with naming(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK
            descriptor = os.open(path, flags, 0o600)
            try:
                check_regular(descriptor, path)
                give_to_owner(descriptor, self.folder)
                self._take(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        _write_holder(descriptor, self._now)
        return descriptor

    def _take(self, descriptor: int) -> None:
        try:
            with lacking("flock"):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderLocked(self.folder, _holder(descriptor)) from None


def _holder(descriptor: int) -> str:
    raw = os.pread(descriptor, _LONGEST_HOLDER, 0)
    text = "".join(c for c in raw.decode("ascii", "replace") if c.isprintable())
    return text or "another server"


def _write_holder(descriptor: int, now: Clock) -> None:
    text = f"process {os.getpid()} on {socket.gethostname()} since {stamp(now())}"
    # It is information only: on a full disk the lock holds without it.
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text.encode("ascii", "replace"), 0)
