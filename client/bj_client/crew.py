"""A crew: several who play at once, each on a line of its own, such as bots."""

import asyncio
from collections.abc import Sequence

from bj_client.follow import Follower
from bj_client.visit import Session


class Crew:
    """The sessions of a party whose members need no keyboard."""

    def __init__(self, sessions: Sequence[tuple[Follower, Session]]) -> None:
        """Let each member of a party play a session."""
        self._sessions = sessions

    async def run(self) -> None:
        """Play until the first member's session is over; the others leave with it.

        One that is over before the first leaves by itself, so that the table does not
        wait for it.

        Raises:
            Ending: if one of the sessions ends otherwise.
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
