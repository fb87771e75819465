"""A style: prints a visit in the words of a published text."""

from abc import ABC, abstractmethod
from typing import ClassVar

from bj_client.error import WrongHouseError
from bj_client.model.card import Faces
from bj_client.model.table import Table
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Input
from bj_client.play.narrator import Narrator, Pace
from bj_client.play.output import PlainPaper
from bj_client.play.visit import Session


class Style(ABC):
    """Plain output in the form of one text, and how people play with it."""

    name: ClassVar[str]
    houses: ClassVar[tuple[str, ...]]
    """The houses that it can show."""
    alone: ClassVar[bool] = False
    """Whether it is for one person, and neither for several nor for bots."""
    inline: ClassVar[bool] = False
    """Whether answers stand on the prompt's line, from a pipe too."""

    def check(self, table: Table) -> None:
        """Accept a table of one of the houses.

        Raises:
            WrongHouseError: for any other.
        """
        if table.house.name not in self.houses:
            raise WrongHouseError(self.name, self.houses, table.house.name)

    @abstractmethod
    def narrator(
        self, paper: PlainPaper, faces: Faces, pace: Pace, *, is_bot: bool
    ) -> Narrator:
        """Return the narrator, for people or for a bot."""

    @abstractmethod
    def session(
        self, hotseat: Hotseat, narrator: Narrator, source: Input, rounds: int | None
    ) -> Session:
        """Return how people play, by lines of ``source``."""
