"""Styles: output as a published text prints it, for the house of that text.

Each is the ``STYLE`` of the module with its name.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bj_client.error import WrongHouseError
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Input
from bj_client.play.narrator import Narrator, Pace
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Session

MakeNarrator = Callable[[PlainOutput, Faces, Pace], Narrator]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Plain output in the form of one text, and how people play with it."""

    name: str
    houses: tuple[str, ...]
    narrator: MakeNarrator
    bot_narrator: MakeNarrator | None = None
    """Tells of a bot; None for a style that is for people alone."""
    session: Callable[[Hotseat, Narrator, Input, int | None], Session]
    alone: bool = False
    """Whether it is for one person, and neither for several nor for bots.

    Answers then stand on the prompt's line, from a pipe too.
    """

    def check(self, table: Table) -> None:
        """Accept a table of one of the houses.

        Raises:
            WrongHouseError: for any other.
        """
        if table.house.name not in self.houses:
            raise WrongHouseError(self.name, self.houses, table.house.name)
