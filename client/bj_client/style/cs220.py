"""The style ``cs220``: the game summary of ``specs/cs220.txt`` after each round.

People play by the usual lines, with the summary above the question whether to play
again. Of a bot nothing is printed but the summaries, with a blank line between them.
"""

from collections.abc import Iterable

from bj_client.card import Faces
from bj_client.line import LineSession
from bj_client.narrator import Narrator
from bj_client.paper import Paper, PlainPaper
from bj_client.party import Party
from bj_client.source import Source
from bj_client.style.style import Style
from bj_client.style.summary import summary
from bj_client.table import Table
from bj_client.visit import Session
from bj_protocol import events
from bj_protocol.messages import Snapshot


class Cs220(Style):
    """The usual lines and the summaries, or the summaries alone."""

    name = "cs220"
    houses = ("cs220",)

    def narrator(
        self, paper: PlainPaper, faces: Faces, pace: float, *, is_bot: bool
    ) -> Narrator:
        """Return who prints the summaries."""
        return Summaries(paper) if is_bot else SummingUp(paper, faces, pace)

    def session(
        self, party: Party, narrator: Narrator, source: Source, rounds: int | None
    ) -> Session:
        """Return the usual line mode."""
        return LineSession(party, narrator, source, rounds)


class SummingUp(Narrator):
    """Tells the story as usual, and sums each round up."""

    async def event(self, event: events.Event, table: Table) -> None:
        """Tell an event, and after the last of a round the summary."""
        await super().event(event, table)
        if isinstance(event, events.RoundEnded):
            for line in summary(table):
                await self.paper.line(line)


class Summaries(Narrator):
    """Prints the summaries, what goes wrong, and nothing else."""

    def __init__(self, paper: Paper) -> None:
        """Print on ``paper``, without a pace."""
        super().__init__(paper, Faces(symbols=False))
        self._is_first = True

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        """Print nothing."""

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        """Fold in a fresh picture, and print nothing."""
        table.apply(snapshot)

    async def event(self, event: events.Event, table: Table) -> None:
        """Print the summary after the last event of a round."""
        if isinstance(event, events.RoundEnded):
            lines = summary(table)
            for line in lines if self._is_first else ["", *lines]:
                await self.paper.line(line)
            self._is_first = False

    async def farewell(self, table: Table) -> None:
        """Print nothing."""
