"""Round: finding the round that somebody names, and telling it in sentences."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import assert_never

from bj_game import event as game
from bj_game.card import HIDDEN
from bj_game.event import RoundEvent
from bj_game.hand import Outcome, Total
from bj_game.money import dollars
from bj_game.play import By, Play
from bj_server.bank.books import Books
from bj_server.bank.line import Line
from bj_server.bank.move import Kind, Posting, handle_of
from bj_server.bank.pending import record_of
from bj_server.bank_cli.movements import shown_time
from bj_server.bank_cli.options import Options, RoundName
from bj_server.bank_cli.reading import Reading
from bj_server.bank_cli.report import Exit, RefusedError, Report
from bj_server.history.replay import (
    DifferenceError,
    RecordedRound,
    is_of_before,
    read_record,
    replay_of,
)
from bj_server.standard import printable
from bj_server.table.records import AnswerRecord, DealtSeats

_BY = {
    By.PLAYER: "",
    By.CLOCK: ", whose time is up",
    By.ABSENCE: ", who is away",
    By.RULES: "",
}

_VERBS = {Outcome.WIN: "wins", Outcome.LOSE: "loses", Outcome.PUSH: "pushes"}


class Teller:
    """Tells one round; knows the players, and who has several hands."""

    def __init__(self, replay: RecordedRound) -> None:
        self._handles = replay.handles
        self._house = replay.house
        self._soft: dict[tuple[int, int], bool] = {}
        """By seat and hand: whether its last total, as told, was soft."""
        self._many = {each.seat for each in replay.deal.seats if each.spots > 1}

    def decision(self, answer: AnswerRecord) -> str:
        """Return a decision as a sentence, with the one who made it."""
        handle = self._handles.get(answer.seat, f"Seat {answer.seat}")
        amount = f" for {dollars(answer.amount)}" if answer.play is Play.INSURE else ""
        words = answer.play.value.replace("_", " ")
        return f"{handle}{_BY[answer.by]}: {words}{amount}."

    def event(self, event: RoundEvent) -> str:  # noqa: C901 - one flat match
        """Return an event as a sentence."""
        who = "Dealer"
        if isinstance(event, game.HandEvent):
            who = self._name(event.seat, event.hand)
        match event:
            case game.CutCardReached():
                return "The cut card comes out."
            case game.DiscardsShuffled():
                return f"The shoe is empty; {event.cards} discards are shuffled."
            case game.DealerPeeked():
                found = "has blackjack" if event.blackjack else "has no blackjack"
                return f"Dealer looks at the hole card, and {found}."
            case game.HoleRevealed():
                self._soft[0, 0] = event.soft
                return f"Dealer turns {event.card}: {Total(event.total, event.soft)}."
            case game.DealerStood():
                return self._dealer_ends(event)
            case game.SplitDeclined():
                return f"{who} keeps the pair together."
            case game.OfferDeclined():
                return f"{who} takes no offer."
            case game.HandStood():
                rules = " by the rules" if event.by is By.RULES else ""
                total = Total(event.total, self._soft[event.seat, event.hand])
                return f"{who} stands on {total}{rules}."
            case game.HandReached21():
                return f"{who} has {'a natural' if event.natural else '21'}."
            case game.HandReachedCharlie():
                return f"{who} has so many cards that the hand wins."
            case game.HandSurrendered():
                return f"{who} surrenders."
            case game.HandGivenUp():
                return f"{who} gives up."
            case game.EvenMoneyTaken():
                return f"{who} takes even money."
            case game.DealerBusted() | game.HandBusted():
                return f"{who} is bust with {event.total}."
            case game.CardDealt():
                self._soft[event.seat, event.hand] = event.soft
                if event.card == HIDDEN:
                    return f"{who} gets a card face down."
                return f"{who} gets {event.card}: {Total(event.total, event.soft)}."
            case game.HandSplit():
                self._many.add(event.seat)
                return f"{who} is split, for another {dollars(event.stake)}."
            case game.HandInsured():
                return f"{who} is insured for {dollars(event.amount)}."
            case game.HandDoubled():
                return f"{who} is doubled to {dollars(event.stake)}."
            case game.AcesValued():
                self._soft[event.seat, event.hand] = False
                return f"{who} counts aces {11 if event.high else 1}: {event.total}."
            case game.InsuranceSettled():
                wager = f"the insurance of {dollars(event.amount)}"
                return _paid(f"{who} {_VERBS[event.outcome]} {wager}", event.payout)
            case game.HandSettled():
                ruling = event.reason.value.replace("_", " ")
                wager = f"{dollars(event.stake)} ({ruling})"
                return _paid(f"{who} {_VERBS[event.outcome]} {wager}", event.payout)
            case _:
                assert_never(event)

    def _dealer_ends(self, event: game.DealerStood) -> str:
        if event.blackjack:
            return "Dealer has blackjack."
        total = Total(event.total, self._soft[0, 0])
        is_hit = total == (17, True) and self._house.hit_soft_17
        if total.points < 17 or is_hit:
            return f"Dealer has {total} and draws no card."
        return f"Dealer stands on {total}."

    def _name(self, seat: int, hand: int) -> str:
        if seat == 0:
            return "Dealer"
        handle = self._handles[seat]
        return f"{handle}, hand {hand + 1}," if seat in self._many else handle


def _paid(what: str, payout: int) -> str:
    return f"{what}; {dollars(payout)} is paid." if payout else f"{what}."


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
        for seat in deal.seats:
            spots = "one spot" if seat.spots == 1 else f"each of {seat.spots} spots"
            self._said.append(
                f"  Seat {seat.seat}, {seat.handle}: {dollars(seat.stake)} on {spots}, "
                f"with {dollars(seat.funds)} left."
            )
        if is_of_before(line):
            self._said.append("  They came from a shoe of before, and are not told.")
            return
        self._replay = replay_of(self.table, house, line)
        self._teller = Teller(self._replay)
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
        for event in happened:
            self._said.append(f"  {self._teller.event(event)}")
            self._steps.append({"event": {"type": event.type, **asdict(event)}})


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
        raise RefusedError(sentence)


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
