"""Reading a journal back: every line is verified, and nothing is changed.

Only bytes after the last newline can be a torn line, which a crash in the middle of
a write leaves behind and nobody was told about. Whatever else is not as it was
written is damage.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bj_server.bank.disk import naming
from bj_server.bank.error import BadLine, JournalDamaged
from bj_server.bank.line import NO_LINE, Line, decode
from bj_server.bank.posting import Kind

__all__ = ["Tail", "Visit", "read_back"]

Visit = Callable[[Line, str], None]
"""Is shown each line and its SHA-256; may raise ``BadLine`` where it makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """Where a journal ends: its last whole line, and what was torn after that."""

    seq: int = 0
    digest: str = NO_LINE
    size: int = 0
    """The bytes of all whole lines."""
    torn: bytes = b""


def read_back(path: Path, visit: Visit) -> Tail:
    """Verify each line of a journal and show it to ``visit``, in order.

    Raises:
        JournalDamaged: naming the first line that is not as it was written.
        BankUnusable: if the file cannot be read.
    """
    tail = Tail()
    with naming(path), path.open("rb") as file:
        for raw in file:
            if not raw.endswith(b"\n"):
                tail = _tear(tail, raw)
                break
            try:
                tail = _step(tail, raw[:-1], visit)
            except BadLine as error:
                raise JournalDamaged(path, tail.seq + 1, error.reason) from None
    if tail.seq == 0:
        raise JournalDamaged(path, 1, _describe_no_line(tail.torn))
    return tail


def _tear(tail: Tail, raw: bytes) -> Tail:
    return Tail(seq=tail.seq, digest=tail.digest, size=tail.size, torn=raw)


def _step(tail: Tail, raw: bytes, visit: Visit) -> Tail:
    line = decode(raw)
    if line.seq != tail.seq + 1:
        raise BadLine(f"it is numbered {line.seq}")
    if line.prev != tail.digest:
        raise BadLine("it does not follow the line before it")
    if (line.kind == Kind.JOURNAL) != (line.seq == 1):
        raise BadLine("the line that names the format is the first one and no other")
    digest = hashlib.sha256(raw).hexdigest()
    visit(line, digest)
    return Tail(seq=line.seq, digest=digest, size=tail.size + len(raw) + 1)


def _describe_no_line(torn: bytes) -> str:
    # The file is made whole before it gets its name, so no crash leaves it like this.
    return "the first line is cut short" if torn else "the file is empty"
