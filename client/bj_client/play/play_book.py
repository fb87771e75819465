"""The play book: how well a player has played at all visits, kept on this machine.

It lies beside the keys, one file for each handle. One that is damaged or foreign counts
as empty, and a folder that cannot be written keeps nothing: no visit fails by it.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bj_client.error import NoHomeError
from bj_client.model.seat import Judged
from bj_client.net.keyring import make_folder, state_folder, write_whole
from bj_client.system import alone_in
from bj_client.words.board import dearest
from bj_client.words.text import counted
from bj_protocol.handle import canonical_handle

_LONGEST = 2**20


@dataclass(slots=True)
class PlayBook:
    """The plays of all visits so far."""

    plays: Counter[str] = field(default_factory=Counter)
    """How many, by the kind of hand."""
    right: Counter[str] = field(default_factory=Counter)
    """How many of them were the best."""
    costs: Counter[str] = field(default_factory=Counter)
    """What the others have cost, in cents."""

    def add(self, judged: Iterable[Judged]) -> None:
        """Add the plays of a visit."""
        for play in judged:
            self.plays[play.kind] += 1
            self.right[play.kind] += not play.cost
            self.costs[play.kind] += play.cost

    def summary(self, handle: str, what: str = "visits") -> str:
        """Return a sentence about all of it; empty before the first play.

        >>> book = PlayBook()
        >>> book.add([Judged("hard 16 against 10", "stand", "hit", 42)])
        >>> print(book.summary("ned21"))
        All visits of ned21: 0 of 1 play was best. The others cost $0.42: hard 16 \
against 10 $0.42.
        """
        total = self.plays.total()
        if not total:
            return ""
        verb = "was" if total == 1 else "were"
        told = f"{self.right.total():,} of {counted(total, 'play')} {verb} best."
        cost = dearest(self.costs)
        return f"All {what} of {handle}: {told}{cost and f' {cost}'}"


def read_book(handle: str, shelf: str = "plays") -> PlayBook:
    """Return the book of a player, empty if there is none that can be read.

    Each ``shelf`` is a folder of its own.
    """
    try:
        path = _path(handle, shelf)
        if path.stat().st_size > _LONGEST:
            return PlayBook()
        kept = json.loads(path.read_bytes())
        book = PlayBook()
        for kind, (plays, right, cents) in kept["plays"].items():
            book.plays[kind], book.right[kind] = int(plays), int(right)
            book.costs[kind] = int(cents)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, NoHomeError):
        return PlayBook()
    return book


def keep_plays(handle: str, judged: Sequence[Judged], shelf: str = "plays") -> PlayBook:
    """Add the plays of a visit to the book of a player, and return all of it."""
    try:
        path = _path(handle, shelf)
        make_folder(path.parent)
        with alone_in(path.parent):
            book = read_book(handle, shelf)
            book.add(judged)
            kept = {
                k: [book.plays[k], book.right[k], book.costs[k]] for k in book.plays
            }
            with contextlib.suppress(OSError):
                write_whole(path, json.dumps({"version": 1, "plays": kept}))
    except (OSError, NoHomeError):
        book = PlayBook()
        book.add(judged)
    return book


def _path(handle: str, shelf: str) -> Path:
    return state_folder("") / shelf / f"{canonical_handle(handle)}.json"
