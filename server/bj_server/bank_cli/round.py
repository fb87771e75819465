"""Round: finding the round that somebody names, and telling it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from bj_game.event import RoundEvent
from bj_game.money import dollars
from bj_server.bank.books import Books
from bj_server.bank.line import Line
from bj_server.bank.move import Kind, Posting, handle_of
from bj_server.bank.pending import record_of
from bj_server.bank_cli.history import shown_time
from bj_server.bank_cli.options import Options, RoundName
from bj_server.bank_cli.reading import Reading
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.bank_cli.telling import Teller
from bj_server.history.difference import DifferenceError
from bj_server.history.replay import RecordedRound, is_of_before, read_record, replay_of
from bj_server.standard import printable
from bj_server.table.records import DealtSeats


@dataclass(eq=False)
class Story:
    """All that is known of one round, line by line."""

    table: str
    number: int
    wrong: str | None = None
    """A sentence, if the records contradict each other."""
    _replay: RecordedRound | None = None
    _end: str = "running"
    _said: list[str] = field(default_factory=list)
    _steps: list[dict[str, object]] = field(default_factory=list)
    _head: dict[str, object] = field(default_factory=dict)

    def follow(self, line: Line, house: Posting | None) -> None:
        """Take the next line of the round, by the rules of a ``house`` line."""
        try:
            match line.kind:
                case Kind.STAKE:
                    self._bet(line)
                case "deal":
                    self._deal(line, house)
                case "answer" if self._replay is not None:
                    self._answer(line, self._replay)
                case Kind.SETTLE:
                    self._settle(line)
                case Kind.REFUND | Kind.VOID:
                    self._return(line)
                case _:
                    pass
        except DifferenceError as error:
            wrong = f"In line {line.seq} of the journal: {error}"
            self.wrong = self.wrong or wrong
            self._replay = None

    @property
    def lines(self) -> list[str]:
        """The round for people."""
        return [f"Round {self.table}/{self.number}.", *map(printable, self._said)]

    @property
    def fields(self) -> dict[str, object]:
        """The round for programs."""
        return {
            "table": self.table,
            "round": self.number,
            **self._head,
            "steps": self._steps,
            "end": self._end,
            "wrong": self.wrong,
        }

    def _bet(self, line: Line) -> None:
        for move in line.moves:
            handle = str(handle_of(move.source))
            self._said.append(f"{handle} bets {dollars(move.amount)}.")
            self._steps.append({"bet": {"handle": handle, "cents": move.amount}})

    def _deal(self, line: Line, house: Posting | None) -> None:
        deal = read_record(DealtSeats, line)
        self._head = {
            "time": line.time,
            "house": deal.house,
            "seats": [seat.model_dump(exclude_none=True) for seat in deal.seats],
        }
        time = shown_time(line.time)
        self._said.append(f"The cards are dealt at {time} UTC, by house {deal.house}.")
        self._said += [
            f"  Seat {seat.seat}, {seat.handle}: {dollars(seat.stake)} on "
            f"{_spots(seat.spots)}, with {dollars(seat.funds)} left."
            for seat in deal.seats
        ]
        if is_of_before(line):
            self._said.append("  They came from a shoe of before, and are not told.")
            return
        self._replay = replay_of(self.table, house, line)
        spots = {seat.seat: seat.spots for seat in deal.seats}
        self._teller = Teller(
            self._replay.handles, spots, hits_soft_17=self._replay.house.hit_soft_17
        )
        self._tell(self._replay.happened)

    def _answer(self, line: Line, replay: RecordedRound) -> None:
        answer = replay.answer(line)
        self._said.append(self._teller.decision(answer))
        self._steps.append({"decision": answer.model_dump(mode="json")})
        self._tell(replay.happened)

    def _settle(self, line: Line) -> None:
        self._end = "settled"
        if self._replay is not None:
            self._replay.settle(line)

    def _return(self, line: Line) -> None:
        self._end = "returned"
        for move in line.moves:
            handle = str(handle_of(move.target))
            self._said.append(f"{dollars(move.amount)} goes back to {handle}.")
            self._steps.append({"back": {"handle": handle, "cents": move.amount}})

    def _tell(self, happened: Sequence[RoundEvent]) -> None:
        self._said += self._teller.events(happened)
        self._steps += [{"event": asdict(event)} for event in happened]


def _spots(count: int) -> str:
    return "one spot" if count == 1 else f"each of {count} spots"


class _Search:
    """Follows the rounds that a name may mean: one at each table."""

    def __init__(self, name: RoundName, books: Books) -> None:
        self.stories: dict[str, Story] = {}
        self._name = name
        self._last: dict[str, int] = {}
        self._houses = {t: pending.house for t, pending in books.pending_rounds.items()}

    def visit(self, line: Line) -> None:
        table = line.table
        if table is None:
            return
        if line.kind == "house":
            self._houses[table] = record_of(line)
        elif line.round is not None:
            self._last[table] = max(line.round, self._last.get(table, 0))
            if line.round == self._name.number and self._name.table in (None, table):
                story = self.stories.setdefault(table, Story(table, line.round))
                story.follow(line, self._houses.get(table))

    @property
    def story(self) -> Story:
        """The one round that was found."""
        if len(self.stories) == 1:
            return next(iter(self.stories.values()))
        number = self._name.number
        names = " or ".join(f"{table}/{number}" for table in self.stories)
        sentence = f"More than one table has a round {number}: say {names}."
        if not self.stories:
            last = ", ".join(f"{table}/{last}" for table, last in self._last.items())
            known = f"the last of each table: {last}" if last else "none was played yet"
            at = f" at table {self._name.table!a}" if self._name.table else ""
            sentence = f"There is no round {number}{at}; {known}."
        raise RefusedError(Exit.WRONG_OPTIONS, sentence)


def tell_round(options: Options) -> Report:
    """Report a round, card by card."""
    reading = Reading(options.bank)
    search = _Search(options.round, reading.books())
    end = reading.read(search.visit)
    story = search.story
    wrong = story.wrong and f"{story.wrong} bj-bank audit tells more."
    status = Exit.UNSOUND if wrong else Exit.FINE
    remarks = (end.remark, wrong)
    return Report.of(options, story.fields, story.lines, *remarks, status=status)
