"""Bans: the handles that the host has shut a server to, kept in a file of the bank."""

from collections.abc import Iterator
from pathlib import Path

from bj_protocol.handle import canonical_handle
from bj_server.bank.disk import naming, replace_file
from bj_server.bank.error import BankUnusable
from bj_server.bank.plain import read_plain, write_plain

__all__ = ["BANS_NAME", "Bans"]

BANS_NAME = "bans.json"


class Bans:
    """The banned handles, each in its one spelling; they outlive the server."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep them in the bank ``folder``; in memory alone without one.

        Raises:
            BankUnusable: if there is a file of them that cannot be used.
        """
        self._path = None if folder is None else folder / BANS_NAME
        self._handles: set[str] = set()
        if self._path is not None and self._path.exists():
            self._handles = _read(self._path)

    def __contains__(self, handle: str) -> bool:
        """Whether a handle is banned."""
        return handle in self._handles

    def __iter__(self) -> Iterator[str]:
        """Go through the banned handles in order."""
        return iter(sorted(self._handles))

    def add(self, handle: str) -> None:
        """Ban a handle; it is on the disk when this returns.

        Raises:
            BankUnusable: if it cannot be written down; nothing has changed then.
        """
        self._keep(self._handles | {handle})

    def discard(self, handle: str) -> None:
        """Ban a handle no more; it is on the disk when this returns.

        Raises:
            BankUnusable: if it cannot be written down; nothing has changed then.
        """
        self._keep(self._handles - {handle})

    def _keep(self, handles: set[str]) -> None:
        if self._path is not None:
            with naming(self._path):
                content = write_plain({"handles": sorted(handles)}) + "\n"
                replace_file(self._path, content.encode())
        self._handles = handles


def _read(path: Path) -> set[str]:
    try:
        with naming(path):
            found = read_plain(path.read_text(encoding="utf-8"))
    except ValueError:
        raise _damaged(path) from None
    handles = found.get("handles") if isinstance(found, dict) else None
    if not isinstance(handles, list):
        raise _damaged(path)
    if any(not isinstance(h, str) or canonical_handle(h) != h for h in handles):
        raise _damaged(path)
    return set(handles)


def _damaged(path: Path) -> BankUnusable:
    example = (
        'it is written as {"handles":["eve"]}. Mend it, or delete it to ban nobody'
    )
    return BankUnusable(path, example)
