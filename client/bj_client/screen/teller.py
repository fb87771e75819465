"""The narrator of the screen: what happens is told one event at a time.

The table itself is always on view, so that boards and hands need no telling.
"""

import asyncio
import contextlib
from collections.abc import Iterable

from bj_client.board import welcome
from bj_client.card import Faces
from bj_client.narrator import Narrator
from bj_client.paper import Tone
from bj_client.past import past_rounds, past_title
from bj_client.screen.deal import words
from bj_client.screen.page import Page
from bj_client.screen.screen import Screen
from bj_client.table import Table
from bj_protocol import events
from bj_protocol.messages import Recalled, Snapshot, Update
from bj_protocol.views import Ask

_IN_A_HURRY = 8
"""Messages that may wait before the pace is given up to catch up with them."""


class ScreenNarrator(Narrator):
    """Tells the story of a table to a screen."""

    def __init__(self, screen: Screen, faces: Faces, pace: float) -> None:
        """Wait ``pace`` seconds after each event."""
        super().__init__(screen, faces, pace)
        self._screen = screen
        self._seconds = pace

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        """Tell players who sit down where that is."""
        lines = welcome(table)
        await self._lines(lines[: max(1, len(table.ours) + 1)], Tone.TITLE)
        await self._lines(notices, Tone.NOTICE)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        """Fold in a fresh picture."""
        table.apply(snapshot)
        self._screen.scene.last.clear()
        await self.paper.line("Some news was missed; this is the table now.")
        await self._lines(snapshot.notices, Tone.NOTICE)
        await self.check()

    async def update(self, table: Table, update: Update) -> None:
        """Fold in an update event by event, telling each."""
        scene = self._screen.scene
        self._screen.begin()
        for event in update.events:
            scene.last.note(event, table)
            table.fold(event)
            if isinstance(event, _PLAYED):
                scene.told = (event.seat, event.hand) if event.seat else (0, 0)
            elif isinstance(event, _DEALER):
                scene.told = (0, 0)
            if isinstance(event, events.RoundBegan):
                scene.preset = None
            await self.event(event, table)
            if self._seconds and self.behind() < _IN_A_HURRY:
                await self._rest()
        table.finish(update)
        await self.check()
        self._screen.end()

    async def event(self, event: events.Event, table: Table) -> None:
        """Tell an event, in the words of a text where they are its rounds."""
        scene = self._screen.scene
        said = words(event, table, scene) if scene.deals else None
        if said is None:
            await super().event(event, table)
            return
        for text, tone in said:
            await self.paper.line(text, tone)

    async def recalled(self, handle: str, recalled: Recalled) -> None:
        """Show a player's last rounds on a page, the newest first."""
        rounds = past_rounds(recalled, self._faces)
        lines = [line for each in reversed(rounds) for line in (*each, "")]
        title = past_title(handle, recalled)
        self._screen.show(Page(title, tuple(lines[:-1]), key="m"))

    async def turn(self, ask: Ask, table: Table) -> None:
        """Tell nothing: the hand is on view."""

    async def board(self, table: Table) -> None:
        """Tell nothing: the table is on view."""

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await self._screen.hurry.wait()


_PLAYED = (events.CardDealt, events.HandSplit, events.HandDoubled, events.HandSettled)
_DEALER = (events.HoleRevealed, events.DealerStood, events.DealerBusted)
