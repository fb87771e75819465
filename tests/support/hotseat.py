"""A table at which lia9 and ned21 sit at one keyboard; the test is the server."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bj_protocol.action import Action, SettleReason
from bj_protocol.events import (
    BetPlaced,
    CardDealt,
    Event,
    HandSettled,
    RoundBegan,
)
from bj_protocol.views import Ask, HouseView, Outcome, You
from support.message import make_ask
from support.told import told

HANDLES = ("lia9", "ned21")
PLAYS = (Action.HIT, Action.STAND)
# Without terms: these rounds are told in part, and the client would find that.
UNCHECKED = HouseView(
    name="cpsc386",
    title="Eight decks, even money",
    rules=("The dealer stands on 17.",),
    minimum_bet=100,
)


class Table:
    """The server's side: both lines, once lia9 sits at seat 1 and ned21 at seat 2."""

    def __init__(self, play: Callable[["Table"], Awaitable[None]], *asks: Ask) -> None:
        self.seq = 10
        self.lia: Any = None
        self.ned: Any = None
        self.notices: dict[str, tuple[str, ...]] = {}
        self._play = play
        self._asks = asks
        self._over = asyncio.Event()

    async def serve(self, server: Any) -> None:
        """Seat whoever joins; the second player's line plays the script."""
        if self.lia is None:
            self.lia = server
            await server.hello(*self._asks, **self._picture("lia9", 1))
            await self._over.wait()
            return
        self.ned = server
        await server.hello(*self._asks, **self._picture("ned21", 2))
        try:
            await self._play(self)
        finally:
            self._over.set()

    def _picture(self, handle: str, seat: int) -> dict[str, Any]:
        notices = self.notices.get(handle, ())
        you = You(handle=handle, seat=seat)
        return {"you": you, "notices": notices, "house": UNCHECKED}

    async def tell(self, *events: Event, asks: tuple[Ask, ...] = ()) -> None:
        """Tell both lines the same."""
        self.seq += 1
        for line in (self.lia, self.ned):
            await line.update(self.seq, *events, asks=asks)

    async def part(self) -> None:
        """See both leave, the second before the first."""
        await self.ned.part()
        await self.lia.part()


def bet(seat: int) -> BetPlaced:
    return BetPlaced(seat=seat, amount=5000, balance=995_000)


def settled(seat: int, outcome: Outcome) -> HandSettled:
    reasons = {
        Outcome.WIN: SettleReason.HIGHER_TOTAL,
        Outcome.LOSE: SettleReason.LOWER_TOTAL,
    }
    payout = 10_000 if outcome is Outcome.WIN else 0
    return HandSettled(
        seat=seat,
        hand=0,
        outcome=outcome,
        reason=reasons[outcome],
        stake=5000,
        payout=payout,
        balance=995_000 + payout,
    )


def dealt(seat: int, card: str, total: int) -> CardDealt:
    return CardDealt(seat=seat, hand=0, card=card, total=total, soft=False)


BETS = (make_ask(1, seat=1), make_ask(2, seat=2))
"""Both are asked for a bet."""
DEALT = (
    RoundBegan(round=3, seats=(1, 2)),
    dealt(1, "Ts", 10),
    dealt(2, "8s", 8),
    dealt(0, "7d", 7),
    dealt(1, "9s", 19),
    dealt(2, "9h", 17),
    dealt(0, "??", 7),
)
OVER = (
    settled(1, Outcome.WIN),
    settled(2, Outcome.LOSE),
    *told("""
        round 3 ends: 400 left, cut in 330
        round 4 opens
    """),
)
