"""The inspector: watches the lines of one table, and plays every round again.

In a casino the inspector stands behind the tables and sees that each game is dealt and
paid by the rules. Only the first fault in the play of a round is told, since later ones
follow from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from bj_game.money import in_dollars
from bj_game.shoe import ShoeEmptyError
from bj_server.bank.error import MispostedError
from bj_server.bank.line import Line
from bj_server.bank.move import PLAYER, Kind
from bj_server.bank.pending import PendingRound, changed
from bj_server.bank_cli.draw import Draws, Secrets
from bj_server.bank_cli.tally import Tally
from bj_server.history.replay import (
    DifferenceError,
    RecordedRound,
    compare_fields,
    is_of_before,
    read_record,
    replay_of,
)
from bj_server.standard import printable
from bj_server.table.records import DealRecord, DealtSeat, DealtSeats, DrawRecord


class Inspector:
    """Knows the house, the draw and the running round of a table."""

    def __init__(self, table: str, tally: Tally, secrets: Secrets) -> None:
        """Begin with a table that has done nothing; ``tally`` is added to first."""
        self.settled = 0
        """The rounds that were dealt and settled."""
        self.returned = 0
        """The rounds that were dealt and whose stakes all went back."""
        self.before = 0
        """The rounds that were dealt before there were draws."""
        self.newest = 0
        """The last round in which there was a bet."""
        self.live: int | None = None
        """The round that is dealt and neither settled nor returned."""
        self._table = table
        self._tally = tally
        self._draws = Draws(table, secrets)
        self._dealt = 0
        self._replay: RecordedRound | None = None
        self._is_spoiled = False
        self._drift: dict[str, int] = {}
        self._state: Mapping[str, object] | None = None
        self._steps: dict[str, Callable[[Line], None]] = {
            "house": self._name,
            "draw": self._draw,
            Kind.STAKE: self._bet,
            "answer": self._answer,
            Kind.SETTLE: self._settle,
            Kind.REFUND: self._return,
            Kind.VOID: self._return,
            Kind.SEAL: self._change,
        }

    def begin(self, pending: PendingRound, round: int) -> Iterator[DifferenceError]:
        """Begin in the middle: with the pending records of the table, after a round."""
        self.newest = self._dealt = round
        try:
            self._begin(pending)
        except DifferenceError as error:
            self._spoil()
            yield error
        except ValueError:
            self._spoil()
            yield DifferenceError(f"The state of table {self._table} cannot be read")
        self._draws.is_shoe_known = False

    def _begin(self, pending: PendingRound) -> None:
        self._state = pending.state
        if pending.house is not None:
            self._draws.name(pending.house.data)
        if pending.draw is not None:
            self._draws.resume(pending.draw)
        if pending.deal is not None:
            self.live = pending.deal.round
            self._is_spoiled = is_of_before(pending.deal)
            if not self._is_spoiled:
                self._replay = replay_of(self._table, pending.house, pending.deal)
                for answer in pending.answers:
                    self._replay.follow(answer)

    def inspect(self, line: Line) -> Iterator[DifferenceError]:
        """Compare the next line with all before it; tell what cannot be right."""
        try:
            if line.kind == "deal":
                yield from self._deal(line)
            elif line.kind in self._steps:
                self._steps[line.kind](line)
        except DifferenceError as error:
            self._spoil()
            yield error

    def _change(self, line: Line) -> None:
        try:
            self._state = changed(self._state, line.data)
        except MispostedError as error:
            raise DifferenceError(str(error).removesuffix(".")) from error

    # The rules and the draw of a round.

    def _name(self, line: Line) -> None:
        try:
            self._draws.name(line.data)
        except ValueError as error:
            raise DifferenceError("The house cannot be made again") from error

    def _draw(self, line: Line) -> None:
        held = self._tally.held(self._table, line.round or 0)
        self._draws.draw(line.round, read_record(DrawRecord, line), held)

    # The course of a round.

    def _bet(self, line: Line) -> None:
        number = _round_of(line)
        self.newest = max(self.newest, number)
        if number <= self._dealt:
            raise DifferenceError("A bet is taken in a round that was dealt before")

    def _deal(self, line: Line) -> Iterator[DifferenceError]:
        number = _round_of(line)
        if self.live is not None:
            what = f"Round {self._table}/{self.live} was neither settled nor returned"
            yield DifferenceError(what)
        if number <= self._dealt:
            yield DifferenceError("This round, or a later one, was dealt before")
        self.live, self._dealt = number, max(number, self._dealt)
        self._replay, self._is_spoiled = None, False
        if is_of_before(line):
            self.before += 1
            self._spoil()
            seats = read_record(DealtSeats, line).seats
            yield from self._check_seats(number, seats)
            return
        deal, house = read_record(DealRecord, line), self._draws.house
        yield from self._check_seats(number, deal.seats)
        if house is None:
            raise DifferenceError("Nothing says by which rules it is dealt")
        if deal.house != house.name:
            yield DifferenceError("The house", written=deal.house, due=house.name)
        yield from self._draws.check(number, deal)
        try:
            self._replay = RecordedRound(self._table, house, deal)
        except ValueError as error:
            raise DifferenceError(
                f"The round cannot be dealt again, since {error}"
            ) from error
        except ShoeEmptyError:
            self._draws.put_back(deal)  # and the stakes must go back

    def _check_seats(
        self, number: int, seats: Sequence[DealtSeat]
    ) -> Iterator[DifferenceError]:
        bets = {seat.handle: seat.stake * seat.spots for seat in seats}
        held = self._tally.held(self._table, number)
        try:
            compare_fields("The record of the bets in the deal, in cents,", bets, held)
        except DifferenceError as error:
            yield error
        for seat in seats:
            free = self._tally.accounts.get(PLAYER + seat.handle, 0)
            drift = seat.funds - free
            # A fault that was told is not told again in every round that follows.
            if drift != self._drift.get(seat.handle, 0):
                self._drift[seat.handle] = drift
                what = f"The free money of {seat.handle}"
                yield DifferenceError(what, in_dollars(seat.funds), in_dollars(free))
                return

    def _answer(self, line: Line) -> None:
        replay = self._replay_at(line)
        if replay is not None:
            replay.answer(line)

    def _settle(self, line: Line) -> None:
        replay = self._replay_at(line)
        self.settled += 1
        self._end()
        if replay is not None:
            replay.settle(line)
            self._draws.leave(replay.shoe)

    def _replay_at(self, line: Line) -> RecordedRound | None:
        """Return the round that a line goes on with; None if it is spoiled."""
        if self.live != _round_of(line):
            raise DifferenceError(
                "The round goes on here, but was not dealt, or is over"
            )
        if self._replay is None and not self._is_spoiled:
            raise DifferenceError(
                "The round goes on here, but its shoe ran out in the deal"
            )
        return self._replay

    def _return(self, line: Line) -> None:
        number, replay = _round_of(line), self._replay
        if number == self.live and not self._tally.held(self._table, number):
            self.returned += 1
            self._end()
            if replay is not None:
                self._draws.put_back(replay.deal)
        self._draws.end(number, line.data.get("secret"))

    def _end(self) -> None:
        self.live, self._replay = None, None

    def _spoil(self) -> None:
        self._replay, self._is_spoiled = None, True
        self._draws.is_shoe_known = False


def _round_of(line: Line) -> int:
    if line.round is None:
        raise DifferenceError(f"A line of kind {line.kind} names no round")
    return line.round


MOST_KEPT = 20
"""So many findings are named; the rest are counted."""


class Findings:
    """The first findings, and the number of all."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[dict[str, object]] = []
        """The findings for programs."""

    def add(
        self, fault: DifferenceError | str, place: str = "", line: Line | None = None
    ) -> None:
        """Add a fault at a place, or the sentence of what stopped the audit."""
        self.count += 1
        if self.count <= MOST_KEPT:
            text = f"{place}: {fault}" if place else str(fault)
            finding: dict[str, object] = {"text": text}
            finding |= {n: getattr(line, n, None) for n in ("seq", "table", "round")}
            finding |= {n: getattr(fault, n, None) for n in ("written", "due")}
            self.kept.append(finding)

    @property
    def lines(self) -> list[str]:
        """The findings for people."""
        lines = [printable(str(finding["text"])) for finding in self.kept]
        if self.count > len(self.kept):
            lines.append(f"... and {self.count - len(self.kept):,} more.")
        return lines
