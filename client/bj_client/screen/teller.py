"""The narrator of the screen: tells one event at a time.

The table itself is always on view, so that boards and hands need no telling.
"""

import asyncio
import contextlib
from collections.abc import Iterable

from bj_client.model.card import Faces
from bj_client.model.table import Table
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Line
from bj_client.play.narrator import Narrator
from bj_client.play.output import Tone
from bj_client.question.question import Word, read_word
from bj_client.question.slash import read_aside
from bj_client.screen.page import Page
from bj_client.screen.scene import Scene
from bj_client.screen.screen import Screen
from bj_client.style.iipp6 import Iipp6
from bj_client.style.iipp6.canvas import TONES, verdict
from bj_client.style.iipp6.session import DealSession
from bj_client.words.board import welcome
from bj_client.words.past_round import past_rounds, past_title
from bj_protocol import events
from bj_protocol.messages import Recalled, Snapshot, Update
from bj_protocol.views import Ask


def is_dealt(hotseat: Hotseat) -> bool:
    """Say whether a party is one person at a table of that house."""
    table = hotseat.table
    return len(table.ours) == 1 and table.house.name in Iipp6.houses


def words(
    event: events.Event, table: Table, scene: Scene
) -> list[tuple[str, Tone]] | None:
    """Return the lines that the text has for an event; None to tell it as elsewhere.

    The outcome of a round is noted on the scene, where it stays until the next.
    """
    if getattr(event, "seat", None) not in table.ours:
        if isinstance(event, events.RoundBegan):
            scene.outcome = ""
        is_silent = isinstance(event, events.BettingOpened | events.RoundBegan)
        return [] if is_silent else None
    match event:
        case events.BetPlaced():
            return []
        case events.HandBusted():
            scene.outcome = "You have busted."
            return [("You have busted", Tone.LOSE)]
        case events.HandSettled():
            said = verdict(event)
            scene.outcome = scene.outcome or said
            score = (f"Score: {table.record.score}", Tone.MINE)
            return [(said, TONES[event.outcome]), score]
        case _:
            return None


class ScreenDeals(DealSession):
    """One player's rounds on the screen, where leaving waits for no question."""

    async def _typed(self, line: Line) -> None:
        aside = read_aside(line.text)
        if aside is not None:
            await self._whisper(aside)
        elif read_word(line.text) is Word.LEAVE:
            self._left = True
        else:
            await super()._typed(line)


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
        """Tell players who sit down about the table."""
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
