"""The keyring: the keys by which one server knows the players at this keyboard.

Each handle has a key of its own at each server, or at each fleet, so that no server
learns the key for another. A key is made when the handle is first used there. The name
of a server here is the one by which the player reaches it, whatever it calls itself.
"""

import contextlib
import hashlib
import os
import secrets
import stat
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import platformdirs

from bj_client.error import KeyUnusableError, NoHomeError
from bj_client.system import IS_UNIX, OPENED, sync_folder
from bj_protocol.handle import canonical_handle, is_key

if TYPE_CHECKING:  # keys are among the options, and a help needs no models
    from bj_protocol.views import FleetView

_APP = "blackjack"


def config_folder() -> Path | None:
    """Return the folder of settings; None without a home directory."""
    try:
        return platformdirs.user_config_path(_APP)
    except RuntimeError:
        return None


def state_folder(option: str) -> Path:
    """Return the folder of keys and evidence.

    Raises:
        NoHomeError: if there is no home directory; ``option`` helps then.
    """
    try:
        return platformdirs.user_state_path(_APP)
    except RuntimeError:
        raise NoHomeError(option) from None


def data_folder() -> Path:
    """Return the folder of the bank of ``--solo``, or raise ``NoHomeError``."""
    try:
        return platformdirs.user_data_path("blackjack-table")
    except RuntimeError:
        raise NoHomeError() from None


_MOST = 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_small(
    path: Path, most: int, look: Callable[[int], None], remedy: str = ""
) -> str | None:
    """Return the text of a file of ``most`` bytes; None where there is none.

    ``look`` gets its descriptor first.

    Raises:
        KeyUnusableError: if there is something else, or it may not be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | OPENED)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise KeyUnusableError(path, "is no file", remedy)
            look(descriptor)
            return os.read(descriptor, most).decode("ascii", "replace")
        finally:
            os.close(descriptor)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
        raise KeyUnusableError(path, reason, remedy) from None


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


PRIVATE_SERVER = "solo"
"""The name of the server of ``--solo``, whose port is never the same twice."""

_LONGEST_NAME = 200


def new_key() -> str:
    """Return a key that nobody has or can guess."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Keyring:
    """The keys for one server, made on demand and kept."""

    server: str
    """The name under which they lie."""
    warn: Callable[[str], None]
    file: Path | None = None
    """The one place of all of them, instead."""
    before: tuple[str, ...] = ()
    """The names under which they may have lain before, the newest first."""

    def in_fleet(self, fleet: "FleetView") -> Self:
        """Return the keys for all servers of a fleet, one of which is this server."""
        past = (fleet_folder(each.key) for each in reversed(fleet.past_keys))
        before = tuple(dict.fromkeys((*past, self.server, *self.before)))
        return replace(self, server=fleet_folder(fleet.key), before=before)

    def path(self, handle: str) -> Path:
        """Return the file of the key of a handle, in any spelling."""
        if self.file is not None:
            return self.file
        return server_folder(self.server) / f"{canonical_handle(handle)}.key"

    def key(self, handle: str) -> str:
        """Return the key of a handle; it is on the disk now, or the player is warned.

        Raises:
            KeyUnusableError: if the file in its place is no key, or may not be read.
            NoHomeError: if there is no place for it.
        """
        if self.file is None:
            folder = state_folder("--key-file") / "keys"
            with contextlib.suppress(OSError):  # others cannot even list the keys
                if folder.stat().st_mode & 0o077:
                    os.chmod(folder, 0o700)
        path = self.path(handle)
        known = self._read(path)
        if known is not None:
            return known
        others = (replace(self, server=name).path(handle) for name in self.before)
        found = (self._read(other) for other in others)
        key = next(filter(None, found), None) or new_key()
        try:
            return self.keep(path, key)
        except OSError as error:
            self.warn(
                f"The key of {handle} cannot be kept in {path} "
                f"({error.strerror}), so {handle} cannot be used again after this "
                "visit: leave, and name a place for it with --key-file."
            )
            return key

    def _read(self, path: Path) -> str | None:
        """Return the key of a file; None where there is none, or no way to it.

        A file that others can read is closed to them, with a warning.
        """
        if not os.access(path.parent, os.X_OK):
            return None
        text = read_small(path, _MOST, partial(self._close_to_others, path))
        key = None if text is None else text.strip()
        if key is not None and not is_key(key):
            raise KeyUnusableError(path, "holds no key")
        return key

    def keep(self, path: Path, key: str) -> str:
        """Put a new key there, and return it; or the one that somebody put there first.

        Raises:
            OSError: if it cannot be written; then nothing is there.
        """
        write_whole(path, key, _put)
        kept = self._read(path)
        if kept is None:
            raise FileNotFoundError(None, "it points nowhere")
        return kept

    def _close_to_others(self, path: Path, descriptor: int) -> None:
        if not (IS_UNIX and os.fstat(descriptor).st_mode & _OTHERS):
            return
        try:
            os.fchmod(descriptor, 0o600)
        except OSError:
            reason = "can be read by others and is not yours to close"
            raise KeyUnusableError(path, reason) from None
        self.warn(
            f"The key file {path} could be read by others, and is for you alone now: "
            "if somebody may have seen it, ask the host to reset your key."
        )


def fleet_folder(key: str) -> str:
    """Return the name under which the keys for a fleet lie."""
    return f"fleet-{key}"


def server_folder(server: str) -> Path:
    """Return the folder of the keys for a server.

    Raises:
        NoHomeError: if there is no place for them.
    """
    name = quote(server, safe=":[]" if IS_UNIX else "[]")
    if not IS_UNIX:  # where con.example.org would be the console
        name = name.replace(".", "%2E")
    if len(name) > _LONGEST_NAME:
        name = hashlib.sha256(server.encode()).hexdigest()
    return state_folder("--key-file") / "keys" / name
