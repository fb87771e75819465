"""Files that are there whole or not at all, and folders that remember them.

A file is written beside its place, synced, and moved over it; then the folder is
synced, since a name lives in the folder and not in the file.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bj_server.bank.error import BankUnusable

__all__ = [
    "append_file",
    "make_folder",
    "naming",
    "replace_file",
    "sync_folder",
    "why",
    "write_all",
]


def why(error: OSError) -> str:
    """Return the reason that the system gave, for people."""
    return error.strerror or str(error)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Tell the system's refusals as what they are: of a file of the bank.

    Raises:
        BankUnusable: in place of any OSError inside.
    """
    try:
        yield
    except OSError as error:
        raise BankUnusable(path, why(error)) from error


def make_folder(folder: Path) -> None:
    """Make the folder, for its owner alone, unless it is there; its parents too.

    Raises:
        BankUnusable: if it cannot be made.
    """
    with naming(folder):
        for path in (*reversed(folder.parents), folder):
            if not path.is_dir():
                path.mkdir(mode=0o700)
                sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
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
    _write_file(beside, content, os.O_TRUNC)
    beside.replace(path)
    sync_folder(path.parent)


def append_file(path: Path, content: bytes) -> None:
    """Add to a file, or begin it, durably."""
    _write_file(path, content, os.O_APPEND)
    sync_folder(path.parent)


def _write_file(path: Path, content: bytes, flag: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flag, 0o600)
    try:
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
