"""The lock on a bank folder: one server at a time.

The lock is the system's ``flock`` on the file ``lock`` and on the folder itself, which
ends with the process that took it, however that ends. The text in the file says who
took it, for people; it is never asked whether somebody still holds it, so that a number
of a process that was used again, or is 1 in every container, means nothing.
"""

import contextlib
import fcntl
import os
import socket
from pathlib import Path

from bj_server.bank.disk import check_regular, give_to_owner, lacking, naming
from bj_server.bank.error import FolderLockedError
from bj_server.bank.move import Clock, stamp, utc_now

_LONGEST_HOLDER = 200


class FolderLock:
    """Holds a folder from its making until ``release`` or the process's end.

    Raises:
        FolderLockedError: if another process, or this one, holds the folder.
        BankUnusableError: if the file cannot be opened or locked.
    """

    def __init__(self, folder: Path, *, now: Clock = utc_now) -> None:
        """Take the lock at once or not at all."""
        self.folder = folder
        """The folder that is locked."""
        self._now = now
        self._file = self._whole = -1
        try:
            self.renew()
        except BaseException:
            self.release()
            raise

    def renew(self) -> None:
        """Take the lock anew, if file or folder was deleted and made again."""
        path, old, whole = self.folder / "lock", self._file, self._whole
        if not _is_there(path, old):
            self._file = self._open(path)
            _close(old)
        if not _is_there(self.folder, whole):
            self._whole = self._open_folder()
            _close(whole)
        if self._file != old:
            _write_holder(self._file, self._now)

    def release(self) -> None:
        """Let the next server in. The file stays: removing it would race."""
        _close(self._file)
        _close(self._whole)
        self._file = self._whole = -1

    def _open(self, path: Path) -> int:
        with naming(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK
            descriptor = os.open(path, flags, 0o600)
            try:
                check_regular(descriptor, path)
                give_to_owner(descriptor, self.folder)
                with lacking("flock"):
                    self._take(descriptor, descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        return descriptor

    def _open_folder(self) -> int:
        """Lock the folder, too: deleting the file lets nobody else in."""
        with naming(self.folder):
            descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._take(descriptor, self._file)
        except FolderLockedError:
            os.close(descriptor)
            raise
        except OSError:
            pass  # a network share, perhaps, which locks files alone
        return descriptor

    def _take(self, descriptor: int, file: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderLockedError(self.folder, _holder(file)) from None


def _is_there(path: Path, descriptor: int) -> bool:
    """Whether what was opened is still what stands at ``path``."""
    return (
        descriptor >= 0
        and path.exists()
        and os.path.samestat(path.stat(), os.fstat(descriptor))
    )


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)


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
