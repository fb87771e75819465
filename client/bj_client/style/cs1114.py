"""The style ``cs1114``: the transcripts of ``specs/cs1114.txt`` to the letter.

The text has one player, no money and no clock. So bets are the table's minimum and the
donor's gift is taken, both in silence; what the house has to say beside the game, such
as that the shoe is stacked, is left out; and a hand whose time is up goes on as if the
player had stayed.
"""

from bj_client.card import Faces
from bj_client.narrator import Narrator
from bj_client.paper import PlainPaper
from bj_client.party import Party
from bj_client.source import Source
from bj_client.style.game import Game
from bj_client.style.style import Style
from bj_client.style.transcript import Transcript
from bj_client.visit import Session

_BABY = "cs1114-baby"


class Cs1114(Style):
    """The full game, and the one game of Baby Blackjack."""

    name = "cs1114"
    houses = ("cs1114", _BABY)
    alone = True
    inline = True

    def narrator(
        self, paper: PlainPaper, faces: Faces, pace: float, *, is_bot: bool
    ) -> Narrator:
        """Return who prints the transcript."""
        return Transcript(paper, faces, pace)

    def session(
        self, party: Party, narrator: Narrator, source: Source, rounds: int | None
    ) -> Session:
        """Return the game; that of the baby house ends after one."""
        if party.table.house.name == _BABY:
            rounds = 1
        return Game(party, narrator, source, rounds)
