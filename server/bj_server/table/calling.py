"""Calling: the phase between the last bet and the first card.

Theory of operation. The bets are closed, and one update names all that the draw depends
on. Each player's client that has committed to a link finds its bet there unchanged and
sends the link, for the head of the story that this update has made. The phase is over
when all links are here, or when the time is up; a seat whose link is missing then is
named, gets the bet back, and is not dealt in. No link is shown before the first card,
so nobody, the server included, can choose cards in the knowledge of another's link.
``docs/fairness.md`` says what this proves.
"""

from typing import Self

from bj_protocol.commands import Link
from bj_protocol.events import BetsClosed
from bj_protocol.proof import bet_commitment
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import ClosedBet, Phase, SeatLink
from bj_server.table.context import TableContext
from bj_server.table.records import contents_view
from bj_server.table.refusal import RefusalError
from bj_server.table.seat import Seat

SITS_OUT = 5
"""The rounds of others that a player without the promised link sits out."""


class Calling:
    """One call, from the closing of the bets to the last link."""

    name = Phase.CALLING

    def __init__(self, context: TableContext) -> None:
        """Give everyone the full time; callers use ``call``."""
        self._context = context
        self._links: dict[int, SeatLink] = {}
        self._awaited = {s.number: s for s in context.seats if s.bet and s.commitment}
        self._is_time_up = False
        self.head: str | None = None
        """The head of the story after the call; None until that is told."""
        self.deadline = context.clock.now() + context.pace.link_seconds

    @classmethod
    def call(cls, context: TableContext) -> Self:
        """Close the bets, and tell all that the draw depends on."""
        assert context.seal is not None
        bets = [
            ClosedBet(
                seat=seat.number,
                handle=seat.handle,
                amount=seat.bet,
                spots=seat.spots,
                commitment=seat.commitment,
            )
            for seat in context.seats.taken
            if seat.bet
        ]
        contents = contents_view(context.source.contents)
        call = BetsClosed(
            round=context.round, seal=context.seal, bets=tuple(bets), **contents
        )
        context.outgoing.post(call)
        return cls(context)

    @property
    def is_over(self) -> bool:
        """Whether no link is waited for any more."""
        return self._is_time_up or not self._awaited

    @property
    def missing(self) -> list[Seat]:
        """The seats whose links are not here, in their order."""
        return list(self._awaited.values())

    @property
    def has_round(self) -> bool:
        """Whether anyone is left to be dealt in."""
        return any(s.bet and s.number not in self._awaited for s in self._context.seats)

    @property
    def links(self) -> tuple[SeatLink, ...]:
        """The links that are here, in the order of the seats."""
        return tuple([link for _, link in sorted(self._links.items())])

    def hear(self, seat: Seat, command: Link) -> bool:
        """Take the link of a player; return whether it is the last.

        Raises:
            RefusalError: if it is not waited for, or another than was committed to.
        """
        if command.head != self.head or seat.number not in self._awaited:
            raise RefusalError(RefusalCode.LINK_OVER)
        seal = self._context.seal or ""
        due = bet_commitment(
            seal=seal, seat=seat.number, handle=seat.handle, link=command.link
        )
        if due != seat.commitment:
            raise RefusalError(RefusalCode.NOT_YOUR_LINK)
        self._links[seat.number] = SeatLink(seat=seat.number, link=command.link)
        del self._awaited[seat.number]
        return not self._awaited

    def return_missing(self) -> tuple[int, ...]:
        """Give the bets back whose links are not here; return their seats."""
        missing = self.missing
        for seat in missing:
            back = self._context.till.refund(self._context.round, seat.handle)
            seat.bet, seat.sits_out = 0, SITS_OUT + 1  # this one is counted as well
            self._context.post_return(seat, back[seat.handle])
        return tuple(seat.number for seat in missing)

    def excuse(self, seat: Seat) -> None:
        """Do nothing: a player who is lost may be back in time."""

    def time_up(self) -> None:
        """Wait no longer."""
        self._is_time_up = True
