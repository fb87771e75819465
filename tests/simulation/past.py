"""The past: what the files of the journal say was done in rounds.

They are read by the words of ``docs/bank.md`` and by no reader of the bank, which has
read them with all its checks when it was opened. Lines that were read once and are
still there are not read again.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_KINDS = ("stake", "deal", "answer", "settle")


class Act(NamedTuple):
    """One thing of the journal that was done in a round at a table, of these kinds."""

    table: str
    kind: str
    round: int
    data: Any
    moves: list[tuple[str, str, int]]
    """Of a stake."""


class Past:
    """The journal of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[bytes, list[Act]]] = {}
        """Of each file what was read of it, and what that says."""

    def acts(self) -> Iterator[Act]:
        """Go through all that the journal has of the bets and plays of rounds."""
        paths = {path.name[:-3]: path for path in self._folder.glob("journal-*.gz")}
        paths |= {path.name: path for path in self._folder.glob("journal-*.jsonl")}
        for _, path in sorted(paths.items()):
            yield from self._acts_of(path)

    def _acts_of(self, path: Path) -> list[Act]:
        content = path.read_bytes()
        known, acts = self._known.get(path.name, (b"", []))
        if content == known:
            return acts
        if path.suffix == ".gz":
            acts = [*_read(gzip.decompress(content))]
        else:
            content = content[: content.rfind(b"\n") + 1]
            if not content.startswith(known):
                known, acts = b"", []
            acts = [*acts, *_read(content[len(known) :])]
        self._known[path.name] = content, acts
        return acts


def _read(lines: bytes) -> Iterator[Act]:
    for raw in lines.split(b"\n")[:-1]:
        line = json.loads(raw)
        for act in line.get("acts", ()):  # the first line of a segment has none
            if act["kind"] in _KINDS:
                entries = act["entries"] if act["kind"] == "stake" else ()
                moves = [tuple(move) for _, *some in entries for move in some]
                data = act.get("data")
                yield Act(line["table"], act["kind"], act["round"], data, moves)
