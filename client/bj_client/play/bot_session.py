"""Bot sessions: a visit in which a bot answers, with the table told as it goes."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from bj_client.bot.bot import Bot
from bj_client.model.table import Table, place_of
from bj_client.net.follow import Broken, Follower, News, Returned
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Session
from bj_client.system import in_thread
from bj_client.words.text import complain
from bj_protocol.commands import AnyAnswer
from bj_protocol.events import Announced
from bj_protocol.messages import Answered, Recalled, Refused, Snapshot, Update
from bj_protocol.recall import PastRound
from bj_protocol.views import Ask


@dataclass(eq=False)
class AutoSession:
    """A bot's visit to a table."""

    follower: Follower
    narrator: Narrator
    bot: Bot
    rounds: int | None = None
    """Those to play; None for as long as the line lasts."""
    slow: float = 5.0
    warn: Callable[[str], None] = complain
    _answered: set[int] = field(default_factory=set, init=False)

    async def run(self) -> None:
        """Play until the rounds are played, the story is over, or the bot leaves.

        It leaves when its strategy wants to, and when it is broke for good.
        """
        while not self._is_over():
            if not self.follower.is_cut_off:
                await self._answer()
            if not self.bot.leaves:
                await self._hear(await self.follower.receive())
        table = self.follower.table
        if _is_broke(table) and not self.narrator.is_over:
            await self.narrator.notice(f"{table.handle} is broke, and leaves.")

    def _is_over(self) -> bool:
        played = self.follower.table.record.rounds
        is_enough = self.rounds is not None and played >= self.rounds
        is_done = self.bot.leaves or _is_broke(self.follower.table)
        return self.narrator.is_over or is_enough or is_done

    async def _answer(self) -> None:
        table = self.follower.table
        asks = table.my_asks
        for ask in asks:
            if ask.prompt not in self._answered:
                answer = await self._decide(ask)
                for remark in self.bot.adviser.remarks():
                    await self.narrator.notice(remark)
                await self.follower.send(answer)
        self._answered = {ask.prompt for ask in asks}

    async def _decide(self, ask: Ask) -> AnyAnswer:
        table = self.follower.table
        if not self.bot.is_loaded:
            return self.bot.answer(ask, table)
        work = in_thread(lambda: self.bot.answer(ask, table))
        thinking = asyncio.ensure_future(work)
        try:
            await asyncio.wait({thinking}, timeout=self.slow)
            if not thinking.done():
                self.warn(
                    f"{self.bot.name} has not answered for {self.slow:g} s; when its "
                    "time is up the server goes on without it. Ctrl-C ends the bot."
                )
            return await thinking
        finally:
            thinking.cancel()

    async def _hear(self, news: News) -> None:  # noqa: C901 - one flat match
        table = self.follower.table
        match news:
            case Snapshot():
                if place_of(news) != table.place:
                    self._answered.clear()  # prompts are other questions there
                await self.narrator.picture(table, news)
            case Update():
                await self.narrator.update(table, news)
                if any(isinstance(event, Announced) for event in news.events):
                    self._answered.clear()  # a question refused in a pause comes anew
            case Refused():
                await self.narrator.notice(news.text)
            case Answered() | Recalled():
                pass
            case Broken():
                await self.narrator.notice(str(news))
            case Returned(notices=notices, rules=rules, missed=missed):
                for notice in (str(news), *notices, *rules):
                    await self.narrator.notice(notice)
                await self._hear(missed)
            case PastRound():
                if table.play_past(table.handle, news):
                    await self.narrator.played_on(table.handle, news)
            case _:
                assert_never(news)


def _is_broke(table: Table) -> bool:
    """Say whether a player cannot bet, and never will where no donor gives money."""
    own = table.ours[table.seat_number]
    is_poor = table.me.balance < table.house.minimum_bet
    is_idle = not own.has_money_in_play and not table.my_asks
    return is_poor and is_idle and table.house.terms.get("donor_gift") == 0


@dataclass(frozen=True)
class BotSessions:
    """The sessions of a party whose members need no keyboard."""

    sessions: Sequence[tuple[Follower, Session]]

    async def run(self) -> None:
        """Play until the first member's session is over; the others leave with it.

        One that is over before the first leaves by itself, so that the table does not
        wait for it.

        Raises:
            ClientError: if one of the sessions ends otherwise.
        """
        first, *_ = tasks = [
            asyncio.create_task(_play(member, session))
            for member, session in self.sessions
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
