"""The recall: the last rounds of a handle as a message, as their player may see them.

The cards come from playing the round again; a card that was face down at the end stays
so. The message has the player's own hands and the dealer's. If the round was proven, it
has the draw, too, which was told to everyone when the round was over.

A recall reads the journal back, which may take seconds in a large bank, so it never
runs on the event loop. There is one thread for the whole server, and each line waits
for one recall at most, so recalls delay nothing but other recalls.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from bj_protocol.messages import Recalled
from bj_protocol.proof import NO_HEAD
from bj_protocol.recall import MOST_RECALLED, PastDraw, PastRound, RoundEnd
from bj_protocol.refusal import RefusalCode
from bj_protocol.round_views import dealer_view, decision_view, hand_views, past_hands
from bj_server.bank.line import Line
from bj_server.bank.move import Kind
from bj_server.bank.pending import Bookmark
from bj_server.history.replay import DifferenceError, is_of_before, replay_of
from bj_server.history.search import Found, SearchStoppedError, find_rounds
from bj_server.table.records import DealRecord, DealtSeat, DealtSeats
from bj_server.table.refusal import RefusalError

_log = logging.getLogger(__name__)


def recall(
    bookmark: Bookmark, rounds: int, is_wanted: Callable[[], bool] = lambda: True
) -> Recalled:
    """Return the last ``rounds`` of the bookmark's handle that are over, newest last.

    It reads files and plays rounds again, so it belongs on a thread.
    """
    told = []
    for found in find_rounds(bookmark, rounds, is_wanted):
        if not is_wanted():
            raise SearchStoppedError
        told.append(_retell(bookmark.handle, found))
    return Recalled(rounds=tuple(told))


def _retell(handle: str, found: Found) -> PastRound:
    """Return a round that was found for a handle."""
    end, bet = found.end, found.bet
    assert bet is not None
    seat = None if found.deal is None else _seat(found.deal, handle)
    spots = 1 if seat is None else seat.spots
    past = PastRound(
        table=str(end.table),
        round=end.round or 0,
        time=end.time,
        seat=None if seat is None else seat.seat,
        bet=sum(move.amount for move in bet.moves) // spots,
        spots=spots,
        end=_end(found),
        is_retold=found.deal is None,
        hands=(),
        dealer=None,
        decisions=(),
        balance_before=found.balance_before,
        balance_after=found.balance_after,
        draw=_returned(found) if found.deal is None else None,
    )
    if found.deal is None or is_of_before(found.deal):
        return past
    try:
        if seat is None:
            raise DifferenceError("The handle was not dealt in")
        return past.model_copy(update=_cards(found, found.deal, seat.seat))
    except DifferenceError as error:
        known = {"table": end.table, "round": end.round}
        _log.warning("a past round is told without its cards: %s", error, extra=known)
        return past


def _end(found: Found) -> RoundEnd:
    if found.end.kind == Kind.SETTLE:
        return RoundEnd.SETTLED
    return RoundEnd.RETURNED if found.deal is None else RoundEnd.VOID


def _seat(deal: Line, handle: str) -> DealtSeat | None:
    try:
        seats = DealtSeats.model_validate(deal.data).seats
    except ValueError:
        return None
    return next((seat for seat in seats if seat.handle == handle), None)


def _cards(found: Found, deal: Line, seat: int) -> dict[str, object]:
    """Play a round again; return the cards on the table for a seat, and the draw."""
    replay = replay_of(str(found.end.table), found.house, deal)
    happened = list(replay.happened)
    decisions, plays = [], []
    for line in found.answers:
        answer = replay.answer(line)
        happened += replay.happened
        plays.append(answer.as_play())
        if answer.seat == seat:
            decisions.append(decision_view(replay.hand, plays[-1]))
    if found.end.kind == Kind.SETTLE:
        replay.settle(found.end)
    player = next(each for each in replay.round.players if each.seat == seat)
    is_told = found.end.kind == Kind.SETTLE or "secret" in found.end.data
    return {
        "is_retold": True,
        "hands": past_hands(hand_views(player), seat, happened),
        "dealer": dealer_view(replay.house, replay.round),
        "decisions": tuple(decisions),
        "draw": replay.deal.as_draw(plays) if is_told else None,
    }


def _returned(found: Found) -> PastDraw | None:
    """Return what is known of the draw of a round without cards for the handle.

    If it was dealt to others, that is the draw which all have heard; else the secret,
    if the line that ended it has it.
    """
    try:
        if found.others is not None:
            return DealRecord.model_validate(found.others.data).as_draw(())
        return PastDraw(
            secret=str(found.end.data.get("secret")),
            seal=None,
            head=NO_HEAD,
            bets=(),
            links=(),
            left=None,
            below_cut=None,
            plays=(),
        )
    except ValueError:
        return None


Tell = Callable[[Recalled | RefusalError], None]
"""Takes the answer."""


class Recalls:
    """The one thread of a server on which rounds are looked up."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="recall")
        self._is_closed = False

    async def look_up(
        self, bookmark: Bookmark, rounds: int, is_wanted: Callable[[], bool]
    ) -> Recalled:
        """Return the last rounds of a handle once it is their turn."""

        def goes_on() -> bool:
            return is_wanted() and not self._is_closed

        if not goes_on():
            raise SearchStoppedError
        loop = asyncio.get_running_loop()
        work = partial(recall, bookmark, rounds, goes_on)
        return await loop.run_in_executor(self._thread, work)

    def stop(self) -> None:
        """Look nothing up any more."""
        self._is_closed = True

    async def aclose(self) -> None:
        """End the thread."""
        self.stop()
        await asyncio.to_thread(self._thread.shutdown)


@dataclass(eq=False)
class Slot:
    """The place of one line: it looks one thing up at a time."""

    _recalls: Recalls
    _task: asyncio.Task[None] | None = None
    _is_wanted: bool = True

    def ask(self, rounds: int, mark: Callable[[], Bookmark], tell: Tell) -> None:
        """Have the answer told; ``mark`` gives the place to read back from."""
        if not 1 <= rounds <= MOST_RECALLED:
            raise RefusalError(RefusalCode.NOT_SO_MANY_ROUNDS)
        if self._task is not None and not self._task.done():
            raise RefusalError(RefusalCode.RECALLING)
        looking = self._look_up(mark(), rounds, tell)
        self._task = asyncio.get_running_loop().create_task(looking)

    def give_up(self) -> None:
        """Want the answer no more, since the line is gone."""
        self._is_wanted = False

    async def settled(self) -> None:
        """Wait until nothing is looked up any more."""
        if self._task is not None:
            await self._task

    async def _look_up(self, bookmark: Bookmark, rounds: int, tell: Tell) -> None:
        try:
            tell(await self._recalls.look_up(bookmark, rounds, lambda: self._is_wanted))
        except SearchStoppedError:
            pass
        except Exception:  # noqa: BLE001 - whatever it is, the player is told so
            _log.exception("the last rounds of a player cannot be looked up")
            tell(RefusalError(RefusalCode.RECALL_FAILED))
