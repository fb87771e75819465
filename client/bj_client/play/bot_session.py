"""Bot sessions: a visit in which a bot answers, with the table told as it goes."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import assert_never

from bj_client.bot import Bot
from bj_client.net.follow import Broken, Follower, News, PlayedOn, Returned
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Session
from bj_client.thread import in_thread
from bj_protocol.commands import AnyAnswer
from bj_protocol.events import Announced
from bj_protocol.messages import Answered, Recalled, Refused, Snapshot, Update
from bj_protocol.views import Ask

_SLOW = 5.0
"""Seconds after which people are told that a strategy thinks."""


def _warn(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


class AutoSession:
    """A bot's visit to a table."""

    def __init__(
        self,
        follower: Follower,
        narrator: Narrator,
        bot: Bot,
        rounds: int | None = None,
        *,
        slow: float = _SLOW,
        warn: Callable[[str], None] = _warn,
    ) -> None:
        """Play for a number of ``rounds``, or until the line ends.

        ``warn`` tells people of a strategy that thinks for ``slow`` seconds.
        """
        self._slow = slow
        self._warn = warn
        self._follower = follower
        self._narrator = narrator
        self._bot = bot
        self._rounds = rounds
        self._answered: set[int] = set()

    async def run(self) -> None:
        """Play. Returns when the rounds are played, or the story is over."""
        while not self._is_over:
            if not self._follower.is_cut_off:
                await self._answer()
            await self._hear(await self._follower.receive())

    @property
    def _is_over(self) -> bool:
        if self._narrator.is_over:
            return True
        played = self._follower.table.record.rounds
        return self._rounds is not None and played >= self._rounds

    async def _answer(self) -> None:
        table = self._follower.table
        asks = table.my_asks
        for ask in asks:
            if ask.prompt not in self._answered:
                answer = await self._decide(ask)
                for remark in self._bot.remarks():
                    await self._narrator.notice(remark)
                await self._follower.send(answer)
        self._answered = {ask.prompt for ask in asks}

    async def _decide(self, ask: Ask) -> AnyAnswer:
        table = self._follower.table
        if not self._bot.is_loaded:
            return self._bot.answer(ask, table)
        work = in_thread(lambda: self._bot.answer(ask, table))
        thinking = asyncio.ensure_future(work)
        try:
            await asyncio.wait({thinking}, timeout=self._slow)
            if not thinking.done():
                self._warn(
                    f"{self._bot.name} has not answered for {self._slow:g} s; when its "
                    "time is up the server goes on without it. Ctrl-C ends the bot."
                )
            return await thinking
        finally:
            thinking.cancel()

    async def _hear(self, news: News) -> None:  # noqa: C901 - one flat match
        table = self._follower.table
        match news:
            case Snapshot():
                await self._narrator.picture(table, news)
            case Update():
                await self._narrator.update(table, news)
                if any(isinstance(event, Announced) for event in news.events):
                    self._answered.clear()  # a question refused in a pause comes anew
            case Refused():
                await self._narrator.notice(news.text)
            case Answered() | Recalled():
                pass
            case Broken():
                await self._narrator.notice(str(news))
            case Returned(notices=notices, rules=rules, missed=missed):
                for notice in (str(news), *notices, *rules):
                    await self._narrator.notice(notice)
                await self._hear(missed)
            case PlayedOn(past=past):
                if table.play_past(table.handle, past):
                    await self._narrator.played_on(table.handle, past)
            case _:
                assert_never(news)


class BotSessions:
    """The sessions of a party whose members need no keyboard."""

    def __init__(self, sessions: Sequence[tuple[Follower, Session]]) -> None:
        """Let each member of a party play a session."""
        self._sessions = sessions

    async def run(self) -> None:
        """Play until the first member's session is over; the others leave with it.

        One that is over before the first leaves by itself, so that the table does not
        wait for it.
            ClientError: if one of the sessions ends otherwise.
        """
        first, *_ = tasks = [
            asyncio.create_task(_play(member, session))
            for member, session in self._sessions
        ]
        playing = set(tasks)
        try:
            while not first.done():
                done, playing = await asyncio.wait(
                    playing, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _play(member: Follower, session: Session) -> None:
    await session.run()
    await member.depart()
