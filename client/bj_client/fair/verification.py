"""Verification: a record checked as the client has checked it, without a server."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from bj_client.fair.checker import Checker
from bj_client.fair.comparison import Comparison, Stated
from bj_client.fair.finding import Finding, Remark, Tally
from bj_client.fair.record import Entry, Header, read
from bj_client.fair.story import Story, is_signed_by
from bj_protocol.messages import Message, Signed


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A remark, and the line of the record at which it came up."""

    line: int
    remark: Remark
    is_for_anyone: bool = False
    """Whether what the server has signed proves a finding to anyone."""


class Verification:
    """The check of one record; iterate over ``run``, then ask for the figures."""

    def __init__(
        self,
        server_key: str | None = None,
        comparison: Comparison | None = None,
        file: str = "",
    ) -> None:
        """Start with nothing read; ``server_key`` is the one that has to sign.

        ``comparison`` is with what others have heard, in which this is ``file``.
        """
        self._server_key = server_key
        self._comparison = comparison or Comparison()
        self._file = file
        self.visits = 0
        self.findings = 0
        """How many different things do not hold."""
        self.for_anyone = 0
        """How many of them are proven to anyone who knows the key of the server."""
        self.tally = Tally()
        """The sum over all visits; what several players heard counts once."""
        self.keys: set[str] = set()
        """The keys by which the server has signed."""
        self._checkers: dict[str | None, Checker] = {}
        self._noted: list[tuple[int, Remark, Checker]] = []
        self._told: set[str] = set()

    def run(self, lines: Iterable[bytes]) -> Iterator[Noted]:
        """Check the lines of a record, and tell what comes up, each thing once.

        What is found in a visit is told at its end: only then is it known what of it
        the server has signed.

        Raises:
            BadRecord: at a line that is none of a record.
        """
        number = 0
        for number, line in read(lines):
            if isinstance(line, Header):
                yield from self._end_visit(number)
                self.visits += 1
            else:
                self._hear(number, line)
        yield from self._end_visit(number)

    def _hear(self, number: int, entry: Entry) -> None:
        checker = self._checkers.get(entry.handle)
        if checker is None:
            checker = self._checkers[entry.handle] = Checker(self._server_key)
        if entry.heard is not None:
            self._note(number, checker.hear(entry.heard, entry.text, entry.at), checker)
            self._compare(entry.heard, checker.story)
        elif entry.sent is not None:
            checker.hear_sent(entry.sent, entry.at)
        elif entry.line == "lost":
            checker.lose()

    def _compare(self, heard: Message, story: Story) -> None:
        key, run = story.key, story.run
        if key is None or not isinstance(heard, Signed):
            return
        if is_signed_by(key, run, heard):
            stated = Stated(file=self._file, key=key, run=run, signed=heard)
            self._comparison.add(stated)

    def _end_visit(self, number: int) -> Iterator[Noted]:
        checkers = list(self._checkers.values())
        for checker in checkers:
            self._note(number, checker.finish(), checker)
        for at, remark, checker in self._noted:
            is_finding = isinstance(remark, Finding)
            is_for_anyone = is_finding and checker.is_for_anyone(str(remark))
            self.findings += is_finding
            self.for_anyone += is_for_anyone
            yield Noted(line=at, remark=remark, is_for_anyone=is_for_anyone)
        if checkers:
            tallies = [checker.tally for checker in checkers]
            fullest = max(tallies, key=lambda tally: (tally.proven, tally.whole))
            for name in (field.name for field in fields(Tally)):
                total = getattr(self.tally, name) + getattr(fullest, name)
                setattr(self.tally, name, total)
        self.keys |= {c.story.key for c in checkers if c.story.key is not None}
        self._checkers.clear()
        self._noted.clear()
        self._told.clear()

    def _note(self, number: int, remarks: list[Remark], checker: Checker) -> None:
        for remark in remarks:
            if str(remark) not in self._told:
                self._told.add(str(remark))
                self._noted.append((number, remark, checker))
