"""The key file: one key, in a file that only its owner can read.

It is made whole or not at all, closed to others from its first moment on, and is on the
disk before its key is shown to any server: a key that was shown and then lost would
lock its own player out. On Windows files have no modes: a key is closed to others as
far as its folder is, and the folder of a user's own data is.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from bj_client.ending import KeyUnusable
from bj_client.system import IS_UNIX, OPENED, sync_folder
from bj_protocol.key import is_key

_MOST = 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class KeyFile:
    """The place of one key, whether it is there already or not."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Look after ``path``; ``warn`` takes sentences for the player."""
        self.path = path
        self._warn = warn

    def read(self) -> str | None:
        """Return the key; None where there is no file, or no way to it.

        A file that others can read is closed to them, with a warning.

        Raises:
            KeyUnusable: if there is something else, or it may not be read.
        """
        try:
            descriptor = os.open(self.path, os.O_RDONLY | OPENED)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if not os.access(self.path.parent, os.X_OK):
                return None
            raise KeyUnusable(self.path, f"cannot be read ({error.strerror})") from None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise KeyUnusable(self.path, "is no file")
            self._close_to_others(descriptor)
            text = os.read(descriptor, _MOST).decode("ascii", "replace").strip()
        finally:
            os.close(descriptor)
        if not is_key(text):
            raise KeyUnusable(self.path, "holds no key")
        return text

    def keep(self, key: str) -> str:
        """Put a new key there, and return it; or the one that somebody put there first.

        Raises:
            OSError: if it cannot be written; then nothing is there.
            KeyUnusable: if what somebody put there first is no key.
        """
        write_whole(self.path, key, _put)
        kept = self.read()
        if kept is None:
            raise FileNotFoundError(None, "it points nowhere")
        return kept

    def _close_to_others(self, descriptor: int) -> None:
        if not (IS_UNIX and os.fstat(descriptor).st_mode & _OTHERS):
            return
        try:
            os.fchmod(descriptor, 0o600)
        except OSError:
            reason = "can be read by others and is not yours to close"
            raise KeyUnusable(self.path, reason) from None
        self._warn(
            f"The key file {self.path} could be read by others, and is for you alone "
            "now: if somebody may have seen it, ask the host to reset your key."
        )


def write_whole(
    path: Path, text: str, put: Callable[[Path, Path], None] = os.replace
) -> None:
    """Write a file of one line for its owner alone, whole or not at all.

    ``put`` gives the new file its name.

    Raises:
        OSError: if it cannot be written; then nothing has changed.
    """
    folder = path.parent
    make_folder(folder)
    descriptor, beside = tempfile.mkstemp(prefix=".key-", dir=folder)
    try:
        with open(descriptor, "w", encoding="ascii") as stream:
            stream.write(f"{text}\n")
            stream.flush()
            os.fsync(descriptor)
        put(Path(beside), path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
    sync_folder(folder)


def _put(new: Path, path: Path) -> None:
    """Give a file its name, unless the name is taken."""
    try:
        os.link(new, path)
    except FileExistsError:
        pass  # two terminals began at once, and the other one was faster
    except OSError:  # a file system without hard links
        os.replace(new, path)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, for the owner alone."""
    if not folder.is_dir():
        make_folder(folder.parent)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
