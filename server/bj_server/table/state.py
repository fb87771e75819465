"""The state of a table between two commands, on its way into the journal and back.

It leaves out all that the journal has anyway: the money, the order of the shoe, and
the decisions in a round. Defaults are left out, too, and of each command only what it
has changed is written.
"""

from operator import attrgetter
from typing import Any

from bj_protocol.views import Phase, Presence
from bj_server.table.context import TableContext
from bj_server.table.records import SeatState
from bj_server.table.seat import LastAnswer, Seat

_Fields = dict[str, object]
_NO_FIELDS: _Fields = {}


def taken_down(context: TableContext, phase: Phase) -> _Fields:
    """Return the fields of a ``TableState``, as plain JSON."""
    return {**_head(context, phase), "seats": [_seat(seat) for seat in context.seats]}


class StateKeeper:
    """Tells what each command has changed in the state of one table."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._is_begun = False
        """Whether the journal has the whole state, from this run of the server."""
        self._told: dict[int, tuple[object, _Fields]] = {}
        """What was told of each taken seat last, as ``_marks`` and the journal have it.

        The former tells at once whether something has changed.
        """

    def changes(self, phase: Phase) -> dict[str, object]:
        """Return what is not in the journal yet: first all, and then what differs.

        It must be written then.
        """
        context = self._context
        kept: Any = context.till.pending.state
        if not self._is_begun:
            self._is_begun = True
            self._told = {s.number: (_marks(s), _seat(s)) for s in context.seats}
            whole = taken_down(context, phase)
            return {} if whole == kept else whole
        head = _head(context, phase).items()
        change = {name: now for name, now in head if kept[name] != now}
        seats = self._changed_seats()
        return {**change, "seats": seats} if seats else change

    def _changed_seats(self) -> dict[str, object]:
        before, self._told = self._told, {}
        changed: dict[str, object] = {}
        for seat in self._context.seats.taken:
            number, marks = seat.number, _marks(seat)
            known, fields = before.pop(number, (None, _NO_FIELDS))
            if known != marks:
                old, fields = fields, _seat(seat)
                changed[str(number)] = _difference(old, fields)
            self._told[number] = marks, fields
        return changed | {str(number): None for number in before}


def _head(context: TableContext, phase: Phase) -> dict[str, object]:
    return {
        "seq": context.seq + bool(context.outgoing.events),
        "prompt": context.last_prompt,
        "round": context.round,
        "phase": str(phase),
    }


def _difference(old: _Fields, new: _Fields) -> _Fields:
    """Return the fields of a seat that differ, and null for those that are gone."""
    differ = {name: now for name, now in new.items() if old.get(name) != now}
    differ.pop("seat", None)
    for name in old.keys() - new.keys():
        differ[name] = None
    return differ


def _seat(seat: Seat) -> _Fields:
    """Return the fields of a ``SeatState``, as plain JSON."""
    state: dict[str, object] = {"seat": seat.number, "handle": seat.handle}
    if seat.presence is not Presence.HERE:
        state["presence"] = str(seat.presence)
    for name, value, usual in zip(_KEPT, _values(seat), _DEFAULTS, strict=True):
        if value != usual:
            state[name] = value
    if seat.ask is not None:
        state["ask"] = seat.ask.prompt
    if seat.last_answer is not None:
        prompt, action, seq = seat.last_answer
        state["last"] = [prompt, str(action), seq]
    return state


def seat_again(state: SeatState, now: float) -> Seat:
    """Return a seat as it was, with nobody on the line, as of the moment ``now``."""
    seat = Seat(number=state.seat, handle=state.handle, presence=state.presence)
    seat.away_since, seat.last_answer = now, state.last and LastAnswer(*state.last)
    for name, attribute in _KEPT.items():
        setattr(seat, attribute, getattr(state, name))
    return seat


_KEPT = {
    "bet": "bet",
    "spots": "spots",
    "decided": "has_bet_or_passed",
    "broke": "rounds_broke",
    "missed": "missed_bets",
    "rung": "rung",
    "out": "sits_out",
}
"""The attributes of a seat that are kept, by their names in a ``SeatState``."""

_DEFAULTS = [SeatState.model_fields[name].default for name in _KEPT]
_values = attrgetter(*_KEPT.values())
_marks = attrgetter("handle", "presence", "ask", "last_answer", *_KEPT.values())
