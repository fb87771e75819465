"""The recalls: one thread looks players' last rounds up, one after another.

A recall reads the journal back, which may take seconds in a large bank, so it never
runs on the event loop. There is one thread for the whole server, and each line waits
for one recall at most, so recalls delay nothing but other recalls.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bj_protocol.messages import Recalled
from bj_protocol.recall import MOST_RECALLED
from bj_protocol.refusal import RefusalCode
from bj_server.bank.pending import Bookmark
from bj_server.history.retelling import recall
from bj_server.history.search import SearchStoppedError
from bj_server.table.refusal import RefusalError

_log = logging.getLogger(__name__)

Tell = Callable[[Recalled | RefusalError], None]
"""Takes the answer."""


class Recalls:
    """The one thread of a server on which rounds are looked up."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="recall")
        self._is_closed = False

    async def look_up(
        self, bookmark: Bookmark, rounds: int, is_wanted: Callable[[], bool]
    ) -> Recalled:
        """Return the last rounds of a handle once it is their turn."""

        def goes_on() -> bool:
            return is_wanted() and not self._is_closed

        if not goes_on():
            raise SearchStoppedError
        loop = asyncio.get_running_loop()
        work = partial(recall, bookmark, rounds, goes_on)
        return await loop.run_in_executor(self._thread, work)

    def stop(self) -> None:
        """Look nothing up any more."""
        self._is_closed = True

    async def aclose(self) -> None:
        """End the thread."""
        self.stop()
        await asyncio.to_thread(self._thread.shutdown)


class Slot:
    """The place of one line: it looks one thing up at a time."""

    def __init__(self, recalls: Recalls) -> None:
        self._recalls = recalls
        self._task: asyncio.Task[None] | None = None
        self._is_wanted = True

    def ask(self, rounds: int, mark: Callable[[], Bookmark], tell: Tell) -> None:
        """Have the answer told; ``mark`` gives the place to read back from."""
        if not 1 <= rounds <= MOST_RECALLED:
            raise RefusalError(RefusalCode.NOT_SO_MANY_ROUNDS)
        if self._task is not None and not self._task.done():
            raise RefusalError(RefusalCode.RECALLING)
        looking = self._look_up(mark(), rounds, tell)
        self._task = asyncio.get_running_loop().create_task(looking)

    def give_up(self) -> None:
        """Want the answer no more, since the line is gone."""
        self._is_wanted = False

    async def settled(self) -> None:
        """Wait until nothing is looked up any more."""
        if self._task is not None:
            await self._task

    async def _look_up(self, bookmark: Bookmark, rounds: int, tell: Tell) -> None:
        try:
            tell(await self._recalls.look_up(bookmark, rounds, lambda: self._is_wanted))
        except SearchStoppedError:
            pass
        except Exception:  # noqa: BLE001 - whatever it is, the player is told so
            _log.exception("the last rounds of a player cannot be looked up")
            tell(RefusalError(RefusalCode.RECALL_FAILED))
