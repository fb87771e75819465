"""Guests who play real rounds without a pause, and time what they wait for."""

import asyncio
import json
import time
from typing import Any

from whole.guest import Guest

_WISHES = ("place_bet", "stand", "decline", "accept_gift")


class Regular:
    """Plays on until told to stop; bets the least and never takes a card."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.seconds: list[float] = []
        """How long each answer took to show its effect."""
        self.bets = 0
        self._answered = 0

    @property
    def rounds(self) -> int:
        """How many rounds of this seat have been settled."""
        told = self.guest.seen("hand_settled")
        return sum(event["seat"] == self.guest.seat for event in told)

    async def play(self, stop: asyncio.Event) -> None:
        """Play, and sit the rounds out that open once ``stop`` is set."""
        while True:
            sent = None
            ask = self._ask()
            if ask is not None:
                is_over = stop.is_set() and "sit_out" in ask["actions"]
                wishes = ("sit_out",) if is_over else _WISHES
                sent = time.monotonic()
                await self._answer(ask, wishes)
                if is_over:
                    return
            message = await self.guest.hear()
            assert message["type"] == "update", message
            if sent is not None:
                self.seconds.append(time.monotonic() - sent)

    def _ask(self) -> dict[str, Any] | None:
        """Return what this seat is asked and has not answered."""
        for ask in self.guest.turn["asks"] if self.guest.turn else ():
            if ask["seat"] == self.guest.seat and ask["prompt"] > self._answered:
                return dict(ask)
        return None

    async def _answer(self, ask: dict[str, Any], wishes: tuple[str, ...]) -> None:
        self._answered = ask["prompt"]
        kind = next(wish for wish in wishes if wish in ask["actions"])
        amount = {"amount": 100} if kind == "place_bet" else {}
        self.bets += kind == "place_bet"
        answer = {"type": kind, "prompt": ask["prompt"], **amount}
        await self.guest.line.send(json.dumps(answer))


def percentile(seconds: list[float], share: float) -> float:
    """Return the value that ``share`` of all are at or below, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]
