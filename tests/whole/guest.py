"""Players straight on the wire: they answer by hand, and keep all that is said."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

from websockets.asyncio.client import ClientConnection

from support.serving import join, read, serving

Event = dict[str, Any]


class Guest:
    """One player at a table, with a line of its own."""

    def __init__(
        self, uri: str, line: ClientConnection, snapshot: dict[str, Any]
    ) -> None:
        self.uri = uri
        self.line = line
        self.snapshot = snapshot
        self.seat: int = snapshot["you"]["seat"]
        self.turn: dict[str, Any] | None = snapshot["turn"]
        self.events: list[Event] = []

    @classmethod
    async def sit(cls, uri: str, handle: str) -> Self:
        """Join, and wait for the picture of the table."""
        line = await join(uri, handle)  # with the key that this handle always has
        snapshot = await read(line)
        assert snapshot["type"] == "snapshot", snapshot
        return cls(uri, line, snapshot)

    async def asked(self) -> dict[str, Any]:
        """Hear until there is something to decide, and return the ask."""
        while (ask := self._ask()) is None:
            await self.hear()
        return ask

    async def answer(self, kind: str, dollars: int | None = None) -> None:
        """Answer what is asked, and hear what comes of it."""
        ask = await self.asked()
        await self._say(kind, ask, None if dollars is None else dollars * 100)
        while (left := self._ask()) and left["prompt"] == ask["prompt"]:
            message = await self.hear()
            assert message["type"] == "update", message

    async def play(self, *kinds: str) -> None:
        """Give several answers that need no amount."""
        for kind in kinds:
            await self.answer(kind)

    async def refusal(self, kind: str, cents: int | None = None) -> str:
        """Answer what must be refused, see that nothing changes, and return why."""
        ask, before = await self.asked(), await self.look()
        await self._say(kind, ask, cents)
        refused = await self.hear()
        assert refused["type"] == "refused", refused
        after = await self.look()
        for snapshot in (before, after):
            snapshot["turn"].pop("milliseconds")
        assert after == before
        return str(refused["code"])

    async def look(self) -> dict[str, Any]:
        """Ask for the picture of the table, and return it."""
        await self.line.send('{"type":"resync"}')
        while (message := await self.hear())["type"] != "snapshot":
            pass
        return message

    async def leave(self) -> None:
        """Give the seat up, and hear to the end of the line."""
        await self.line.send('{"type":"leave"}')
        await self.line.wait_closed()

    def seen(self, *kinds: str) -> list[Event]:
        """Return the events of some types that were told, in order."""
        return [event for event in self.events if event["type"] in kinds]

    @property
    def balance(self) -> int:
        """The free cents of this player, by what was told last."""
        mine = [event for event in self.events if event.get("seat") == self.seat]
        told = [event["balance"] for event in mine if "balance" in event]
        (seat,) = (s for s in self.snapshot["seats"] if s["seat"] == self.seat)
        return int(told[-1] if told else seat["balance"])

    @property
    def story(self) -> list[str]:
        """The cards and what the dealer did, as short lines."""
        lines = [_brief(event) for event in self.events]
        return [line for line in lines if line]

    def _ask(self) -> dict[str, Any] | None:
        asks = self.turn["asks"] if self.turn else []
        return next((ask for ask in asks if ask["seat"] == self.seat), None)

    async def _say(self, kind: str, ask: dict[str, Any], cents: int | None) -> None:
        amount = {} if cents is None else {"amount": cents}
        answer = {"type": kind, "prompt": ask["prompt"], **amount}
        await self.line.send(json.dumps(answer))

    async def hear(self) -> dict[str, Any]:
        """Take in the next message, and return it."""
        async with asyncio.timeout(60):
            message = await read(self.line)
        if message["type"] == "update":
            self.events += message["events"]
            self.turn = message["turn"]
        return message


@asynccontextmanager
async def table(
    folder: Path, *handles: str, stack: str = "", options: tuple[str, ...] = ()
) -> AsyncIterator[list[Guest]]:
    """Serve a table at which ``handles`` sit in this order, from seat 1."""
    cards = ("--stack", stack) if stack else ()
    async with serving(folder / "bank", *cards, *options) as uri:
        guests = [await Guest.sit(uri, handle) for handle in handles]
        yield guests
        for guest in guests:
            await guest.line.close()


def _brief(event: Event) -> str:
    match event["type"]:
        case "card_dealt" if event["seat"] == 0:
            return f"dealer {event['card']}"
        case "card_dealt":
            return f"{event['seat']}{'abcd'[event['hand']]} {event['card']}"
        case "hole_revealed":
            return f"dealer turns {event['card']}"
        case "dealer_stood" | "dealer_busted":
            return f"{event['type'].replace('_', ' ')} {event['total']}"
        case _:
            return ""
