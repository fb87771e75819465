"""The key of a server: by what players tell that it is the one they know.

A server signs with its key what it tells, so whoever plays there must know which key
that is. It is kept at first use, in a file for each server by its address, beside the
keys of the players' handles. A server with another key hears no hello, unless the
player names that key.
"""

import re
from collections.abc import Callable
from pathlib import Path

from bj_client.distrust import OtherKey
from bj_client.ending import KeyUnusable, NoHome
from bj_client.keyfile import write_whole
from bj_client.keyring import server_folder

_NAME = "server.pub"
_REMEDY = "remove it, and name the server's key with --server-key"
_key = re.compile("[0-9a-f]{64}")


class BadServerKey(ValueError):
    """A text that is no key of a server; the message is a sentence."""


def read_server_key(text: str) -> str:
    """Return a key as 64 small digits.

    Raises:
        BadServerKey: if it is none.

    >>> read_server_key(" AB" * 32) == "ab" * 32
    True
    """
    digits = "".join(text.split()).lower()
    if not _key.fullmatch(digits):
        raise BadServerKey(
            "the key of a server is 64 hexadecimal digits, as bj-server shows it."
        )
    return digits


class ServerKey:
    """The key that one server must have, once it is known."""

    def __init__(
        self,
        name: str,
        shown: str,
        warn: Callable[[str], None],
        named: str | None = None,
    ) -> None:
        """Look after the key of the server ``name``, that people write as ``shown``.

        ``named`` is the key that the player has named; ``warn`` takes sentences.
        """
        self._name = name
        self._shown = shown
        self._warn = warn
        self._named = named
        self._is_kept = False

    @property
    def known(self) -> str | None:
        """The key that the server must have; None before its first use.

        Raises:
            KeyUnusable: if there is something else in its place.
        """
        if self._named is not None:
            return self._named
        path = self._path()
        return None if path is None else _read(path)

    def check(self, told: str | None) -> None:
        """See that the key that is told is the one to expect, if there is one.

        Raises:
            OtherKey: if it is not.
            KeyUnusable: if that cannot be known.
        """
        known = self.known
        if known is not None and told != known:
            file = None if self._named is not None else self._path()
            raise OtherKey(self._shown, file, known, told)

    def keep(self, told: str) -> None:
        """Know the server by this key from now on, which was looked at before."""
        if self._is_kept:
            return
        self._is_kept, path = True, self._path()
        why = "there is no home directory"
        if path is not None:
            try:
                if not path.exists() or _text(path) != told:
                    write_whole(path, told)
                return
            except OSError as error:
                why = f"{path}: {error.strerror}"
        self._warn(
            f"The key of the server at {self._shown} cannot be kept ({why}), so that "
            f"another one would not be noticed: name it with --server-key {told}."
        )

    def _path(self) -> Path | None:
        try:
            return server_folder(self._name) / _NAME
        except NoHome:
            return None


def _text(path: Path) -> str:
    return path.read_text("ascii", "replace").strip()


def _read(path: Path) -> str | None:
    try:
        text = _text(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
        raise KeyUnusable(path, reason, _REMEDY) from None
    try:
        return read_server_key(text)
    except BadServerKey:
        raise KeyUnusable(path, "holds no key of a server", _REMEDY) from None
