"""Players of a fleet: light clients that sit down, play, leave, and follow their seat.

They know the wire and nothing else: what they were told is for an auditor to compare.
"""

import asyncio
import contextlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bj_protocol.refusal import CloseCode
from support.nursery import PATIENCE
from support.serving import hello

_MOST_MOVES = 2
_NO_SEAT = -1
_SILENCE = 15
"""Seconds after which a line is given up: a table calls for bets every 5."""

_WORTH_WAITING = {"bank_stalled", "seated_elsewhere", "table_full", "no_such_table"}
"""The refusals that pass by themselves."""


@dataclass
class Told:
    """What the players have been told at one server, since it was compared last."""

    bets: set[tuple[int, str, int]] = field(default_factory=set)
    """The rounds, handles and cents."""
    payouts: set[tuple[int, str, int]] = field(default_factory=set)


class TurnedAwayError(Exception):
    """There is no seat now, as a sentence says."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code, self.text = code, text


class FleetPlayer:
    """One handle, and all that it was told."""

    def __init__(
        self,
        handle: str,
        uris: Callable[[], list[str]],
        told: Callable[[str], Told],
        chance: random.Random,
        tables: Sequence[str | None] = (None,),
    ) -> None:
        """Play at the servers of ``uris``; what each tells goes to ``told``.

        Each hello names one of the ``tables``, wherever that is.
        """
        self.handle = handle
        self.goes_home = asyncio.Event()
        """Whether it is to leave at the end of the round, and to stay away."""
        self.balance: int | None = None
        """The free cents that it was told last, and has not been told to be risked."""
        self.left_at = ""
        """The address of the server that has let it go last, with its balance."""
        self.heard = 0
        """The messages of tables that it has heard."""
        self.moves: list[int] = []
        """How often each hello was moved."""
        self.refusals: list[tuple[str, str]] = []
        self._uris = uris
        self._told = told
        self._chance = chance
        self._tables = tables
        self._seat = self._round = self._answered = 0
        self._has_bet = False
        self._rounds_left = 0

    async def play(self) -> None:
        """Go from server to server, until it is told to go home; then leave once."""
        while not self.goes_home.is_set():
            self._rounds_left = self._chance.randint(1, 6)
            if not await self.visit(self._somewhere()):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._chance.uniform(0.02, 0.2)):
                        await self.goes_home.wait()
        self._rounds_left = 0
        async with asyncio.timeout(PATIENCE):
            while not await self.visit(self._somewhere()):  # noqa: ASYNC110 - by others
                await asyncio.sleep(0.05)

    def _somewhere(self) -> str:
        return self._chance.choice(self._uris())

    async def visit(self, uri: str) -> bool:
        """Play at a server, or where it sends to; whether it was left in order."""
        moves, table = 0, self._chance.choice(self._tables)
        try:
            while moved := await self._visit_one(uri, table):
                moves, (uri, table) = moves + 1, moved
                assert moves <= _MOST_MOVES, f"{self.handle} is moved on and on"
            return True
        except TurnedAwayError as refusal:
            self.refusals.append((refusal.code, refusal.text))
            if refusal.code not in _WORTH_WAITING:
                raise
            return False
        except (WebSocketException, OSError, TimeoutError, EOFError):
            return False  # whoever has the line has ended, or is stopped
        finally:
            self.moves.append(moves)

    async def _visit_one(self, uri: str, table: str | None) -> tuple[str, str] | None:
        """Play at one server to the end; return the address and table it sends to."""
        async with connect(
            uri,
            compression=None,
            open_timeout=_SILENCE,
            ping_interval=None,
            close_timeout=1,
        ) as line:
            await line.send(hello(self.handle, table=table))
            async with asyncio.timeout(_SILENCE):
                first = await _next(line)
            if first["type"] == "moved":
                return first["address"], first["table"]
            if first["type"] == "refused":
                raise TurnedAwayError(first["code"], first["text"])
            assert first["type"] == "snapshot", first
            self._sit(first)
            await self._play_on(line, uri, first.get("turn"))
        return None

    async def _play_on(
        self, line: ClientConnection, uri: str, turn: dict[str, Any] | None
    ) -> None:
        told, leaves = self._told(uri), False
        drops = self._chance.random() < 0.1
        while True:
            wants_away = self.goes_home.is_set() or self._rounds_left <= 0
            if wants_away and drops and not self.goes_home.is_set():
                line.transport.abort()
                raise EOFError
            if wants_away and not self._has_bet and not leaves:
                leaves = True
                await line.send('{"type":"leave"}')
            if not leaves:
                for answer in self._answers(turn):
                    await line.send(json.dumps(answer))
            try:
                async with asyncio.timeout(_SILENCE):
                    message = await _next(line)
            except WebSocketException:
                if leaves and line.close_code == CloseCode.LEFT:
                    self.left_at = uri
                    return
                raise
            self.heard += 1
            for event in message.get("events", ()):
                self._note(event, told)
            if message["type"] == "snapshot":
                self._sit(message)
            turn = message.get("turn")

    def _sit(self, picture: dict[str, Any]) -> None:
        self._seat, self._round = picture["you"]["seat"], picture["round"]
        (seat,) = [each for each in picture["seats"] if each["seat"] == self._seat]
        self._answered = 0
        self.balance = seat["balance"]
        is_idle = picture["phase"] == "waiting"
        self._has_bet = not is_idle and bool(seat["bet"] or seat["hands"])

    def _note(self, event: dict[str, Any], told: Told) -> None:
        self._round = event.get("round", self._round)
        kind = event["type"]
        if kind in ("round_ended", "round_voided"):
            self._has_bet = False
            self._rounds_left -= 1
        if event.get("seat") != self._seat:
            return
        if kind == "player_left":
            self._seat = _NO_SEAT  # another may have it in the same message
            return
        self.balance = event.get("balance", self.balance)
        if kind == "bet_placed":
            self._has_bet = True
            amount = event["amount"] * event.get("spots", 1)
            told.bets.add((self._round, self.handle, amount))
        elif kind == "bet_returned":
            self._has_bet = False
        elif kind == "hand_settled" and event["payout"]:
            told.payouts.add((self._round, self.handle, event["payout"]))

    def _answers(self, turn: dict[str, Any] | None) -> list[dict[str, Any]]:
        asks = [ask for ask in (turn or {"asks": []})["asks"] if self._is_new(ask)]
        self._answered = max([self._answered, *(ask["prompt"] for ask in asks)])
        return [self._answer(ask) for ask in asks]

    def _is_new(self, ask: dict[str, Any]) -> bool:
        return bool(ask["seat"] == self._seat and ask["prompt"] > self._answered)

    def _answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        answer = {"prompt": ask["prompt"], "type": ask["actions"][-1]}
        if "place_bet" in ask["actions"]:
            least, most = ask["wager"]["minimum"], ask["wager"]["maximum"]
            amount = most if self._chance.random() < 0.05 else least
            return answer | {"type": "place_bet", "amount": amount}
        for action in ("accept_gift", "stand"):
            if action in ask["actions"]:
                answer["type"] = action
        return answer


async def _next(line: ClientConnection) -> dict[str, Any]:
    """Return the next message that a server has not only signed."""
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["type"] not in ("signed", "answered"):
            return message
