"""The key of a server, by which players know it again.

A server signs with its key all that it tells, so its players must know the key. The
client keeps it at first use, in a file for each server by its address, beside the keys
of the players' handles. A server with another key hears no hello, unless the known key
has signed that one, or the player names it. A key that was left for a newer one is
never known again, since a thief could come with it. A server of a fleet is known by the
key of the fleet.

The first line of the file has the key, so that a file with nothing else is one, too.
Each line after it has an earlier key, or the balance of a player at the end of the last
visit: the one that the server has signed, or the last one that it has told.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from bj_client.error import KeyUnusableError, NoHomeError
from bj_client.fair.story import is_heir
from bj_client.net.keyring import make_folder, read_small, server_folder, write_whole
from bj_client.net.tls import OtherKeyError
from bj_client.system import IS_UNIX, alone_in
from bj_protocol.views import PastKey

_MOST = 2**20
_REMEDY = "remove it, and name the server's key with --server-key"
_KEY = "[0-9a-f]{64}"
_line = re.compile(rf"before ({_KEY})|goodbye (\S+) ([0-9]{{1,30}})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The key by which a server is known, its earlier keys, and its good-byes."""

    key: str
    before: frozenset[str] = frozenset()
    """The keys that it had before, and that nobody may come with any more."""
    goodbyes: Mapping[str, int] = field(default_factory=dict)
    """The cents of players when they left, by handle."""

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read a file; None where there is none.

        Raises:
            KeyUnusableError: if it is somebody else's, cannot be read, or is damaged.
        """

        def look(descriptor: int) -> None:
            if IS_UNIX and os.fstat(descriptor).st_uid != os.geteuid():
                raise KeyUnusableError(path, "belongs to somebody else", _REMEDY)

        text = read_small(path, _MOST, look, _REMEDY)
        pin = None if text is None else cls._of(text)
        if text is not None and pin is None:
            raise KeyUnusableError(path, "holds no key of a server", _REMEDY)
        return pin

    @classmethod
    def _of(cls, text: str) -> Self | None:
        key, *lines = text.split("\n")
        if not re.fullmatch(_KEY, key.strip()) or (lines and lines.pop()):
            return None
        before, goodbyes = set(), {}
        for line in lines:
            found = _line.fullmatch(line)
            if found is None:
                return None
            if found[1]:
                before.add(found[1])
            else:
                goodbyes[found[2]] = int(found[3])
        return cls(key=key.strip(), before=frozenset(before), goodbyes=goodbyes)

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all.

        Raises:
            OSError: if it cannot be written; then nothing has changed.
        """
        lines = [self.key, *(f"before {key}" for key in sorted(self.before))]
        had = sorted(self.goodbyes.items())
        lines += (f"goodbye {handle} {cents}" for handle, cents in had)
        write_whole(path, "\n".join(lines))


_NAME = "server.pub"


@dataclass(eq=False)
class ServerKey:
    """The key that one server must have, once it is known."""

    name: str
    shown: str
    """The server, as people write it."""
    warn: Callable[[str], None]
    named: str | None = None
    _kept: str | None = field(default=None, init=False)
    _books: tuple[str, ...] = field(default=("",), init=False)
    """The names under which good-byes lie; new ones go under the first."""

    @property
    def known(self) -> str | None:
        """The key that the server must have; None before its first use.

        Raises:
            KeyUnusableError: if there is something else in its place.
        """
        path = self._path()
        if self.named is None:
            pin = None if path is None else Pin.read(path)
            return self._kept if pin is None else pin.key
        pin = _perhaps(path)
        return pin.key if pin and self.named in pin.before else self.named

    def check(self, told: str | None, past_keys: Sequence[PastKey] = ()) -> None:
        """See that the key that is told is the one to expect, or its heir.

        Raises:
            OtherKeyError: if it is neither.
            KeyUnusableError: if that cannot be known.
        """
        known = self.known
        if known is None or told == known:
            return
        if told is None or not is_heir(told, known, past_keys):
            path = self._path()
            pin = _perhaps(path)
            is_left = pin is not None and told in pin.before
            file = None if known == self.named else path
            raise OtherKeyError(self.shown, file, known, told, is_left)

    def keep(self, told: str, past_keys: Sequence[PastKey] = ()) -> None:
        """Know the server by this key from now on, which was looked at before."""
        if self._kept == told:
            return
        known, self._kept = self.known, told
        if known not in (None, told):
            self.warn(
                f"The server at {self.shown} has a new key, which the one that you "
                f"knew has signed; it is known by {told} now."
            )
        if self.named is not None:
            self.named = told
        past = [each.key for each in past_keys]
        left = frozenset(past[past.index(known) :] if known in past else ())

        def change(pin: Pin | None) -> Pin:
            if pin is None or pin.key not in {told, *left}:
                pin = Pin(key=told)
            return replace(pin, key=told, before=pin.before | left)

        why = self._change(change, self._path())
        if why is not None:
            self.warn(
                f"The key of the server at {self.shown} cannot be kept ({why}), so "
                "that another one would not be noticed: name it with --server-key "
                f"{told}."
            )

    def keep_goodbyes_in(self, names: tuple[str, ...], key: str) -> None:
        """Keep good-byes under a name and a key that all servers of a fleet have.

        They may still lie under the ``names`` after the first.
        """
        self._books = names
        self._change(lambda pin: pin or Pin(key=key), self._path(names[0]))

    def take_goodbye(self, handle: str) -> int | None:
        """Return the cents of a player at the end of the last visit, and forget them.

        Later rounds make it stale, even if no good-bye follows.
        """
        had = []
        for name in self._books:
            pin = _perhaps(self._path(name))
            if pin is not None and handle in pin.goodbyes:
                had.append(pin.goodbyes[handle])
                self._keep(handle, None, name)
        return had[0] if had else None

    def keep_goodbye(self, handle: str, cents: int) -> None:
        """Keep the cents that a player had in the end, by the server's word."""
        self._keep(handle, cents, self._books[0])

    def _keep(self, handle: str, cents: int | None, name: str) -> None:

        def change(pin: Pin | None) -> Pin | None:
            if pin is None:
                return None
            others = {name: had for name, had in pin.goodbyes.items() if name != handle}
            own = {} if cents is None else {handle: cents}
            return replace(pin, goodbyes=others | own)

        self._change(change, self._path(name))

    def _change(
        self, change: Callable[[Pin | None], Pin | None], path: Path | None
    ) -> str | None:
        """Change a file; return why that was not possible, if it was not."""
        if path is None:
            return "there is no home directory"
        try:
            make_folder(path.parent)
            with alone_in(path.parent):
                pin = _perhaps(path)
                changed = change(pin)
                if changed is not None and changed != pin:
                    changed.write(path)
        except OSError as error:
            return f"{path}: {error.strerror}"
        return None

    def _path(self, name: str = "") -> Path | None:
        try:
            return server_folder(name or self.name) / _NAME
        except NoHomeError:
            return None


def _perhaps(path: Path | None) -> Pin | None:
    """Read the file; None if it is of no use, which ``known`` tells."""
    try:
        return None if path is None else Pin.read(path)
    except KeyUnusableError:
        return None
