"""Handles that the host has named, invited or banned, in files of the bank."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from bj_protocol.handle import canonical_handle
from bj_server.bank.disk import naming, replace_file
from bj_server.bank.plain_json import write_plain
from bj_server.bank.snapshot import Document

BANS_NAME = "bans.json"
INVITES_NAME = "invites.json"


class Handles:
    """A set of handles, each in its one spelling, kept in the bank ``folder``.

    Without a folder they are in memory alone. A change is on the disk when its method
    returns; a file that cannot be used raises ``BankUnusableError``.
    """

    _name: ClassVar[str]
    _nobody: ClassVar[str]
    """The effect of deleting the file."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / self._name
        self._handles = set() if self._path is None else self._read(self._path)

    def __contains__(self, handle: str) -> bool:
        return handle in self._handles

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._handles))

    def add(self, handle: str) -> None:
        """Name a handle; it is on the disk when this returns."""
        self._keep(self._handles | {handle})

    def discard(self, handle: str) -> None:
        """Name a handle no more; it is on the disk when this returns."""
        self._keep(self._handles - {handle})

    def replace(self, handles: Iterable[str]) -> None:
        """Name these handles alone; they are on the disk when this returns."""
        if self._handles != set(handles):
            self._keep(set(handles))

    def _keep(self, handles: set[str]) -> None:
        if self._path is not None:
            with naming(self._path):
                content = write_plain({"handles": sorted(handles)}) + "\n"
                replace_file(self._path, content.encode())
        self._handles = handles

    def _read(self, path: Path) -> set[str]:
        remedy = f'mend it, as in {{"handles":["eve"]}}, or delete it to {self._nobody}'
        found = Document.read(path, remedy)
        if found is None:
            return set()
        handles = found.fields.get("handles")
        if not isinstance(handles, list):
            raise found.damaged("has no list of handles")
        for handle in handles:
            if not isinstance(handle, str) or canonical_handle(handle) != handle:
                raise found.damaged(
                    f"names {handle!r:.80}, which is no handle as it is kept"
                )
        return set(handles)


class Bans(Handles):
    """The handles to which the host has shut the server."""

    _name = BANS_NAME
    _nobody = "ban nobody"


class Invites(Handles):
    """The handles that the host has invited, whether they have come yet or not."""

    _name = INVITES_NAME
    _nobody = "have nobody invited"
