"""The search: the last rounds of a handle, from the end of the journal backwards.

The balance at the bookmark is known; each movement that is passed is undone, so that
the balance is known at every line. A round is found by the line that ended it, and
followed back until all that was at risk is accounted for: that line is the bet. The
search ends there, once all rounds are found with their rules, or at the line that
opened the handle's account. The rules of a table at the bookmark are those of all
rounds back to the line that named them.

Most lines are of others. They are sifted by a few words in them and never read.
"""

import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from bj_server.bank.disk import naming
from bj_server.bank.error import JournalDamagedError
from bj_server.bank.line import Line, decode
from bj_server.bank.move import PLAYER, STAKES, Kind, Posting, gained
from bj_server.bank.pending import Bookmark, record_of
from bj_server.bank.segment import load, packed, segment_path

BLOCK = 256 * 1024
"""The bytes that are read at once."""


def blocks_back(bookmark: Bookmark) -> Iterator[bytes]:
    """Yield the lines before a bookmark, some at a time, the newest first.

    Within a block the lines are in their order. The history ends where a segment is
    gone, which was deleted while a server ran.
    """
    for number in range(bookmark.number, 0, -1):
        content = _open(bookmark.folder, number)
        if content is None:
            return
        with content as file:
            end = file.seek(0, io.SEEK_END)
            if number == bookmark.number:
                if end < bookmark.size:
                    path = segment_path(bookmark.folder, number)
                    reason = "it has lost bytes that were written to it"
                    raise JournalDamagedError(path, None, reason)
                end = bookmark.size
            yield from _blocks(file, end)


def _open(folder: Path, number: int) -> BinaryIO | None:
    plain = segment_path(folder, number)
    with naming(plain):
        try:
            return plain.open("rb")
        except FileNotFoundError:
            pass  # it is gone, or packed
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


_ENDS = (Kind.SETTLE, Kind.REFUND, Kind.VOID)
_HOUSE, _ANSWER = b'"kind":"house"', b'"kind":"answer"'

_Place = tuple[str, int]


@dataclass(slots=True, kw_only=True, eq=False)
class Found:
    """One round of a handle; amounts in cents."""

    end: Line
    """The line by which it was over for the handle."""
    owed: int
    """The cents that the handle had at risk at the end, less those whose lines are
    found; 0 once the bet itself is found."""
    bet: Line | None = None
    """The line of the bet."""
    deal: Line | None = None
    others: Line | None = None
    """The deal to others, where the bet came back right before it."""
    answers: list[Line] = field(default_factory=list)
    """The decisions of all seats, in their order."""
    house: Posting | None = None
    """The rules by which it was dealt."""
    balance_before: int = 0
    balance_after: int = 0

    def is_named_in(self, raw: bytes) -> bool:
        """Whether the bytes of a line name the table and the round."""
        table, round = json.dumps(self.end.table), self.end.round
        return (
            f'"table":{table}'.encode() in raw and f'"round":{round},'.encode() in raw
        )

    @property
    def is_complete(self) -> bool:
        """Whether nothing older is needed to tell the round."""
        return self.owed == 0 and (self.deal is None or self.house is not None)


class SearchStoppedError(Exception):
    """Nobody waits for the answer any more."""


def find_rounds(
    bookmark: Bookmark, most: int, is_wanted: Callable[[], bool] = lambda: True
) -> list[Found]:
    """Return the last rounds of the bookmark's handle that are over, newest last."""
    search = _Search(bookmark, most)
    for block in blocks_back(bookmark):
        if not is_wanted():
            raise SearchStoppedError
        search.read(block)
        if search.is_over:
            break
    return [found for found in reversed(search.found.values()) if not found.owed]


class _Search:
    def __init__(self, bookmark: Bookmark, most: int) -> None:
        self.found: dict[_Place, Found] = {}
        """By table and round, the newest first."""
        self._handle = bookmark.handle
        self._account = PLAYER + bookmark.handle
        self._needles = [
            f'"{name}"'.encode() for name in (self._account, bookmark.handle)
        ]
        self._balance = bookmark.balance
        self._houses = {
            t: pending.house for t, pending in bookmark.pending_rounds.items()
        }
        """The rules of each table where the search is; None for those still to come."""
        self._synced = bookmark.synced
        self._most = most
        self._running: set[_Place] = set()
        """Rounds that are not over, or not safely."""
        self._open = {
            (table, pending.deal.round or 0)
            for table, pending in bookmark.pending_rounds.items()
            if pending.deal is not None
        }
        """Rounds of anyone that are not over, or not safely."""
        self._is_fresh = True
        """Whether the lines that are passed may not be on the disk yet."""
        self._dealt: dict[_Place, Line] = {}
        """The deal that was passed last."""
        self._is_opened = False
        """Whether the line was passed that opened the account."""

    @property
    def is_over(self) -> bool:
        """Whether nothing older is needed."""
        is_enough = self._is_opened or len(self.found) >= self._most
        return is_enough and all(found.is_complete for found in self.found.values())

    def read(self, block: bytes) -> None:
        """Go back over the lines of a block, as far as they are needed."""
        for raw in reversed(block.splitlines()):
            if self._may_matter(raw):
                for line in reversed(decode(raw)):
                    self._pass_by(line)
                if self.is_over:
                    return

    def _may_matter(self, raw: bytes) -> bool:
        """Whether a line may be about the handle, its rounds or the rules of one."""
        if (
            self._is_fresh
            or _HOUSE in raw
            or any(needle in raw for needle in self._needles)
        ):
            return True
        return _ANSWER in raw and any(
            found.owed and found.is_named_in(raw) for found in self.found.values()
        )

    def _pass_house(self, line: Line) -> None:
        for found in self.found.values():
            if found.end.table == line.table and found.deal and not found.house:
                found.house = record_of(line)
        self._houses[str(line.table)] = None

    def _pass_by(self, line: Line) -> None:
        if line.kind == "house":
            self._pass_house(line)
        place = (str(line.table), line.round or 0)
        self._is_fresh = line.seq > self._synced
        if line.kind == "deal":
            self._dealt = {place: line}
        if line.kind in _ENDS:
            if self._is_fresh:
                self._open.add(place)
            self._end(line, place)
        found = self.found.get(place)
        if found is not None and found.owed:
            self._follow(found, line)
        elif found is None and line.kind == Kind.STAKE and self._staked(line):
            self._running.add(place)
        gain = gained(line.moves, self._account)
        self._balance -= gain
        if found is not None and found.bet is line:
            found.balance_before = self._balance
        self._is_opened |= line.kind == Kind.OPEN and gain != 0

    def _end(self, line: Line, place: _Place) -> None:
        if self._is_opened:
            return  # it is of one who had the handle before
        at_risk = self._at_risk(line)
        if not at_risk or place in self.found or place in self._running:
            return
        if line.seq > self._synced:
            self._running.add(place)
        elif len(self.found) < self._most:
            others = None if place in self._open else self._dealt.get(place)
            self.found[place] = Found(
                end=line, owed=at_risk, others=others, balance_after=self._balance
            )

    def _follow(self, found: Found, line: Line) -> None:
        """Take in a line of a round that is followed back to its bet."""
        match line.kind:
            case "answer":
                found.answers.insert(0, line)
                found.owed -= self._staked(line)
            case "deal":
                found.deal, found.house = line, self._houses.get(str(line.table))
            case Kind.STAKE:
                found.owed -= self._staked(line)
                if not found.owed:
                    found.bet = line
            case _:
                pass

    def _at_risk(self, line: Line) -> int:
        """Return the cents that the handle had at risk before a line that ends it."""
        if line.kind != Kind.SETTLE:
            return gained(line.moves, self._account)
        results = line.data.get("results")
        ours = results if isinstance(results, Iterable) else ()
        return sum(
            result.get("stake", 0) + result.get("insurance", 0)
            for result in ours
            if isinstance(result, dict) and result.get("handle") == self._handle
        )

    def _staked(self, line: Line) -> int:
        account = STAKES + str(line.table)
        ours = (move for move in line.moves if move.source == self._account)
        return sum(move.amount for move in ours if move.target == account)
