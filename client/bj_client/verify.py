"""``bj-client verify``: check a record again, offline."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bj_client.error import Exit, OutputClosedError
from bj_client.fair.checker import Checker
from bj_client.fair.comparison import Comparison, Stated
from bj_client.fair.finding import Finding, Remark, Tally
from bj_client.fair.record import Entry, Header, RecordError, lines_of, read
from bj_client.fair.story import Story, is_signed_by
from bj_client.fair.witness import moved_on, unheard
from bj_client.options.checked import file, server_key
from bj_client.play.output import PlainOutput
from bj_client.words.text import complain, counted, fail, listed, printable
from bj_protocol.messages import Message, Signed
from bj_protocol.model import MAX_WAGER
from bj_protocol.option import Option, Parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A remark, and the line of the record at which it came up."""

    line: int
    remark: Remark
    is_for_anyone: bool = False
    """Whether the server's signatures prove a finding to anyone."""


@dataclass(eq=False)
class Verification:
    """The check of one record; iterate over ``run``, then ask for the figures."""

    server_key: str | None = None
    """The one that has to sign."""
    comparison: Comparison = field(default_factory=Comparison)
    """That with the records of others."""
    file: str = ""
    """The name of this record in it."""
    visits: int = field(default=0, init=False)
    findings: int = field(default=0, init=False)
    """How many different things do not hold."""
    for_anyone: int = field(default=0, init=False)
    """How many of them are proven to anyone who knows the key of the server."""
    tally: Tally = field(default_factory=Tally, init=False)
    """The sum over all visits; a round that several players heard counts once."""
    keys: set[str] = field(default_factory=set, init=False)
    """The keys by which the server has signed."""
    _checkers: dict[str | None, Checker] = field(default_factory=dict, init=False)
    _before: dict[str | None, Checker] = field(default_factory=dict, init=False)
    """Those of the visit before, from which a lost line may have led here."""
    _at: float = field(default=0.0, init=False)
    _noted: dict[str, tuple[int, Remark, Checker]] = field(
        default_factory=dict, init=False
    )
    """The remarks of the visit, by their sentences."""

    def run(self, lines: Iterable[bytes]) -> Iterator[Noted]:
        """Check the lines of a record, and yield the remarks, each once.

        Findings of a visit are told at its end: only then is it known which of them the
        server's signatures prove.

        Raises:
            RecordError: at a line that is none of a record.
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
            checker = self._checkers[entry.handle] = self._begin(number, entry)
        self._at = entry.at
        if entry.heard is not None:
            self._note(number, checker.hear(entry.heard, entry.text, entry.at), checker)
            self._compare(entry.heard, checker.story)
        elif entry.sent is not None:
            checker.send(entry.sent, entry.at)
        elif entry.line == "lost":
            checker.lose()
        self.keys.update(filter(None, [checker.story.key]))  # of each run in a visit

    def _begin(self, number: int, entry: Entry) -> Checker:
        """Return the check of a line, which may have been lost at another table."""
        before = self._before.get(entry.handle)
        if before is None or not before.is_lost or entry.at < self._at:
            return Checker(self.server_key)
        told, checker = moved_on(before, self.server_key)
        self._note(number, told, checker)
        return checker

    def _compare(self, heard: Message, story: Story) -> None:
        key, run = story.key, story.run
        if key is None or not isinstance(heard, Signed):
            return
        if is_signed_by(key, run, heard):
            said = Stated(file=self.file, key=key, run=run, signed=heard)
            self.comparison.add(said)

    def _end_visit(self, number: int) -> Iterator[Noted]:
        checkers = list(self._checkers.values())
        for checker in checkers:
            self._note(number, [*unheard(checker), *checker.finish()], checker)
        for at, remark, checker in self._noted.values():
            is_finding = isinstance(remark, Finding)
            is_for_anyone = is_finding and checker.story.is_for_anyone(str(remark))
            self.findings += is_finding
            self.for_anyone += is_for_anyone
            yield Noted(line=at, remark=remark, is_for_anyone=is_for_anyone)
        if checkers:
            tallies = [checker.tally for checker in checkers]
            fullest = max(tallies, key=lambda tally: (tally.proven, tally.whole))
            had, more = asdict(self.tally), asdict(fullest)
            self.tally = Tally(**{name: had[name] + more[name] for name in had})
        self._before, self._checkers = self._checkers, {}
        self._noted.clear()

    def _note(self, number: int, remarks: list[Remark], checker: Checker) -> None:
        for remark in remarks:
            self._noted.setdefault(str(remark), (number, remark, checker))


_CODES = """\
exit codes:
  0    all that could be checked holds
  1    the output cannot be written
  2    the command line is wrong, or the file is no whole record
  11   something does not hold
"""


def verify(arguments: Sequence[str]) -> int:
    """Check the records that the arguments name, and return the exit code."""
    given = make_parser().parse_args(arguments)
    comparison, findings, path = Comparison(), 0, Path()
    output = PlainOutput(sys.stdout)
    try:
        for path in given.files:
            verification = Verification(given.server_key, comparison, str(path))
            for line in _lines(verification, path, is_json=given.json):
                named = "" if given.json or len(given.files) == 1 else f"{path}: "
                output.write(f"{named}{line}\n")
            findings += verification.findings
        if len(given.files) > 1 or comparison.contradictions:
            said = _compared_as_json if given.json else _compared_as_text
            output.write("".join(f"{line}\n" for line in said(comparison)))
    except RecordError as bad:
        unusable = f"The record {path} cannot be used. {bad}"
        return fail(Exit.USAGE, f"bj-client verify: {unusable}")
    except OutputClosedError as closed:
        if not closed.quiet:
            complain(f"bj-client verify: {closed}")
        return closed.exit
    except KeyboardInterrupt:
        return fail(Exit.INTERRUPTED, "Interrupted before all was checked.")
    except OSError as error:
        return fail(
            Exit.USAGE,
            f"bj-client verify: The record {path} cannot be read ({error.strerror}): "
            "name a file that --record has written.",
        )
    return Exit.UNFAIR if findings or comparison.contradictions else Exit.LEFT


def make_parser() -> Parser:
    """Return the parser of all options."""
    return Parser(
        prog="bj-client verify",
        description="Check a record of --record again, without a server: that every "
        "round\nfollows from what was sealed and sent, and every cent by the rules. "
        "Records of\nseveral players are compared, too: whether the server has told "
        "all the same.",
        epilog=_CODES,
        rows=_ROWS,
    )


_ROWS = (
    Option("files FILE", "a record, or several", file, count="+"),
    Option("--json", "print a line of JSON for each remark"),
    Option(
        "--server-key KEY",
        "the public key of the server at the beginning of the record, 64 hexadecimal "
        "digits; only it, and keys by which the host has renewed it, may sign",
        server_key,
    ),
)


def _lines(verification: Verification, path: Path, *, is_json: bool) -> Iterator[str]:
    with path.open("rb") as record:
        for noted in verification.run(lines_of(record)):
            yield _as_json(noted) if is_json else _as_text(noted)
    yield json.dumps(_figures(verification)) if is_json else _closing(verification)


def _as_text(noted: Noted) -> str:
    proof = ""
    if isinstance(noted.remark, Finding):
        alone = " [told by the player alone]"
        proof = " [proven to anyone]" if noted.is_for_anyone else alone
    return printable(f"line {noted.line}: {noted.remark}{proof}")


def _as_json(noted: Noted) -> str:
    remark = noted.remark
    kind = type(remark).__name__.lower()
    said = asdict(remark)
    said.pop("is_alone", None)
    if isinstance(remark, Finding):
        said["proven_to_anyone"] = noted.is_for_anyone
    if abs(remark.round) > MAX_WAGER:
        said["round"] = None  # no number that every reader of JSON can keep
    return json.dumps({"type": kind, "line": noted.line, **said, "text": str(remark)})


def _compared_as_text(comparison: Comparison) -> Iterator[str]:
    for contradiction in comparison.contradictions:
        worth = " [proven to anyone]" if contradiction.is_proof else ""
        yield printable(f"{contradiction}{worth}:")
        for stated in (contradiction.first, contradiction.second):
            yield f"  {json.dumps(stated.fields)}"
    common = counted(comparison.rounds, "round")
    told = "all were told alike" if comparison.rounds else "nothing can be compared"
    if comparison.parted:
        told = f"{comparison.parted} NOT told alike, see above where the stories part"
    yield f"The records have {common} of the same run and table in common: {told}."


def _compared_as_json(comparison: Comparison) -> Iterator[str]:
    contradictions = [
        {
            "table": pair.first.signed.table,
            "round": min(pair.first.signed.round, pair.second.signed.round),
            "proven_to_anyone": pair.is_proof,
            "files": [pair.first.file, pair.second.file],
            "statements": [pair.first.fields, pair.second.fields],
        }
        for pair in comparison.contradictions
    ]
    figures = {"rounds": comparison.rounds, "parted": comparison.parted}
    yield json.dumps({"type": "comparison", **figures, "partings": contradictions})


def _figures(verification: Verification) -> dict[str, object]:
    return {
        "type": "summary",
        "visits": verification.visits,
        **asdict(verification.tally),
        "findings": verification.findings,
        "proven_to_anyone": verification.for_anyone,
        "keys": sorted(verification.keys),
    }


def _closing(verification: Verification) -> str:
    tally = verification.tally
    holds = "All that could be checked holds"
    if verification.findings:
        above = counted(verification.findings, "finding")
        holds = f"NOT all holds, see the {above} above"
    played = counted(tally.whole, "round") if tally.whole else "no round"
    said = f"{holds}: {played} {_was(tally.whole or 1)} played again"
    if tally.proven:
        share = f"{tally.proven} of them " if tally.whole > 1 else ""
        said += f", {share}proven by secret and links"
    return f"{said}.{_others(tally)}{_signed(verification)}"


def _others(tally: Tally) -> str:
    """Return a clause about the rounds that are not proven, if there are any."""
    counts = {
        "not proven": tally.whole - tally.proven,
        "not seen whole": tally.partial,
        "void": tally.void,
    }
    said = listed([f"{n} {_was(n)} {how}" for how, n in counts.items() if n])
    return f" {said}." if said else ""


def _signed(verification: Verification) -> str:
    """Name the key that has signed, and the worth of that to others."""
    if not verification.keys:
        return " Nothing is signed: all of it is told by the player alone."
    keys = " and ".join(sorted(verification.keys))
    return (
        f" Signed by {keys}: cards, questions and payouts are proven to anyone who "
        "knows that this is the server's key; commands and times of arrival are told "
        "by the player alone."
    )


def _was(count: int) -> str:
    return "was" if count == 1 else "were"
