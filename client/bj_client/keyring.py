"""The keyring: the keys by which one server knows the players at this keyboard.

Each handle has a key of its own at each server, so that no server learns what another
one is shown. A key is made when the handle is first used there. What the server calls
itself counts for nothing here: the name is that by which the player reaches it.
"""

import contextlib
import hashlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from bj_client.home import state_folder
from bj_client.keyfile import KeyFile
from bj_client.system import IS_UNIX
from bj_protocol.handle import canonical_handle

PRIVATE_SERVER = "solo"
"""The name of the server of ``--solo``, whose port is never the same twice."""

_LONGEST_NAME = 200
_KEY_BYTES = 32


def new_key() -> str:
    """Return a key that nobody has or can guess."""
    return secrets.token_urlsafe(_KEY_BYTES)


class Keyring:
    """The keys for one server, made on demand and kept."""

    def __init__(
        self, server: str, warn: Callable[[str], None], file: Path | None = None
    ) -> None:
        """Look for keys under the name of a server, or all in one ``file``.

        ``warn`` takes sentences for the player.
        """
        self._server = server
        self._warn = warn
        self._file = file

    def path(self, handle: str) -> Path:
        """Return where the key of a handle is kept, in whatever spelling it comes."""
        if self._file is not None:
            return self._file
        return server_folder(self._server) / f"{canonical_handle(handle)}.key"

    def key(self, handle: str) -> str:
        """Return the key of a handle; it is on the disk now, or the player is warned.

        Raises:
            KeyUnusable: if what is in its place is no key, or may not be read.
            NoHome: if there is no place for it.
        """
        if self._file is None:
            _close_folder()
        file = KeyFile(self.path(handle), self._warn)
        known = file.read()
        if known is not None:
            return known
        key = new_key()
        try:
            return file.keep(key)
        except OSError as error:
            self._warn(
                f"The key of {handle} cannot be kept in {file.path} "
                f"({error.strerror}), so {handle} cannot be used again after this "
                "visit: leave, and name a place for it with --key-file."
            )
            return key


def server_folder(server: str) -> Path:
    """Return where the keys for a server are kept.

    Raises:
        NoHome: if there is no place for them.
    """
    return _folder() / _folder_name(server)


def _folder() -> Path:
    return state_folder("--key-file") / "keys"


def _close_folder() -> None:
    """See that others cannot even list the keys."""
    folder = _folder()
    with contextlib.suppress(OSError):
        if folder.stat().st_mode & 0o077:
            os.chmod(folder, 0o700)


def _folder_name(server: str) -> str:
    name = quote(server, safe=":[]" if IS_UNIX else "[]")
    if not IS_UNIX:  # where con.example.org would be the console
        name = name.replace(".", "%2E")
    if len(name) <= _LONGEST_NAME:
        return name
    return hashlib.sha256(server.encode()).hexdigest()
