"""Opening: a table opens anew, or exactly where the last server left it.

The bank keeps, for each table, its state after the last command and the records of its
running round. From those the seats, the shoe, the round and the open questions are made
again, under their old ids. The players find all as it was, and need only a connection.
If that fails, for any reason, nothing is resumed and every stake of the round goes
back.
"""

import contextlib
import logging
from collections.abc import Callable

from bj_game.house import rules_of
from bj_game.play import IllegalPlayError
from bj_game.shoe import ShoeEmptyError
from bj_protocol.views import Phase
from bj_server.bank.pending import PendingRound
from bj_server.table.context import TableContext
from bj_server.table.playing import Playing
from bj_server.table.records import TableState
from bj_server.table.state import seat_again
from bj_server.table.table import Table

_log = logging.getLogger(__name__)

_BET_RETURNED = (
    "The server was restarted before the cards of round {} were drawn: your bet is "
    "back, and you can place it again."
)
_RESUMED = (
    "The server was restarted in round {}: your seat, your cards and your stakes are "
    "as they were."
)


class ResumeError(Exception):
    """A table cannot go on where it was; the message says why."""


def open_table(set_context: Callable[[], TableContext]) -> Table:
    """Return a table in a context that ``set_context`` makes: resumed, if it can be.

    If a round cannot go on, its stakes go back to their players, who are told so when
    they come.
    """
    context = set_context()
    pending = context.till.pending
    if pending.state and pending.state.get("seats"):
        try:
            return _begun(context, pending, resume(context, pending))
        except ResumeError as error:
            known = {"table": context.name}
            _log.warning("the table cannot go on where it was: %s", error, extra=known)
        context = set_context()
    context.till.void_all(pending.told)
    with contextlib.suppress(ValueError):
        # No number is used again that a client may still remember.
        state = TableState.model_validate(pending.state)
        context.seq, context.last_prompt = state.seq, state.prompt
    context.open()
    return _begun(context, pending)


def _begun(
    context: TableContext, pending: PendingRound, phase: Playing | None = None
) -> Table:
    """Return the table, which names the story that it continues."""
    if context.story is not None:
        context.story.start(context.seq, context.round, _head_before(pending))
    return Table(context, phase)


def _head_before(pending: PendingRound) -> str:
    """Return the run of the server before, and the last head of it that is known."""
    draw = {} if pending.draw is None else pending.draw.data
    deal = {} if pending.deal is None else pending.deal.data
    if not draw.get("run"):
        return ""
    called = deal.get("links") and deal.get("head")
    return f"{draw['run']} {called or draw['head']}"


def resume(context: TableContext, pending: PendingRound) -> Playing | None:
    """Restore the context from the pending records, and return the phase that was on.

    Raises:
        ResumeError: if that is impossible; the context is not to be used then.
    """
    try:
        state = TableState.model_validate(pending.state)
        house = pending.house
        if house is None or house.data.get("rules") != rules_of(context.house):
            raise ResumeError("the rules of its house have changed")
        _set_seats(context, state)
        context.resume(pending, state)
        phase = _phase(context, pending, state)
        at_stake = {} if phase is None else phase.at_stake
    except (ValueError, LookupError) as error:  # pydantic's is a ValueError, too
        raise ResumeError("its record cannot be used") from error
    except (IllegalPlayError, ShoeEmptyError) as error:
        raise ResumeError("its round cannot be played again") from error
    if at_stake != context.till.held(context.round):
        raise ResumeError("its stakes are not those that the bank holds")
    for seat in context.seats:
        if seat.bet and not seat.notice:
            seat.notice = _RESUMED.format(context.round)
    return phase


def _set_seats(context: TableContext, state: TableState) -> None:
    now = context.clock.now()
    for kept in state.seats:
        if kept.seat > context.seats.count:
            raise ResumeError(f"it has no seat {kept.seat} any more")
        context.seats.restore(seat_again(kept, now))


def _phase(
    context: TableContext, pending: PendingRound, state: TableState
) -> Playing | None:
    match state.phase:
        case Phase.WAITING:
            return None
        case Phase.BETTING | Phase.CALLING:
            _give_bets_back(context)
            return None
        case Phase.PLAYING:
            playing = Playing.resume(context, pending)
            asks = state.asks or [(s.seat, s.ask) for s in state.seats if s.ask]
            for seat, prompt in asks:
                playing.ask_again(context.seats[seat], prompt)
            return playing


def _give_bets_back(context: TableContext) -> None:
    """Give back the bets on a round of which no card was drawn, and end it.

    The sealed secret is told, and never used again.
    """
    data = {"secret": context.secret} if context.secret else {}
    back = context.till.refund(context.round, data=data)
    for seat in context.seats:
        if seat.handle in back:
            seat.notice = _BET_RETURNED.format(context.round)
    context.round += bool(back)
