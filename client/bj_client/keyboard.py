"""The keyboard: the loop of whoever plays by typed lines.

It waits for two things at once, the next message and the next line, so that others may
act and the time may run out while a question is open. What is open is worked out anew
after every message and every line. A line that was typed too early waits for its
question.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque

from bj_client.party import Heard, Party
from bj_client.question import Question
from bj_client.source import EndOfInput, Line, Source
from bj_protocol.refusal import RefusalCode

__all__ = ["TOO_LATE", "KeyboardSession"]

TOO_LATE = frozenset({RefusalCode.PROMPT_OVER, RefusalCode.NOT_ASKED})
"""Refusals of an answer whose question is over."""

_KEPT = 1000


class KeyboardSession(ABC):
    """A party's visit to a table, played at one keyboard."""

    def __init__(self, party: Party, source: Source) -> None:
        """Play for ``party`` by the lines of ``source``."""
        self._party = party
        self._table = party.table
        self._source = source
        self._early: deque[str] = deque(maxlen=_KEPT)
        self._left = False
        """Whether the players have decided to leave."""

    async def run(self) -> None:
        """Play. Returns when the players leave, also at the end of the input.

        Raises:
            Ending: if the visit ends otherwise.
            Interrupted: on Ctrl-C.
        """
        try:
            await self._run()
        except EndOfInput:
            return

    async def _run(self) -> None:
        hearing = asyncio.create_task(self._party.receive())
        reading = asyncio.create_task(self._source.read())
        try:
            await self._ask()
            while not self._left:
                await asyncio.wait(
                    {hearing, reading}, return_when=asyncio.FIRST_COMPLETED
                )
                if hearing.done():
                    await self._hear(hearing.result())
                    hearing = asyncio.create_task(self._party.receive())
                else:
                    await self._typed(reading.result())
                    reading = asyncio.create_task(self._source.read())
                await self._ask()
        finally:
            hearing.cancel()
            reading.cancel()
            await asyncio.gather(hearing, reading, return_exceptions=True)
            await self._source.close()

    async def _ask(self) -> None:
        """Open what is to be answered now, and answer it by what was typed early."""
        await self._open()
        while self._early and self._open_question is not None and not self._left:
            text = self._early.popleft()
            await self._source.echo(text)
            await self._answer(text)
            await self._open()

    @property
    @abstractmethod
    def _open_question(self) -> Question | None:
        """The question that is open."""

    @abstractmethod
    async def _open(self) -> None:
        """Open the question that is to be answered now, if there is one."""

    @abstractmethod
    async def _answer(self, text: str) -> None:
        """Answer the open question by a typed line."""

    @abstractmethod
    async def _hear(self, heard: Heard) -> None:
        """Take in a message."""

    @abstractmethod
    async def _typed(self, line: Line) -> None:
        """Take in a typed line."""
