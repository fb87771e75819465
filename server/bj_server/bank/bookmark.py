"""The bookmark: a place up to which the journal is written, and what is so there.

Whoever reads the journal back from it, on a thread, finds the books and the lines in
step, whatever is written meanwhile.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bj_server.bank.docket import Docket


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """A place between two commands, for somebody who asks about one handle."""

    folder: Path
    number: int
    """The segment in which the place is."""
    size: int
    """The bytes of the segment up to the place."""
    synced: int
    """The last line that is on the disk, so that people may be told of it."""
    handle: str
    balance: int
    """The free cents of the handle."""
    dockets: Mapping[str, Docket] = field(repr=False)
    """What each table has pending, the secret of its shoe too."""
