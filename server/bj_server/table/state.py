"""The state of a table between two commands, on its way into the journal and back.

It leaves out all that the journal has anyway: the money, the order of the shoe, and
the decisions in a round. Defaults are left out, too, and of each command only what it
has changed is written.
"""

from operator import attrgetter
from typing import Any

from bj_protocol.views import Phase
from bj_server.table.context import TableContext
from bj_server.table.records import SeatState
from bj_server.table.seat import LastAnswer, Seat

_Fields = dict[str, object]
_Marks = tuple[Any, ...]
"""The last answer of a seat, and the rest of what is kept of it."""


def taken_down(context: TableContext, phase: Phase) -> _Fields:
    """Return the fields of a ``TableState``, as plain JSON."""
    seats = [
        {"seat": seat.number, **_difference(_NOBODY, _marks_of(seat))}
        for seat in context.seats
    ]
    return {**_head(context, phase), "seats": seats}


class StateKeeper:
    """Tells what each command has changed in the state of one table."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._head: _Fields = {}
        """The fields of the table that the journal has, from this run of the server."""
        self._told: dict[int, _Marks] = {}
        """What the journal has of each taken seat."""

    def changes(self, phase: Phase) -> dict[str, object]:
        """Return what is not in the journal yet: first all, and then what differs.

        It must be written then.
        """
        before, self._head = self._head, _head(self._context, phase)
        seats = self._changed_seats()
        if not before:
            whole = taken_down(self._context, phase)
            return {} if whole == self._context.till.pending.state else whole
        change = {n: now for n, now in self._head.items() if before[n] != now}
        return {**change, "seats": seats} if seats else change

    def _changed_seats(self) -> dict[str, object]:
        told, taken = self._told, self._context.seats.taken
        changed: dict[str, object] = {}
        for seat in taken:
            number, marks = seat.number, _marks_of(seat)
            known = told.get(number, _NOBODY)
            if marks != known:
                changed[str(number)] = _difference(known, marks)
                told[number] = marks
        if len(told) > len(taken):
            for number in told.keys() - {seat.number for seat in taken}:
                changed[str(number)] = None
                del told[number]
        return changed


def _head(context: TableContext, phase: Phase) -> dict[str, object]:
    is_playing = phase is Phase.PLAYING  # or bets are asked for, and would go back
    return {
        "seq": context.seq + bool(context.outgoing.events),
        "prompt": context.last_prompt,
        "round": context.round,
        "phase": str(phase),
        "asks": [
            [seat.number, seat.ask.prompt]
            for seat in context.seats.taken
            if is_playing and seat.ask
        ],
    }


def _difference(old: _Marks, new: _Marks) -> _Fields:
    """Return the fields of a seat that differ, and null for what is as usual again."""
    (last, *before), (answer, *now) = old, new
    fields: _Fields = {}
    if before != now:
        for name, was, value, usual in zip(_KEPT, before, now, _USUAL, strict=True):
            if was != value:
                fields[name] = None if value == usual else value
    if answer != last:
        fields["last"] = None if answer is None else [*answer]
    return fields


def seat_again(state: SeatState, now: float) -> Seat:
    """Return a seat as it was, with nobody on the line, as of the moment ``now``."""
    seat = Seat(number=state.seat, handle=state.handle, presence=state.presence)
    seat.away_since, seat.last_answer = now, state.last and LastAnswer(*state.last)
    for name, attribute in _KEPT.items():
        setattr(seat, attribute, getattr(state, name))
    return seat


_KEPT = {
    "handle": "handle",
    "presence": "presence",
    "decided": "has_passed",
    "broke": "rounds_broke",
    "missed": "missed_bets",
    "rung": "rung",
    "out": "sits_out",
}
"""The attributes of a seat that are kept, by their names in a ``SeatState``."""

_USUAL = tuple(SeatState.model_fields[name].default for name in _KEPT)
_NOBODY: _Marks = None, *_USUAL
_marks_of = attrgetter("last_answer", *_KEPT.values())
