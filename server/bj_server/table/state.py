"""The state of a table between two commands, on its way into a seal and out of it.

It leaves out all that the journal has anyway: the money, the order of the shoe, and
the decisions in a round. Defaults are left out, too, to keep the lines short.
"""

from bj_protocol.messages import Answered
from bj_protocol.views import Phase, Presence
from bj_server.table.context import TableContext
from bj_server.table.records import SeatState
from bj_server.table.seat import Seat


def taken_down(context: TableContext, phase: Phase) -> dict[str, object]:
    """Return the fields of a ``TableState``, as plain JSON."""
    return {
        "seq": context.seq + bool(context.outgoing.events),
        "prompt": context.last_prompt,
        "round": context.round,
        "phase": phase.value,
        "seats": [_seat(seat) for seat in context.seats],
    }


def seat_again(state: SeatState, now: float) -> Seat:
    """Return a seat as it was, with nobody on the line, as of the moment ``now``."""
    last = None
    if state.last is not None:
        prompt, answer, seq = state.last
        last = Answered(prompt=prompt, answer=answer, seq=seq)
    return Seat(
        number=state.seat,
        handle=state.handle,
        presence=state.presence,
        away_since=now,
        bet=state.bet,
        spots=state.spots,
        has_bet_or_passed=state.decided,
        rounds_broke=state.broke,
        missed_bets=state.missed,
        rung=state.rung,
        sits_out=state.out,
        last_answer=last,
    )


_DEFAULTS = {
    "bet": 0,
    "spots": 1,
    "decided": False,
    "broke": 0,
    "missed": 0,
    "rung": 0,
    "out": 0,
}


def _seat(seat: Seat) -> dict[str, object]:
    state: dict[str, object] = {"seat": seat.number, "handle": seat.handle}
    if seat.presence is not Presence.HERE:
        state["presence"] = seat.presence.value
    values = {
        "bet": seat.bet,
        "spots": seat.spots,
        "decided": seat.has_bet_or_passed,
        "broke": seat.rounds_broke,
        "missed": seat.missed_bets,
        "rung": seat.rung,
        "out": seat.sits_out,
    }
    state |= {name: v for name, v in values.items() if v != _DEFAULTS[name]}
    if seat.ask is not None:
        state["ask"] = seat.ask.prompt
    if seat.last_answer is not None:
        last = seat.last_answer
        state["last"] = [last.prompt, last.answer.value, last.seq]
    return state
