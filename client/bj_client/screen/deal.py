"""The game of ``specs/iipp6.txt`` on the screen: Deal, Hit and Stand, and its words.

At a table of that house one person is dealt to at once, and anew whenever Deal is
pressed. Money goes in silence; what counts is the score.
"""

from bj_client.aside import read_aside
from bj_client.paper import Tone
from bj_client.party import Party
from bj_client.question import Word, read_word
from bj_client.screen.scene import Scene
from bj_client.source import Line
from bj_client.style.iipp6 import Iipp6
from bj_client.style.iipp6.canvas import TONES, verdict
from bj_client.style.iipp6.session import DealSession
from bj_client.table import Table
from bj_protocol import events


def is_dealt(party: Party) -> bool:
    """Say whether a party is one person at a table of that house."""
    table = party.table
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
