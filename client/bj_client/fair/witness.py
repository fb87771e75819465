"""The witness: hears along on every line of a visit, records, checks, and tells.

Every message and command on a line passes a ``LineRecorder``. It is added to the
record, if there is one, and to the evidence, and the checker of that line looks at it.
A finding is told once, however many players at this keyboard have heard it.
"""

import time
from collections.abc import Callable, Sequence

from bj_client.fair import record
from bj_client.fair.checker import Checker
from bj_client.fair.finding import Finding, Note, Remark
from bj_client.fair.linker import Linker
from bj_client.fair.record import Evidence, Recorder
from bj_client.fair.story import Heads
from bj_client.model.table import place_of
from bj_client.words.money import dollars
from bj_protocol.codec import encode
from bj_protocol.commands import Command
from bj_protocol.messages import Message, Refused, Snapshot, TableList


class Witness:
    """Checks all that is said during a visit."""

    def __init__(
        self,
        server: str,
        evidence: Evidence | None = None,
        recorder: Recorder | None = None,
        now: Callable[[], float] = time.monotonic,
        server_key: str | None = None,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Listen to ``server``, as people write it; ``now`` is in seconds.

        ``server_key`` is the only one that may sign, if it is known. ``warn`` takes a
        finding at once where nothing else tells it.
        """
        self.server_key = server_key
        self._server = server
        self._evidence = evidence
        self._recorder = recorder
        self._now = now
        self._warn = warn
        self._began = now()
        self._head: tuple[str, str] | None = None
        """The table, and its server, of which the record has a first line."""
        self._news: list[Finding | str] = []
        self._told: set[str] = set()
        self.findings = 0
        """How many different things did not hold."""
        self.signed = Heads()
        """What the server has signed on any line."""

    def begin(self) -> None:
        """Note that another visit begins, with a first line of its own."""
        self._head = None

    def ear(self, handle: str | None) -> "LineRecorder":
        """Return the recorder for the line of a player, or of a watcher."""
        return LineRecorder(self, handle)

    def take(self) -> list[Finding | str]:
        """Return the remarks since the last call; a plain string is good news."""
        news, self._news = self._news, []
        return news

    @property
    def verdict(self) -> str:
        """The verdict on the visit, as a sentence; "" if all held."""
        if not self.findings:
            return ""
        things = "1 thing" if self.findings == 1 else f"{self.findings} things"
        return (
            f"The story of the server does not hold: {things} found. "
            f"{self._where} Show it to the other players and to the host."
        )

    def close(self) -> None:
        """Close the files."""
        for file in (self._recorder, self._evidence):
            if file is not None:
                file.close()

    def keep(
        self,
        handle: str | None,
        kind: str,
        text: str,
        picture: Snapshot | None = None,
    ) -> float:
        """Keep what a player has heard or sent as an entry of the record.

        A ``picture`` of another table begins a visit in the record.

        Returns:
            The seconds of the visit.
        """
        at, head = self._now() - self._began, ""
        if picture is not None and self._head != place_of(picture):
            self._head = place_of(picture)
            self._told.clear()  # a round of the same number is another one there
            head = record.header(self._server, picture.table)
        if self._recorder is None and self._evidence is None:
            return at
        line = head + record.entry(handle, at, kind, text)
        if self._evidence is not None:
            self._evidence.add(line)
        if self._recorder is not None:
            self._write(line)
        return at

    def note(self, remarks: list[Remark]) -> None:
        """Take the remarks of a checker, each once."""
        for remark in remarks:
            sentence = str(remark)
            if sentence in self._told:
                continue
            self._told.add(sentence)
            if isinstance(remark, Finding):
                self._find(remark)
                continue
            self._news.append(sentence)
            if isinstance(remark, Note):
                self._warn(sentence)

    def _find(self, finding: Finding) -> None:
        self.findings += 1
        if self._evidence is not None:
            self._evidence.save()
        self._warn(f"THE SERVER IS WRONG. {finding} {self._where}")
        self._news.append(finding)
        if self.findings == 1:
            self._news.append(self._where)

    @property
    def _where(self) -> str:
        evidence = self._evidence
        if evidence is None or evidence.path is None:
            return "The evidence could not be saved."
        partly = ", as far as there was room" if evidence.is_lost else ""
        return f"The evidence is in {evidence.path}{partly}."

    def _write(self, text: str) -> None:
        assert self._recorder is not None
        try:
            self._recorder.write(text)
        except OSError as error:
            self._news.append(
                f"The record {self._recorder.path} cannot be written any more "
                f"({error.strerror}), and ends here: free some room for the next one."
            )
            self._recorder.close()
            self._recorder = None


class LineRecorder:
    """Hears along on one line, and has the player's part in each draw."""

    def __init__(self, witness: Witness, handle: str | None) -> None:
        self._witness = witness
        self._handle = handle
        self._place: tuple[str, str] | None = None
        self._begin(Checker(witness.server_key))

    def _begin(self, checker: Checker) -> None:
        self._checker = checker
        self._checker.story.signed = self._witness.signed
        self._linker = Linker(checker)

    def hear(self, message: Message, text: str = "") -> Sequence[Command]:
        """Take a message and its text; return the commands to send."""
        if isinstance(message, TableList):
            return ()
        picture = message if isinstance(message, Snapshot) else None
        if picture is not None:
            self._turn_to(picture)
        exact = text or encode(message)
        kept = encode(message) if "\n" in exact else exact
        at = self._witness.keep(self._handle, "heard", kept, picture)
        self._witness.note(self._checker.hear(message, exact, at))
        return self._linker.answer(message)

    def _turn_to(self, picture: Snapshot) -> None:
        """Begin anew at another table of a fleet, to which a lost line has led."""
        place = place_of(picture)
        is_of_fleet = picture.story is not None and picture.story.fleet is not None
        is_moved = self._place not in (None, place) and self._checker.is_lost
        if is_moved and is_of_fleet:
            told, checker = moved_on(self._checker, self._witness.server_key)
            self._witness.note(told)
            self._begin(checker)
        self._place = place

    def end(self) -> None:
        """Tell of the rounds whose end we shall not hear, since the visit is over."""
        self._witness.note(unheard(self._checker))

    def why_not(self, command: Command, *, is_unproven: bool = False) -> Refused | None:
        """Return why a command is not to be sent; None for most."""
        return self._linker.why_not(command, is_unproven=is_unproven)

    def send(self, command: Command) -> Command:
        """Take a command, and return it as it is to be sent."""
        command = self._linker.dress(command)
        at = self._witness.keep(self._handle, "sent", encode(command))
        self._checker.send(command, at)
        return command

    def part(self) -> int | None:
        """Return the cents of a player at the end of the visit, by the server's word.

        If no signature came of them, that is told. None if a round is not over.
        """
        checker = self._checker
        had = checker.purses.gone.get(checker.handle or "")
        is_due = checker.story.is_on and checker.answers.is_leaving
        if is_due and had is not None and checker.parted is None:
            what = f"no signature came of the {dollars(had)} that you had when you left"
            self._witness.note([Note(round=checker.rounds.number, what=what)])
        owing, seat = checker.rounds.owing, checker.rounds.bets.own_seat
        if checker.parted is not None or owing or owing.fell or not checker.story.is_on:
            return checker.parted
        return checker.purses.of_handle(checker.handle or "", seat)

    @property
    def is_owed(self) -> bool:
        """Whether a signature of the server is due next."""
        return bool(self._checker.story.owed)

    def is_private(self, message: Message) -> bool:
        """Whether a message concerns no player, once it was heard."""
        return self._linker.is_private(message)

    def lose(self) -> None:
        """Note that the line is lost."""
        self._witness.keep(self._handle, "line", '"lost"')
        self._checker.lose()
        self._linker.lose()

    def regain(self) -> None:
        """Note that the line is back."""
        self._witness.keep(self._handle, "line", '"back"')


def unheard(checker: Checker) -> list[Remark]:
    """Return the rounds whose end was not heard, at the end of a visit."""
    what = "the visit is over, and you have not heard the end of this round"
    owed = checker.rounds.owing.linked
    return [Note(round=each.number, what=what) for each in owed]


def moved_on(before: Checker, key: str | None) -> tuple[list[Remark], Checker]:
    """Return the rounds that a move leaves behind, and the check at the next table.

    A server that fails has its players sit elsewhere in its fleet; one that cheats may
    send them there.
    """
    rounds, owing = before.rounds, before.rounds.owing
    what = f"you were moved from table {before.story.table}, and have not heard its end"
    told = [rounds.ways.leave_untold(owed.number, what) for owed in owing.linked]
    had = owing.least(before.purses.least(rounds.bets.own_seat))
    return [*told], Checker(key, rounds.ways, had)


class NoEar:
    """Hears nothing, for players who play unseen and unproven."""

    def hear(self, message: Message, text: str = "") -> Sequence[Command]:
        """Let a message pass."""
        return ()

    def why_not(self, command: Command, *, is_unproven: bool = False) -> Refused | None:
        """Let every command be sent."""
        return None

    def send(self, command: Command) -> Command:
        """Let a command pass."""
        return command

    @property
    def is_owed(self) -> bool:
        """Wait for nothing."""
        return False

    def is_private(self, message: Message) -> bool:
        """Hide nothing."""
        return False

    def lose(self) -> None:
        """Let the line be lost."""

    def regain(self) -> None:
        """Let the line be back."""

    def end(self) -> None:
        """Owe nothing."""
