"""Backwards: the journal from its end, block by block, as far as somebody reads.

The server writes on meanwhile, closes segments and packs them; what lies before a
bookmark stays as it is, so it is read without a lock.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from bj_server.bank.bookmark import Bookmark
from bj_server.bank.disk import naming
from bj_server.bank.error import JournalDamaged
from bj_server.bank.segment import load, packed, segment_path, stored_path

BLOCK = 256 * 1024
"""The bytes that are read at once."""


def blocks_back(bookmark: Bookmark) -> Iterator[bytes]:
    """Yield the lines before a bookmark, some at a time, the newest first.

    Within a block the lines are in their order. The history ends where a segment is
    gone, which was deleted while a server ran.

    Raises:
        JournalDamaged: if the journal does not reach as far as the bookmark.
        BankUnusable: if the system refuses.
    """
    for number in range(bookmark.number, 0, -1):
        content = _open(bookmark.folder, number)
        if content is None:
            return
        with content as file:
            end = file.seek(0, io.SEEK_END)
            if number == bookmark.number:
                _check(bookmark, end)
                end = bookmark.size
            yield from _blocks(file, end)


def _open(folder: Path, number: int) -> BinaryIO | None:
    plain = segment_path(folder, number)
    if stored_path(folder, number) == plain:
        with naming(plain):
            try:
                return plain.open("rb")
            except FileNotFoundError:
                pass  # it is gone, or was packed just now
    if not packed(plain).exists():
        return None
    return io.BytesIO(load(packed(plain))[0])


def _blocks(file: BinaryIO, end: int) -> Iterator[bytes]:
    """Yield whole lines, from ``end`` back to the beginning of the file."""
    rest = b""
    while end > 0:
        start = max(0, end - BLOCK)
        file.seek(start)
        block = file.read(end - start) + rest
        if start:  # the first line has begun in the block before
            head, newline, block = block.partition(b"\n")
            rest = head + newline
        if block:
            yield block
        end = start


def _check(bookmark: Bookmark, size: int) -> None:
    if size < bookmark.size:
        path = segment_path(bookmark.folder, bookmark.number)
        raise JournalDamaged(path, None, "it is shorter than what was written to it")
