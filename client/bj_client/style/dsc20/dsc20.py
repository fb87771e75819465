"""The style ``dsc20``: the log, the drawings and the files of ``specs/dsc20.txt``.

Of a bot nothing is printed but the log, and it stops when the text does: at the end of
the deck, or of the money. People see their cards drawn at each decision, and are asked
to play again. For both, each game writes its own file.
"""

from pathlib import Path

from bj_client.card import Faces
from bj_client.narrator import Narrator
from bj_client.paper import PlainPaper
from bj_client.party import Party
from bj_client.source import Source
from bj_client.style.dsc20.folder import Folder
from bj_client.style.dsc20.ladder import LadderSession
from bj_client.style.dsc20.teller import Logger, Teller
from bj_client.style.style import Style
from bj_client.visit import Session

_FOLDER = Path("game_summaries")


class Dsc20(Style):
    """The log for bots, and the game with its log for people."""

    name = "dsc20"
    houses = ("dsc20",)

    def narrator(
        self, paper: PlainPaper, faces: Faces, pace: float, *, is_bot: bool
    ) -> Narrator:
        """Return who prints the log and writes the summaries."""
        kind = Logger if is_bot else Teller
        return kind(paper, faces, pace, Folder(_FOLDER))

    def session(
        self, party: Party, narrator: Narrator, source: Source, rounds: int | None
    ) -> Session:
        """Return the line mode in which the house sets the bets."""
        return LadderSession(party, narrator, source, rounds)
