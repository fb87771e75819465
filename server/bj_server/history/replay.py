"""Replay: a round played once more from its records, line by line, and what differs.

The draw, the stakes and the answers are all that a round depends on, so it must come to
the same payouts as the journal has.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from pydantic import BaseModel

from bj_game.house import House
from bj_game.money import in_dollars
from bj_game.play import IllegalPlayError, Play, Reason
from bj_game.replay import Replay
from bj_game.shoe import ShoeEmptyError
from bj_server.bank.move import Entry, Posting, paid, staked
from bj_server.table.payout import payment_of, result_of, settled_among, wagers_of
from bj_server.table.records import (
    DRAW,
    AnswerRecord,
    DealRecord,
    recorded_house,
    shoe_of_deal,
)

_LONGEST = 200


class DifferenceError(Exception):
    """Something that is wrong; ``str`` is a sentence.

    It is raised where code that meets it cannot go on, and listed where it can.
    """

    def __init__(
        self, what: str, written: str | None = None, due: str | None = None
    ) -> None:
        """Say that ``what`` is ``written`` otherwise; alone it is a whole sentence."""
        self.written, self.due = written, due
        if written is not None and due is not None:
            what = f"{what} is {written[:_LONGEST]}, and should be {due[:_LONGEST]}"
        super().__init__(f"{what}.")


def compare_entries(what: str, written: Sequence[Entry], due: Sequence[Entry]) -> None:
    """Compare the money of a line with what must have moved."""
    for number, (has, should) in enumerate(zip_longest(written, due), 1):
        if has != should:
            entry = f"Entry {number} of {what}"
            raise DifferenceError(entry, _entry(has), _entry(should))


def compare_fields(what: str, written: object, due: Mapping[str, object]) -> None:
    """Compare an object of a record with the one that is due."""
    if written == due:
        return
    fields: dict[Any, Any] = dict(written) if isinstance(written, Mapping) else {}
    names = [n for n in {**fields, **due} if fields.get(n) != due.get(n)]
    has = {name: fields[name] for name in names if name in fields}
    raise DifferenceError(
        what, _json(has), _json({n: due[n] for n in names if n in due})
    )


def _entry(entry: Entry | None) -> str:
    if entry is None:
        return "nothing"
    moves = [
        f"{in_dollars(move.amount)} from {move.source} to {move.target}"
        for move in entry.moves
    ]
    return f"{entry.reason.words}, {' and '.join(moves) or 'of nothing'}"


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value) if value else "nothing"


_R = TypeVar("_R", bound=BaseModel)


class RecordedRound(Replay):
    """One round; every line that follows its deal is compared with it."""

    def __init__(self, table: str, house: House, deal: DealRecord) -> None:
        """Deal."""
        self.deal = deal
        self.handles = {seat.seat: seat.handle for seat in deal.seats}
        self._table = table
        shoe = shoe_of_deal(house, deal)
        if len(self.handles) < len(deal.seats):
            raise ValueError("a seat is dealt twice")
        super().__init__(house, shoe, [seat.as_stake() for seat in deal.seats])

    def answer(self, line: Posting) -> AnswerRecord:
        """Play the decision of a line."""
        answer = self.follow(line)
        wagers = wagers_of(self.handles[answer.seat], self.happened)
        due = [staked(self._table, wager) for wager in wagers]
        compare_entries(f"the decision {_words(answer.play)}", line.entries, due)
        return answer

    def follow(self, line: Posting) -> AnswerRecord:
        """Play the decision of a line, at whatever cost."""
        answer = read_record(AnswerRecord, line)
        who = self.handles.get(answer.seat, f"seat {answer.seat}")
        try:
            self.play(answer.seat, answer.as_reply())
        except IllegalPlayError as illegal:
            raise DifferenceError(
                f"{who} cannot {_words(answer.play)} there ({_words(illegal.reason)})"
            ) from None
        except ShoeEmptyError:
            raise DifferenceError(f"{who} draws from a shoe that is empty") from None
        return answer

    def settle(self, line: Posting) -> None:
        """Compare a settlement with the round, which must be at its end."""
        prompt = self.round.prompt
        if prompt is not None:
            plays = " or ".join(map(_words, prompt.plays))
            asked = f"{self.handles[prompt.seat]} to {plays}"
            raise DifferenceError("The round is settled, though it still asks " + asked)
        settled = settled_among(self.happened)
        payments = [payment_of(event, self.handles) for event in settled]
        entries = [paid(self._table, payment) for payment in payments]
        compare_entries("the settlement", line.entries, entries)
        results = [result_of(event, self.handles) for event in settled]
        written = line.data.get("results")
        if not isinstance(written, list) or len(written) != len(results):
            raise DifferenceError("The settlement has not one result for each wager")
        for index, (has, due) in enumerate(zip(written, results, strict=True), 1):
            compare_fields(f"Result {index} of the settlement", has, due)


def _words(name: Play | Reason) -> str:
    return name.value.replace("_", " ")


def read_record(model: type[_R], line: Posting) -> _R:
    """Return the record in the data of a line."""
    try:
        return model.model_validate(line.data)
    except ValueError as error:
        raise DifferenceError(
            f"The record of kind {line.kind} cannot be read"
        ) from error


def replay_of(table: str, house: Posting | None, line: Posting) -> RecordedRound:
    """Deal the round of a ``deal`` line that is not of before, by a ``house`` line."""
    deal = read_record(DealRecord, line)
    if house is None:
        raise DifferenceError("Nothing says by which rules it was dealt")
    try:
        rules = recorded_house(house.data)
        return RecordedRound(table, rules, deal)
    except ValueError as error:
        raise DifferenceError("Its rules or its shoe cannot be read") from error
    except ShoeEmptyError:
        raise DifferenceError("The shoe ran out during the deal") from None


def is_of_before(line: Posting) -> bool:
    """Whether a ``deal`` line is from before there were draws as they are now."""
    return line.data.get("draw") != DRAW
