"""The style ``iipp6``: title, hands, messages and score of ``specs/iipp6.txt``.

The text has one player and no money. So bets are the table's minimum and the donor's
gift is taken, both in silence. Its buttons Deal, Hit and Stand are typed here.
"""

from bj_client.card import Faces
from bj_client.narrator import Narrator
from bj_client.paper import PlainPaper
from bj_client.party import Party
from bj_client.source import Source
from bj_client.style.iipp6.canvas import Canvas
from bj_client.style.iipp6.session import DealSession
from bj_client.style.style import Style
from bj_client.visit import Session


class Iipp6(Style):
    """One player, who is dealt to at once, and anew whenever Deal is typed."""

    name = "iipp6"
    houses = ("iipp6",)
    alone = True
    inline = True

    def narrator(
        self, paper: PlainPaper, faces: Faces, pace: float, *, is_bot: bool
    ) -> Narrator:
        """Return who shows the hands."""
        return Canvas(paper, faces, pace)

    def session(
        self, party: Party, narrator: Narrator, source: Source, rounds: int | None
    ) -> Session:
        """Return the game."""
        return DealSession(party, narrator, source, rounds)
