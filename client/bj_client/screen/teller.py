"""The narrator of the screen: tells one event at a time.

The table itself is always on view, so that boards and hands need no telling.
"""

import asyncio
import contextlib
from collections.abc import Iterable

from bj_client.model.table import Table
from bj_client.play.narrator import Narrator
from bj_client.play.output import TONES, Tone
from bj_client.screen.scene import Page, Scene
from bj_client.screen.screen import Screen
from bj_client.style.iipp6 import verdict
from bj_client.words.board import welcome
from bj_client.words.past_round import past_round, past_title
from bj_protocol import events
from bj_protocol.messages import Recalled, Snapshot, Update
from bj_protocol.views import Ask


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


class ScreenNarrator(Narrator):
    """Tells the story of a table to a screen."""

    output: Screen

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        """Tell players who sit down about the table."""
        lines = welcome(table)
        await self._lines(lines[: max(1, len(table.ours) + 1)], Tone.TITLE)
        await self._lines(notices, Tone.NOTICE)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        """Fold in a fresh picture, and forget the last round."""
        self.output.scene.last.clear()
        await super().picture(table, snapshot)

    async def update(self, table: Table, update: Update) -> None:
        """Tell an update, while the screen knows that it is being told."""
        with self.output.telling():
            await super().update(table, update)

    def _foresee(self, event: events.Event, table: Table) -> None:
        scene = self.output.scene
        scene.last.note(event, table)
        if isinstance(event, _PLAYED):
            scene.told = (event.seat, event.hand) if event.seat else (0, 0)
        elif isinstance(event, _DEALER):
            scene.told = (0, 0)
        if isinstance(event, events.RoundBegan):
            scene.preset = None

    async def event(self, event: events.Event, table: Table) -> None:
        """Tell an event, in the words of a text where they are its rounds."""
        scene = self.output.scene
        said = words(event, table, scene) if scene.deals else None
        if said is None:
            await super().event(event, table)
            return
        for text, tone in said:
            await self.output.line(text, tone)

    async def recalled(self, handle: str, recalled: Recalled) -> None:
        """Show a player's last rounds on a page, the newest first."""
        rounds = [past_round(past, self.faces) for past in reversed(recalled.rounds)]
        lines = [line for each in rounds for line in (*each, "")]
        title = past_title(handle, recalled)
        self.output.show(Page(title, tuple(lines[:-1]), key="m"))

    async def turn(self, ask: Ask, table: Table) -> None:
        """Tell nothing: the hand is on view."""

    async def board(self, table: Table) -> None:
        """Tell nothing: the table is on view."""

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.pace.seconds):
                await self.output.hurry.wait()


_PLAYED = (events.CardDealt, events.HandSplit, events.HandDoubled, events.HandSettled)
_DEALER = (events.HoleRevealed, events.DealerStood, events.DealerBusted)
