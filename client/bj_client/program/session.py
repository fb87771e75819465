"""A program's session: the line to the server, handed on message by message.

Nothing is left out and nothing is put in, except what only the client knows: that a
line of the program is no command, and that the line to the server is lost or back.
After a loss the client says the same hello again, and the picture that answers it
follows. What the program says meanwhile waits; its answers name their prompts, so that
none can act twice or on something else.
"""

import asyncio
import contextlib
import sys
from collections import deque
from typing import TextIO

from bj_client.ending import LineLost, OutputClosed
from bj_client.follow import LEAVE_SECONDS, Follower
from bj_client.program.order import Orders, read_order
from bj_client.program.output import JsonOutput
from bj_client.source import EndOfInput
from bj_protocol.codec import BadMessage, encode
from bj_protocol.commands import Command, Leave
from bj_protocol.messages import Message, Refused, Snapshot, Update
from bj_protocol.refusal import RefusalCode

_LOST = '{"type":"line","state":"lost"}'
_BACK = '{"type":"line","state":"back"}'
_HELD = 256
"""Commands that wait for the line; while more come, they are not read."""


def play_by_program(follower: Follower) -> "ProgramSession":
    """Return the session of a program on our standard streams."""
    orders = Orders(_descriptor(sys.stdin))
    return ProgramSession(follower, orders, JsonOutput(_descriptor(sys.stdout)))


def _descriptor(stream: TextIO | None) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return None if stream is None else stream.fileno()
    return None


class ProgramSession:
    """A program's visit to a table, as a player or looking on."""

    def __init__(self, follower: Follower, orders: Orders, output: JsonOutput) -> None:
        """Hand on what comes to ``follower``, whose table is kept as far as known."""
        self._first = follower.first
        self._table = follower.table
        self._line = follower.line
        self._orders = orders
        self._output = output
        self._here = asyncio.Event()
        """Set while the line is not lost."""
        self._here.set()
        self._held: deque[Command] = deque()

    async def run(self) -> None:
        """Play. Returns when the program leaves, also by the end of its commands.

        Raises:
            Ending: if the visit ends otherwise.
        """
        hearing = asyncio.create_task(self._hear())
        obeying = asyncio.create_task(self._obey())
        tasks = {hearing, obeying}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                hearing.result()
            obeying.result()
            await self._leave(hearing)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _hear(self) -> None:
        await self._output.write(encode(self._first))
        while True:
            try:
                arrival = await self._line.receive()
            except LineLost as lost:
                if not self._line.note(lost):
                    raise
                await self._come_back()
            else:
                await self._tell(arrival.message, arrival.text)

    async def _come_back(self) -> None:
        self._here.clear()
        await self._output.write(_LOST)
        picture = await self._line.rejoin()
        await self._output.write(_BACK)
        await self._tell(picture)
        while self._held:
            await self._line.send(self._held.popleft())
        self._here.set()

    async def _tell(self, message: Message, text: str = "") -> None:
        """Hand a message on, as it came where that is one line."""
        match message:
            case Snapshot():
                self._table.apply(message)
            case Update() if message.seq == self._table.seq + 1:
                self._table.apply(message)
            case _:
                pass
        is_line = text and not {"\n", "\r"} & set(text)
        await self._output.write(text if is_line else encode(message))

    async def _obey(self) -> None:
        while True:
            try:
                command = read_order(await self._orders.read())
            except EndOfInput:
                return
            except BadMessage as bad:
                await self._refuse(str(bad))
            else:
                if isinstance(command, Leave):
                    return
                await self._send(command)

    async def _refuse(self, sentence: str) -> None:
        code = RefusalCode.BAD_MESSAGE
        refused = Refused(code=code, text=sentence, prompt=None)
        await self._output.write(encode(refused))

    async def _send(self, command: Command) -> None:
        if len(self._held) >= _HELD:
            await self._here.wait()
        if self._here.is_set():
            await self._line.send(command)
        else:
            self._held.append(command)

    async def _leave(self, hearing: asyncio.Task[None]) -> None:
        """Leave in order, and hand on what is still said."""
        self._line.give_up()
        if self._here.is_set():
            await self._line.send(Leave())
            await asyncio.wait({hearing}, timeout=LEAVE_SECONDS)
        if hearing.done() and isinstance(hearing.exception(), OutputClosed):
            hearing.result()
