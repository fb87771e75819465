"""The state of a table between two commands, on its way into a seal and out of it.

It leaves out all that the journal has anyway: the money, the order of the shoe, and
the decisions in a round. Defaults are left out, too, to keep the lines short.
"""

from operator import attrgetter

from bj_protocol.views import Phase, Presence
from bj_server.table.context import TableContext
from bj_server.table.records import SeatState
from bj_server.table.seat import LastAnswer, Seat


def taken_down(context: TableContext, phase: Phase) -> dict[str, object]:
    """Return the fields of a ``TableState``, as plain JSON."""
    seats: list[dict[str, object]] = []
    for seat in context.seats.taken:
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
        seats.append(state)
    return {
        "seq": context.seq + bool(context.outgoing.events),
        "prompt": context.last_prompt,
        "round": context.round,
        "phase": str(phase),
        "seats": seats,
    }


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
