"""A disk that remembers what was synced, and what a power cut may leave of the rest.

The bank runs on a real folder, and the calls of the system are watched. ``crash`` then
makes a folder as it may be found after a cut. Of a file, what was synced is there; of
what was written since, each block of 512 bytes may be there, be missing (then zeros
stand there, or what stood there before) or be noise, and the file may have any length
between. Of the names in the folder, those that were synced are there; each later change
of one may have been lost.
"""

import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_BLOCK = 512


@dataclass(eq=False)
class Node:
    """A file as it is, and as it was when it was synced last."""

    now: bytes = b""
    safe: bytes = b""


Names = dict[str, Node]
Change = tuple[str, Node | None]


@dataclass(frozen=True)
class Cut:
    """All that the disk knows at one moment, and what was promised by then."""

    names: Names
    later: tuple[Change, ...]
    content: dict[int, tuple[bytes, bytes]]
    promised: Any


class PowerCut:
    """Watches one folder, and keeps a cut at every change of it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.cuts: list[Cut] = []
        self.promised: Any = None
        """What people were told so far; kept with each cut."""
        self._names: Names = {}
        self._safe: Names = {}
        self._later: list[Change] = []
        self._files: dict[int, tuple[Node, bool]] = {}
        self._folders: set[int] = set()
        self._really = {
            name: getattr(os, name)
            for name in ("open", "close", "write", "ftruncate", "truncate", "unlink")
        }
        self._really |= {"replace": os.replace, "rename": os.rename}
        for name in self._really:
            patch.setattr(os, name, getattr(self, name))
        patch.setattr(os, "fsync", self.fsync)
        patch.setattr(os, "fdatasync", self.fsync)

    def open(self, path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        descriptor: int = self._really["open"](path, flags, mode, **options)
        if Path(path) == self.folder:
            self._folders.add(descriptor)
        elif Path(path).parent == self.folder:
            name = Path(path).name
            if name not in self._names:
                self._change(name, Node())
            node = self._names[name]
            if flags & os.O_TRUNC:
                node.now = b""
            self._files[descriptor] = node, bool(flags & os.O_APPEND)
        return descriptor

    def close(self, descriptor: int) -> None:
        self._files.pop(descriptor, None)
        self._folders.discard(descriptor)
        self._really["close"](descriptor)

    def write(self, descriptor: int, content: bytes) -> int:
        count: int = self._really["write"](descriptor, content)
        if descriptor in self._files:
            self._files[descriptor][0].now += bytes(content[:count])
            self._keep()
        return count

    def ftruncate(self, descriptor: int, size: int) -> None:
        self._really["ftruncate"](descriptor, size)
        node = self._files[descriptor][0]
        node.now = node.now[:size]
        self._keep()

    def truncate(self, path: Any, size: int) -> None:
        self._really["truncate"](path, size)
        node = self._names[Path(path).name]
        node.now = node.now[:size]
        self._keep()

    def fsync(self, descriptor: int) -> None:
        if descriptor in self._files:
            node = self._files[descriptor][0]
            node.safe = node.now
        elif descriptor in self._folders:
            self._safe = dict(self._names)
            self._later.clear()
        self._keep()

    def replace(self, source: Any, target: Any) -> None:
        self._really["replace"](source, target)
        node = self._names[Path(source).name]
        self._change(Path(target).name, node)
        self._change(Path(source).name, None)

    rename = replace

    def unlink(self, path: Any, **options: Any) -> None:
        self._really["unlink"](path, **options)
        if Path(path).parent == self.folder:
            self._change(Path(path).name, None)

    def _change(self, name: str, node: Node | None) -> None:
        if node is None:
            self._names.pop(name)
        else:
            self._names[name] = node
        self._later.append((name, node))
        self._keep()

    def _keep(self) -> None:
        nodes = [*self._names.values(), *self._safe.values()]
        nodes += [node for _, node in self._later if node is not None]
        content = {id(node): (node.now, node.safe) for node in nodes}
        cut = Cut(dict(self._safe), tuple(self._later), content, self.promised)
        self.cuts.append(cut)


def crash(cut: Cut, folder: Path, chance: random.Random) -> None:
    """Make ``folder`` as it may be found after the cut."""
    names = dict(cut.names)
    for name, node in cut.later:
        if chance.random() < 0.5:
            continue
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node
    folder.mkdir()
    for name, node in names.items():
        (folder / name).write_bytes(_left(*cut.content[id(node)], chance))


def _left(now: bytes, safe: bytes, chance: random.Random) -> bytes:
    """Return what may be left of a file that held ``safe`` when it was synced."""
    if now == safe:
        return now
    is_longer = now.startswith(safe)
    same = len(safe) if is_longer else len(os.path.commonprefix([now, safe]))
    size = chance.randint(min(len(now), len(safe)), max(len(now), len(safe)))
    left = bytearray(safe[:size].ljust(size, b"\0"))
    for start in range(same - same % _BLOCK, size, _BLOCK):
        part = slice(max(start, same), min(start + _BLOCK, size))
        fate = chance.random()
        if fate < 0.6:
            new = now[part]
            left[part.start : part.start + len(new)] = new
        elif fate < 0.75:
            left[part] = chance.randbytes(part.stop - part.start)
    return bytes(left)
