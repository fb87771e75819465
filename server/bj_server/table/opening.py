"""Opening a table: anew, or exactly where the last server left it.

The bank keeps, for each table, the state of its last seal and the records of its
running round: its *docket*. From those the seats, the shoe, the round and the open
questions are made again, under their old ids. The players find all as it was; a line
is all that they need. Where that cannot be done, for whatever reason, nothing is
resumed and every stake of the round goes back.
"""

import contextlib
import logging
from collections.abc import Callable
from dataclasses import asdict

from bj_game.illegal import IllegalPlay
from bj_game.shoe import ShoeEmpty
from bj_protocol.views import Phase
from bj_server.bank.docket import Docket
from bj_server.table.betting import Betting
from bj_server.table.calling import Calling
from bj_server.table.felt import Felt
from bj_server.table.playing import Playing
from bj_server.table.records import TableState
from bj_server.table.seat import Seat
from bj_server.table.state import seat_again
from bj_server.table.table import Table

_Phase = Betting | Calling | Playing | None

_log = logging.getLogger(__name__)

_BET_RETURNED = (
    "The server was restarted before the cards of round {} were drawn: your bet is "
    "back, and you can place it again."
)
_RESUMED = (
    "The server was restarted in round {}: your seat, your cards and your stakes are "
    "as they were."
)


class CannotResume(Exception):
    """A table cannot go on where it was; the message says why."""


def open_table(set_felt: Callable[[], Felt]) -> Table:
    """Return a table on a felt that ``set_felt`` makes: resumed, if it can be.

    Where a round was on that cannot go on, its stakes go back to their players, who
    are told so when they come.
    """
    felt = set_felt()
    docket = felt.till.docket
    if _is_anyone_seated(docket):
        try:
            return _begun(felt, docket, resume(felt, docket))
        except CannotResume as error:
            known = {"table": felt.name}
            _log.warning("the table cannot go on where it was: %s", error, extra=known)
        felt = set_felt()
    felt.till.void_all(docket.told)
    _count_on(felt, docket)
    felt.open()
    return _begun(felt, docket)


def _begun(felt: Felt, docket: Docket, phase: _Phase = None) -> Table:
    """Return the table, which says of which story it is the next part."""
    if felt.story is not None:
        felt.story.start(felt.seq, felt.round, _head_before(docket))
    return Table(felt, phase)


def _head_before(docket: Docket) -> str:
    """Return the run of the server before, and the last head of it that is known."""
    draw = {} if docket.draw is None else docket.draw.data
    deal = {} if docket.deal is None else docket.deal.data
    if not draw.get("run"):
        return ""
    called = deal.get("links") and deal.get("head")
    return f"{draw['run']} {called or draw['head']}"


def _count_on(felt: Felt, docket: Docket) -> None:
    """Use no number again that a client may still remember."""
    with contextlib.suppress(ValueError):
        state = TableState.model_validate(docket.state)
        felt.seq, felt.last_prompt = state.seq, state.prompt


def _is_anyone_seated(docket: Docket) -> bool:
    return bool(docket.state and docket.state.get("seats"))


def resume(felt: Felt, docket: Docket) -> _Phase:
    """Set the felt as the docket says, and return the phase that was on.

    Raises:
        CannotResume: if that is impossible; the felt is not to be used then.
    """
    try:
        state = TableState.model_validate(docket.state)
        _check_house(felt, docket)
        _set_seats(felt, state)
        felt.resume(docket, state)
        phase = _phase(felt, docket, state)
        at_stake = {} if phase is None else phase.at_stake
    except (ValueError, LookupError) as error:  # pydantic's is a ValueError, too
        raise CannotResume("its record cannot be used") from error
    except (IllegalPlay, ShoeEmpty) as error:
        raise CannotResume("its round cannot be played again") from error
    if at_stake != felt.till.held(felt.round):
        raise CannotResume("its stakes are not those that the bank holds")
    for seat in felt.seats:
        if seat.bet and not seat.notice:
            seat.notice = _RESUMED.format(felt.round)
    return phase


def _check_house(felt: Felt, docket: Docket) -> None:
    if docket.house is None or docket.house.data.get("rules") != asdict(felt.house):
        raise CannotResume("the rules of its house have changed")


def _set_seats(felt: Felt, state: TableState) -> None:
    now = felt.clock.now()
    for kept in state.seats:
        if kept.seat > felt.seats.count:
            raise CannotResume(f"it has no seat {kept.seat} any more")
        felt.seats.restore(seat_again(kept, now))


def _phase(felt: Felt, docket: Docket, state: TableState) -> _Phase:
    match state.phase:
        case Phase.WAITING:
            return None
        case Phase.BETTING | Phase.CALLING:
            _give_bets_back(felt)
            return None
        case Phase.PLAYING:
            playing = Playing.resume(felt, docket)
            for seat, number in _open(felt, state):
                playing.ask_again(seat, number)
            return playing


def _give_bets_back(felt: Felt) -> None:
    """Give back the bets on a round of which no card was drawn, and end it.

    What was sealed for it is told, and never used again.
    """
    data = {"secret": felt.secret} if felt.secret else {}
    back = felt.till.refund(felt.round, data=data)
    for seat in felt.seats:
        if seat.bet:
            seat.bet, seat.notice = 0, _BET_RETURNED.format(felt.round)
    felt.round += bool(back)


def _open(felt: Felt, state: TableState) -> list[tuple[Seat, int]]:
    """Return who was asked something, and under which id."""
    asked = [kept for kept in state.seats if kept.ask is not None]
    return [(felt.seats[kept.seat], kept.ask) for kept in asked if kept.ask]
