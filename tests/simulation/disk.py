"""The disk: a folder on the real one, behind calls that can fail, wait or be the last.

All that changes a file there is counted. A fault is set for the next calls, or for a
time: the disk is full, a kind of call fails, a write is short, a sync is slow. A call
can also be the last of its process. ``cut_power`` leaves of what was not synced
whatever ``support.powercut`` may leave.
"""

import errno
import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from simulation.thread import Dead, Threads
from support.powercut import Cut, Node, crash

if TYPE_CHECKING:
    from collections.abc import Callable

_CALLS = ("open", "close", "write", "ftruncate", "unlink", "replace", "rename")
_SYNCS = ("fsync", "fdatasync")


class File(Node):
    """A file, of which the first ``size`` bytes are safe, or else all of ``safe``."""

    def __init__(self) -> None:
        super().__init__()
        self.size = 0
        self.is_whole = True
        """Whether what is safe is the beginning of the file as it is."""
        self.path: str | None = None


class Disk:
    """Watches one folder."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, chance: random.Random
    ) -> None:
        self.folder, self._chance = folder, chance
        self._prefix = f"{folder}/"
        self.threads: Threads | None = None
        """Those of the process that uses it."""
        self.is_gone = False
        """Whether the process that calls is dead."""
        self.calls = self.refused = 0
        """How many were made, and how many of them failed."""
        self.last: int | None = None
        """How many calls the process has left; None for any number."""
        self.is_full = False
        self.failing: dict[str, int] = {}
        """How often each kind of call fails from now on."""
        self.is_short = False
        """Whether writes are torn in two."""
        self.sync_seconds = 0.0
        self.died: Callable[[], None] = lambda: None
        self._names: dict[str, File] = {}
        self._safe: dict[str, File] = {}
        self._later: list[tuple[str, File | None]] = []
        self._files: dict[int, File] = {}
        self._others: set[int] = set()
        self._really: dict[str, Any] = {
            name: getattr(os, name) for name in (*_CALLS, *_SYNCS)
        }
        for name in (*_CALLS, *_SYNCS):
            patch.setattr(os, name, getattr(self, f"_{name}"))

    # What the world does to it.

    def release(self) -> None:
        """Close what a dead process had open."""
        for descriptor in (*self._files, *self._others):
            self._really["close"](descriptor)
        self._files.clear()
        self._others.clear()
        self.last, self.is_gone = None, False

    def mend(self) -> None:
        """Take all faults back."""
        self.is_full = self.is_short = False
        self.failing.clear()
        self.sync_seconds = 0.0

    def cut_power(self) -> None:
        """Leave of the folder what a power cut may leave; nothing may be open."""
        nodes = [*self._names.values(), *self._safe.values()]
        nodes += [node for _, node in self._later if node is not None]
        content = {id(node): self._content(node) for node in nodes}
        cut = Cut(dict(self._safe), tuple(self._later), content, None)
        beside = self.folder.with_name("beside")
        crash(cut, beside, self._chance)
        shutil.rmtree(self.folder)
        os.chmod(beside, 0o700)
        self._really["rename"](beside, self.folder)
        self._names.clear()
        for path in sorted(self.folder.iterdir()):
            file = self._names[path.name] = File()
            file.path, file.size = str(path), path.stat().st_size
        self._safe, self._later = dict(self._names), []

    def _content(self, file: File) -> tuple[bytes, bytes]:
        now = file.now
        if file.path is not None:
            now = Path(file.path).read_bytes()
        return now, now[: file.size] if file.is_whole else file.safe

    # The calls.

    def _call(self, name: str) -> None:
        """Count a call, which may fail, or never be made."""
        if self.is_gone:
            raise Dead
        self.calls += 1
        if self.last is not None:
            self.last -= 1
            if self.last < 0:
                self.died()
                raise Dead
        if self.failing.get(name, 0) > 0:
            self.failing[name] -= 1
            self.refused += 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        worker = None if self.threads is None else self.threads.current
        if worker is not None:
            worker.pause(self.sync_seconds if name in _SYNCS else 0.0)
            if self.is_gone:
                raise Dead

    def _no_space(self) -> OSError:
        self.refused += 1
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _is_ours(self, path: Any) -> bool:
        text = os.fspath(path) if not isinstance(path, int) else ""
        return isinstance(text, str) and text.startswith(self._prefix)

    def _open(self, path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        if os.fspath(path) == str(self.folder):
            self._call("look")
            number: int = self._really["open"](path, flags, mode, **options)
            self._others.add(number)
            return number
        if not self._is_ours(path):
            other: int = self._really["open"](path, flags, mode, **options)
            return other
        self._call("open")
        if self.is_full and flags & os.O_CREAT and not os.path.lexists(path):
            raise self._no_space()
        number = self._really["open"](path, flags, mode, **options)
        name = Path(path).name
        if name not in self._names:
            file = File()
            file.path = str(path)
            self._change(name, file)
        self._files[number] = self._names[name]
        return number

    def _close(self, descriptor: int) -> None:
        self._files.pop(descriptor, None)
        self._others.discard(descriptor)
        self._really["close"](descriptor)

    def _write(self, descriptor: int, content: Any) -> int:
        if descriptor in self._files:
            self._call("write")
            if self.is_full:
                half = len(content) // 2
                if half and self._chance.random() < 0.5:
                    part: int = self._really["write"](descriptor, content[:half])
                    return part
                raise self._no_space()
            if self.is_short and len(content) > 1:
                content = content[: self._chance.randrange(1, len(content))]
        count: int = self._really["write"](descriptor, content)
        return count

    def _ftruncate(self, descriptor: int, size: int) -> None:
        file = self._files.get(descriptor)
        if file is not None:
            self._call("ftruncate")
            if file.is_whole and size < file.size:
                file.safe, file.is_whole = self._content(file)[1], False
        self._really["ftruncate"](descriptor, size)

    def _fsync(self, descriptor: int) -> None:
        self._sync("fsync", descriptor)

    def _fdatasync(self, descriptor: int) -> None:
        self._sync("fdatasync", descriptor)

    def _sync(self, name: str, descriptor: int) -> None:
        file = self._files.get(descriptor)
        if file is not None:
            size = os.fstat(descriptor).st_size
            self._call(name)
            file.size, file.is_whole = size, True
        elif descriptor in self._others:
            self._call(name)
            self._safe, self._later = dict(self._names), []
        else:  # it is of another disk, perhaps
            self._really[name](descriptor)

    def _unlink(self, path: Any, **options: Any) -> None:
        if self._is_ours(path) and Path(path).name in self._names:
            self._call("unlink")
            self._leave(path)
            self._really["unlink"](path, **options)
            self._change(Path(path).name, None)
            return
        self._really["unlink"](path, **options)

    def _replace(self, source: Any, target: Any, **options: Any) -> None:
        if not self._is_ours(source):
            self._really["replace"](source, target, **options)
            return
        self._call("replace")
        self._leave(target)
        self._really["replace"](source, target, **options)
        node = self._names[Path(source).name]
        node.path = str(target)
        self._change(Path(target).name, node)
        self._change(Path(source).name, None)

    _rename = _replace

    def _leave(self, path: Any) -> None:
        """Keep what a file has that is about to lose its name."""
        file = self._names.get(Path(path).name)
        if file is not None:
            file.now, file.safe = self._content(file)
            file.is_whole, file.path = False, None

    def _change(self, name: str, file: File | None) -> None:
        if file is None:
            self._names.pop(name, None)
        else:
            self._names[name] = file
        self._later.append((name, file))
