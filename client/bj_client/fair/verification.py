"""Verification: a record checked as the client has checked it, without a server."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from bj_client.fair.checker import Checker
from bj_client.fair.finding import Finding, Proof, Remark
from bj_client.fair.recording import Entry, Header, read
from bj_client.fair.tally import Tally

__all__ = ["Noted", "Verification"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A remark, and the line of the record at which it came up."""

    line: int
    remark: Remark


class Verification:
    """The check of one record; iterate over ``run``, then ask for the figures."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self.visits = 0
        self.findings = 0
        """How many different things do not hold."""
        self.tally = Tally()
        """The sum over all visits; what several players heard counts once."""
        self._checkers: dict[str | None, Checker] = {}
        self._told: set[str] = set()

    def run(self, lines: Iterable[bytes]) -> Iterator[Noted]:
        """Check the lines of a record, and tell what comes up, each thing once.

        Raises:
            BadRecord: at a line that is none of a record.
        """
        number = 0
        for number, line in read(lines):
            if isinstance(line, Header):
                yield from self._note(number, self._end_visit())
                self.visits += 1
                self._told.clear()
            else:
                yield from self._note(number, self._hear(line))
        yield from self._note(number, self._end_visit())

    def _hear(self, entry: Entry) -> list[Remark]:
        checker = self._checkers.setdefault(entry.handle, Checker())
        if entry.heard is not None:
            return checker.hear(entry.heard)
        if entry.sent is not None:
            return checker.send(entry.sent)
        if entry.line == "lost":
            checker.lose()
        return []

    def _end_visit(self) -> list[Remark]:
        remarks = [r for c in self._checkers.values() for r in c.finish()]
        tallies = [checker.tally for checker in self._checkers.values()]
        if tallies:
            fullest = max(tallies, key=lambda tally: (tally.proven, tally.whole))
            for name in (field.name for field in fields(Tally)):
                total = getattr(self.tally, name) + getattr(fullest, name)
                setattr(self.tally, name, total)
        self._checkers.clear()
        return remarks

    def _note(self, number: int, remarks: list[Remark]) -> Iterator[Noted]:
        for remark in remarks:
            known = remark.seed_sha256 if isinstance(remark, Proof) else str(remark)
            if known not in self._told:
                self._told.add(known)
                self.findings += isinstance(remark, Finding)
                yield Noted(line=number, remark=remark)
