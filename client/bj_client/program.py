"""A program's session: the line to the server, handed on message by message.

Nothing is left out. The client adds only what it alone knows: that a line of the
program is no command, and that the connection to the server is lost or back. After a
loss the client says the same hello again, and the picture that answers it follows.
Commands of the program wait meanwhile; answers name their prompts, so that none can act
twice or on something else.
"""

import asyncio
import contextlib
import os
import select
import sys
from collections import deque
from dataclasses import dataclass, field
from typing import TextIO

from bj_client.error import LineLostError, OutputClosedError
from bj_client.model.table import place_of
from bj_client.net.follow import LEAVE_SECONDS, Follower
from bj_client.play.input import EndOfInputError, LineReader
from bj_client.system import in_thread
from bj_protocol.codec import MessageError, decode_command, encode
from bj_protocol.commands import Answer, Command, Hello, Leave, Link, Watch
from bj_protocol.messages import Message, Refused, Snapshot, Update
from bj_protocol.refusal import RefusalCode


@dataclass(eq=False)
class JsonOutput:
    """Lines to a file descriptor, one after the other."""

    descriptor: int | None
    """None is an output that was closed from the start."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def write(self, text: str) -> None:
        """Write a line.

        Raises:
            OutputClosedError: if it can no longer be written.
        """
        descriptor = self.descriptor
        if descriptor is None:
            raise OutputClosedError("it is closed", quiet=True)
        data = f"{text}\n".encode()
        async with self._turn:
            try:
                await in_thread(lambda: _write(descriptor, data))
            except OSError as error:
                raise OutputClosedError.by(error) from None


def _write(descriptor: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:  # our parent shares the descriptor, and set it so
            select.select([], [descriptor], [])


LONGEST = 16_384
"""Bytes of a line, as many as the server takes."""


def read_order(line: bytes) -> Command:
    """Read a line as a command that a program may give.

    >>> read_order(b'{"type": "hit", "prompt": 7}')
    Hit(prompt=7, type=<Action.HIT: 'hit'>)

    Raises:
        MessageError: with a sentence, if it is none.
    """
    if len(line) > LONGEST:
        raise MessageError(f"The line has more than {LONGEST} bytes: shorten it.")
    command = decode_command(line)
    if isinstance(command, Hello | Watch):
        raise MessageError(
            f"bj-client has said {command.type} already: leave it out, and name the "
            "handle and the table on the command line."
        )
    if isinstance(command, Link) or getattr(command, "commitment", None) is not None:
        raise MessageError(
            "bj-client commits the bets and sends the links by itself: leave that out."
        )
    return command


_LOST = '{"type":"line","state":"lost"}'
_BACK = '{"type":"line","state":"back"}'
_OVER = Refused(
    code=RefusalCode.PROMPT_OVER,
    text="That question was asked at another table of the fleet, and is over.",
    prompt=None,
)
_HELD = 256
"""Commands that wait for the line; while more come, they are not read."""


def play_by_program(follower: Follower) -> "ProgramSession":
    """Return the session of a program on our standard streams."""
    orders = LineReader(_descriptor(sys.stdin), LONGEST + 1)
    return ProgramSession(follower, orders, JsonOutput(_descriptor(sys.stdout)))


def _descriptor(stream: TextIO | None) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return None if stream is None else stream.fileno()
    return None


@dataclass(eq=False)
class ProgramSession:
    """A program's visit to a table, as a player or looking on."""

    follower: Follower
    """Its table is kept as far as known; its line is not followed."""
    orders: LineReader
    output: JsonOutput
    _here: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set while the line is not lost."""
    _held: deque[Command] = field(default_factory=deque, init=False)

    async def run(self) -> None:
        """Play. Returns when the program leaves, also by the end of its commands."""
        self._here.set()
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
        await self.output.write(encode(self.follower.first))
        while True:
            try:
                arrival = await self.follower.line.receive()
            except LineLostError as lost:
                if not self.follower.line.note(lost):
                    raise
                await self._come_back()
            else:
                await self._tell(arrival.message, arrival.text)

    async def _come_back(self) -> None:
        self._here.clear()
        await self.output.write(_LOST)
        picture = await self.follower.line.rejoin()
        is_elsewhere = place_of(picture) != self.follower.table.place
        while self._held:  # before the program is told, for it may leave at once
            command = self._held.popleft()
            if isinstance(command, Answer) and is_elsewhere:
                await self._tell(_OVER.model_copy(update={"prompt": command.prompt}))
            else:
                await self.follower.line.send(command)
        self._here.set()
        await self.output.write(_BACK)
        await self._tell(picture)

    async def _tell(self, message: Message, text: str = "") -> None:
        """Hand a message on, as it came where that is one line."""
        match message:
            case Snapshot():
                self.follower.table.apply(message)
            case Update() if message.seq == self.follower.table.seq + 1:
                self.follower.table.apply(message)
            case _:
                pass
        is_line = text and not {"\n", "\r"} & set(text)
        await self.output.write(text if is_line else encode(message))

    async def _obey(self) -> None:
        while True:
            try:
                command = read_order(await self.orders.read())
            except EndOfInputError:
                return
            except MessageError as bad:
                code = RefusalCode.BAD_MESSAGE
                refused = Refused(code=code, text=str(bad), prompt=None)
                await self.output.write(encode(refused))
            else:
                if isinstance(command, Leave):
                    return
                await self._send(command)

    async def _send(self, command: Command) -> None:
        if len(self._held) >= _HELD:
            await self._here.wait()
        if self._here.is_set():
            await self.follower.line.send(command)
        else:
            self._held.append(command)

    async def _leave(self, hearing: asyncio.Task[None]) -> None:
        """Leave in order, and hand on the last messages."""
        self.follower.line.give_up()
        if self._here.is_set():
            await self.follower.line.send(Leave())
            await asyncio.wait({hearing}, timeout=LEAVE_SECONDS)
        if hearing.done() and isinstance(hearing.exception(), OutputClosedError):
            hearing.result()
