"""A hotseat: the players at one keyboard, each with a line and a seat of its own.

All at a table hear the same story. So one of the lines, that of the player named first,
tells it. On the others only messages to their player alone count, and their end. One
player is a hotseat of one.
"""

import asyncio
from collections.abc import Sequence

from bj_client.bot.hint import agreement, judged, worths
from bj_client.model.table import Table
from bj_client.net.follow import Follower, News, Returned
from bj_client.question.question import Question
from bj_protocol.commands import AnyAnswer, Chat, Recall
from bj_protocol.messages import Answered, Snapshot, Update
from bj_protocol.recall import PastRound
from bj_protocol.views import Ask


class Hotseat:
    """Some players who have joined a table together.

    Raises:
        ClientError: from ``gather`` and ``receive``, once one connection is over.
    """

    def __init__(self, members: Sequence[Follower], *, has_lobby: bool = False) -> None:
        """Bring players together, in the order in which they were named."""
        self.members = tuple(members)
        self.storyteller = self.members[0]
        """The member whose line tells the story."""
        self.has_lobby = has_lobby
        """Whether the players have chosen this table in the lobby."""
        self.wants_lobby = False
        """Whether they leave it to choose another there."""
        self._hearing: dict[Follower, asyncio.Task[News]] = {}
        players = [m.first.you for m in members if m.first.you is not None]
        for member in members:
            member.table.claim(*players)

    @property
    def table(self) -> Table:
        """The table as far as its story was told."""
        return self.storyteller.table

    @property
    def last_table(self) -> Table:
        """The table as it was last heard of by anyone; lines end one by one."""
        return max(self.members, key=lambda member: member.table.seq).table

    @property
    def notices(self) -> list[str]:
        """The notices for the players on sitting down, each once."""
        each = [member.first.notices for member in self.members]
        told: dict[str, None] = {}  # in order
        for member in self.members:
            for notice in member.first.notices:
                is_for_all = all(notice in notices for notices in each)
                told[notice if is_for_all else self.named(member, notice)] = None
        return list(told)

    @property
    def is_cut_off(self) -> bool:
        """Whether the line of any member is lost, and not back yet."""
        return any(member.is_cut_off for member in self.members)

    def named(self, member: Follower, sentence: str) -> str:
        """Return a sentence to one member, with the handle if need be."""
        alone = len(self.members) == 1
        return sentence if alone else f"{member.table.handle}: {sentence}"

    async def answer(self, ask: Ask, answer: AnyAnswer) -> None:
        """Answer an ask, on the line of the player who is asked."""
        found = worths(ask, self.table)
        agrees = agreement(answer, ask, found)
        told = judged(answer, ask, self.table, found)
        for member in self.members:  # any of the tables may sum up at the end
            own = member.table.ours.get(ask.seat)
            if own is not None:
                own.record.decisions |= agrees
                own.record.judged |= told
        for member in self.members:
            if member.table.seat_number == ask.seat:
                await member.send(answer)

    def play_past(self, handle: str, past: PastRound) -> bool:
        """Count a round that ended unheard; tell whether the story lacks it."""
        told, *_ = [member.table.play_past(handle, past) for member in self.members]
        return told

    async def ask_for(self, question: Question | None, wish: Chat | Recall) -> None:
        """Send a wish of the player who is asked the open question, or of the first."""
        ask = None if question is None else question.ask
        speaker = next(
            (m for m in self.members if ask and m.table.seat_number == ask.seat),
            self.storyteller,
        )
        await speaker.send(wish)

    async def gather(self) -> None:
        """Hear, untold, how all the others have sat down after the first."""
        newest = max(member.table.seq for member in self.members)
        while self.table.seq < newest:
            _fold(self.storyteller, await self.storyteller.receive())

    async def receive(self) -> tuple[Follower, News]:
        """Return the next part of the story, or news of one of the members alone.

        The caller folds a part of the story into ``table``, and so the updates that the
        storyteller has missed.

        Raises:
            ClientError: once one of the connections is over.
        """
        while True:
            for member in self.members:
                if member not in self._hearing:
                    self._hearing[member] = asyncio.create_task(member.receive())
            tasks = self._hearing.values()
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for member in self.members:
                if self._hearing[member].done():
                    news = self._hearing.pop(member).result()
                    is_told = member is self.storyteller
                    if not is_told:
                        _fold(member, news)
                    if is_told or not isinstance(news, Snapshot | Update | Answered):
                        return member, news

    async def close(self) -> None:
        """Listen no more; messages that have been heard are folded in, untold."""
        hearing, self._hearing = self._hearing, {}
        for task in hearing.values():
            task.cancel()
        await asyncio.gather(*hearing.values(), return_exceptions=True)
        for member, task in hearing.items():
            if not task.cancelled() and task.exception() is None:
                _fold(member, task.result())


def _fold(member: Follower, news: News) -> None:
    match news:
        case Snapshot() | Update():
            member.table.apply(news)
        case Returned(missed=missed):
            member.table.apply(missed)
        case _:
            pass
