"""Files that are there whole or not at all, and folders that remember them.

A file is written beside its place, synced, and moved over it; then the folder is
synced, since a name lives in the folder and not in the file. The system's refusals are
of ``OSError``; within ``naming`` they become sentences for people.
"""

import contextlib
import errno
import fcntl
import os
import pwd
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bj_server.bank.error import BankUnusableError

LACKING = frozenset(
    {errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTTY, errno.EOPNOTSUPP}
)
"""The errors of the system for an operation that a file system does not have."""

_ANOTHER = "choose another bank folder"
_MOVE = f"Move that away, or {_ANOTHER}"

_REMEDIES = {
    errno.ENOSPC: "Make space on its disk",
    errno.EDQUOT: "Make space on its disk, or have the quota raised",
    errno.EROFS: f"Its disk is mounted read-only: mount it anew, or {_ANOTHER}",
    errno.EIO: "Its disk fails: copy all that can be read, and use another disk",
    errno.ENOTDIR: _MOVE,
    errno.EISDIR: _MOVE,
    errno.EEXIST: _MOVE,
    errno.ENXIO: _MOVE,
    errno.ELOOP: _MOVE,
    errno.ENAMETOOLONG: f"Its path is too long: {_ANOTHER}",
    errno.EMFILE: "Raise the limit of open files (ulimit -n)",
    errno.ENFILE: "Close other programs: the system has too many files open",
}


def remedy(number: int | None, path: Path) -> str:
    """Return the remedy for an error of the system, as a clause; empty for none."""
    if number in LACKING:
        return "Keep the bank on a local disk that has it"
    if number in (errno.EACCES, errno.EPERM):
        return _of_rights(path)
    return _REMEDIES.get(number or 0, "")


def _of_rights(path: Path) -> str:
    """Name the owner of the nearest path that exists, if we may not use it."""
    path = path.absolute()
    # False also where we may not even look.
    near = next(each for each in (path, *path.parents) if os.path.exists(each))
    if os.access(near, os.R_OK | os.W_OK | (os.X_OK if near.is_dir() else 0)):
        return ""
    us, owner = os.geteuid(), near.stat().st_uid
    if owner == us:
        return f"Give yourself the right to it with: chmod u+rwX {near}"
    found = f"It belongs to {_name(owner)} and this is {_name(us)}: "
    if near.is_dir():
        found += _ANOTHER
        # To have a folder of the system, such as /etc, would break the machine.
        if os.access(near, os.X_OK) and not (near / "lock").exists():
            return found
        found += " or, if that is a bank, "  # which only the host knows
    return f"{found}give it back with: sudo chown -R {_name(us)} {near}"


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # as in a container
        return str(number)


_MOST = 2**30
"""Bytes of the largest file that is read; none of a bank comes near it."""

_MOST_NAMED = 2**20  # bytes of a file of settings, a certificate or a key
_WRITER_MILLISECONDS = 1000.0

_KINDS = {
    stat.S_IFDIR: "it is a folder",
    stat.S_IFIFO: "it is a pipe",
    stat.S_IFSOCK: "it is a socket",
}


def why(error: OSError) -> str:
    """Return the reason that the system gave, for people."""
    return error.strerror or str(error)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise a ``BankUnusableError`` about a file in place of any OSError inside."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str | Path):
            path = Path(error.filename)
        raise BankUnusableError(path, why(error), remedy(error.errno, path)) from error


@contextmanager
def lacking(operation: str) -> Iterator[None]:
    """Name the operation where it is one that the file system does not have."""
    try:
        yield
    except OSError as error:
        if error.errno not in LACKING:
            raise
        reason = f"its file system has no {operation} ({why(error)})"
        raise OSError(error.errno, reason) from error


def is_open_to_others(folder: Path) -> bool:
    """Whether others than its owner can look into a folder."""
    return bool(folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def give_to_owner(descriptor: int, folder: Path) -> None:
    """Give a file that root has made to the owner of its folder.

    Their server could not write to it otherwise, after a ``sudo bj-bank gift``.
    """
    if os.geteuid() == 0:
        owner = folder.stat()
        # A file system without owners has none that is wrong.
        with contextlib.suppress(OSError):
            os.fchown(descriptor, owner.st_uid, owner.st_gid)


def make_folder(folder: Path) -> None:
    """Make the folder, for its owner alone, unless it is there; its parents too."""
    with naming(folder):
        for path in (*reversed(folder.parents), folder):
            if not path.is_dir():
                path.mkdir(mode=0o700)
                sync_folder(path.parent)


def check_regular(descriptor: int, path: Path) -> int:
    """Check that what was opened is a file, and return its size."""
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "it is a device")
        raise BankUnusableError(path, f"{kind}, and no file", _MOVE)
    return found.st_size


def read_file(path: Path) -> bytes:
    """Return all of a file, and never wait for one that is a pipe.

    Raises:
        OSError: if it cannot be read.
        BankUnusableError: if it is no file, or larger than any of a bank.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        size = check_regular(descriptor, path)
        if size > _MOST:
            reason = f"it has {size:,} bytes, as no file of a bank has"
            raise BankUnusableError(path, reason, _MOVE)
        with open(descriptor, "rb", closefd=False) as stream:
            return stream.read()
    finally:
        os.close(descriptor)


def read_named(path: Path) -> bytes:
    """Return all of a small file that the host has named, at a start or in a reload.

    A pipe is read while somebody writes to it, and not waited for without an end.

    Raises:
        OSError: if it cannot be read, or is too long for settings.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    ready, content = select.poll(), b""
    ready.register(descriptor, select.POLLIN)
    try:
        while len(content) <= _MOST_NAMED:
            if not ready.poll(_WRITER_MILLISECONDS):
                raise TimeoutError(errno.ETIMEDOUT, "nobody writes to that pipe")
            if not (part := os.read(descriptor, _MOST_NAMED)):
                return content
            content += part
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    finally:
        os.close(descriptor)


def sync(descriptor: int, *, only_data: bool = False) -> None:
    """Make a file durable: on its disk, and not only on the way there.

    On macOS ``fsync`` does not wait for the drive, and a power cut may lose what the
    drive has taken; F_FULLFSYNC waits. A file system that lacks it is synced as
    elsewhere. ``only_data`` leaves out all that no reader needs, such as times.
    """
    fully: int | None = getattr(fcntl, "F_FULLFSYNC", None)
    try:
        if fully is not None:
            fcntl.fcntl(descriptor, fully)
            return
    except OSError as error:
        if error.errno not in LACKING:
            raise
    # A system without fdatasync has the stronger call.
    name = "fdatasync" if only_data and hasattr(os, "fdatasync") else "fsync"
    getattr(os, name)(descriptor)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with lacking("fsync of a folder"):
            sync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all the bytes, in as many calls as the system wants."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in its place, durably: before it is complete the old one stands."""
    beside = path.with_name(path.name + ".new")
    # A crash may have left a file there, or it is a link to somewhere else.
    beside.unlink(missing_ok=True)
    _write_file(beside, content, os.O_EXCL)
    with lacking("rename over a file"):
        beside.replace(path)
    sync_folder(path.parent)


def append_file(path: Path, content: bytes) -> None:
    """Add to a file, or begin it, durably."""
    _write_file(path, content, os.O_APPEND)
    sync_folder(path.parent)


def _write_file(path: Path, content: bytes, flag: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | flag
    descriptor = os.open(path, flags, 0o600)
    try:
        check_regular(descriptor, path)
        give_to_owner(descriptor, path.parent)
        write_all(descriptor, content)
        with lacking("fsync of a file"):
            sync(descriptor)
    finally:
        os.close(descriptor)
