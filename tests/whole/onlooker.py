"""An onlooker: a player whose line is never cut, and who remembers everything.

What a player whose line is cut was told, and what that player believes, is compared
with what the onlooker was told and believed at the same update.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection

from bj_client.model.table import Table
from bj_protocol.action import Action
from bj_protocol.codec import decode_message, encode
from bj_protocol.commands import AcceptGift, Decline, PlaceBet, Stand
from bj_protocol.events import Event
from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.views import Ask
from support.serving import join

if TYPE_CHECKING:
    from collections.abc import Sequence

Picture = tuple[Any, ...]


def picture_of(table: Table) -> Picture:
    """Return seats, cards, questions and money, to be compared."""
    seats = [
        (
            (seat.number, seat.handle, seat.balance, seat.presence),
            (seat.bet, seat.spots),
            [(h.cards, h.total, h.soft, h.stake, h.insurance) for h in seat.hands],
        )
        for seat in table.seats.values()
    ]
    # A picture can be compared later only if it does not change with the table.
    dealer = (table.dealer.cards, table.dealer.total)
    asks = [ask.prompt for ask in table.asks]
    return (table.phase, table.round, repr(seats), repr(dealer), asks)


class Onlooker:
    """Bets the least and stands, and keeps every event and the picture after it."""

    def __init__(self, line: ClientConnection, snapshot: Snapshot) -> None:
        self.line = line
        self.table = Table(snapshot)
        self.events: dict[int, Sequence[Event]] = {}
        self.pictures = {snapshot.seq: picture_of(self.table)}
        self.grew = asyncio.Condition()
        self._answered = 0

    @classmethod
    async def sit(cls, uri: str, handle: str) -> "Onlooker":
        """Join, and take in the picture of the table."""
        line = await join(uri, handle)
        snapshot = decode_message(await line.recv())
        assert isinstance(snapshot, Snapshot), snapshot
        return cls(line, snapshot)

    async def play(self) -> None:
        """Answer and remember until cancelled."""
        while True:
            for ask in self.table.my_asks:
                if ask.prompt > self._answered:
                    self._answered = ask.prompt
                    await self.line.send(encode(_answer(ask)))
            await self._take_in(decode_message(await self.line.recv()))

    async def until(self, seq: int) -> None:
        """Wait until this much was heard."""
        async with self.grew:
            await self.grew.wait_for(lambda: self.table.seq >= seq)

    def between(self, first: int, last: int) -> list[Event]:
        """Return the events of the updates after ``first``, up to ``last``."""
        return [e for seq in range(first + 1, last + 1) for e in self.events[seq]]

    async def _take_in(self, message: Message) -> None:
        if isinstance(message, Signed):
            return
        assert isinstance(message, Update), message
        assert message.seq == self.table.seq + 1
        self.table.apply(message)
        self.events[message.seq] = message.events
        self.pictures[message.seq] = picture_of(self.table)
        async with self.grew:
            self.grew.notify_all()


def _answer(ask: Ask) -> PlaceBet | AcceptGift | Decline | Stand:
    if ask.wager is not None and Action.PLACE_BET in ask.actions:
        return PlaceBet(prompt=ask.prompt, amount=ask.wager.minimum)
    if Action.ACCEPT_GIFT in ask.actions:
        return AcceptGift(prompt=ask.prompt)
    if Action.STAND in ask.actions:
        return Stand(prompt=ask.prompt)
    return Decline(prompt=ask.prompt)
