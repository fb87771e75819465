"""The road between a server and PostgreSQL: it is slow, lossy, cut, or leads nowhere.

What passes is carried by the agenda and not by the server, so that it arrives though
the server that has sent it is gone.
"""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from simulation.agenda import Agenda

if TYPE_CHECKING:
    from simulation.fleet.backend import Line

_LAGS = (0.0002, 0.0002, 0.002, 0.03)


class Road:
    """The road of one server."""

    def __init__(self, agenda: Agenda, chance: random.Random) -> None:
        self.agenda, self.chance = agenda, chance
        self._lag = self._usual = chance.choice(_LAGS)
        self.lines: list[Line] = []
        self.is_closed = False
        """Whether no new line is let through."""
        self._is_dead = False
        """Whether nothing passes, and nobody is told so."""
        self._left: int | None = None
        """How many messages pass before the one that ``_fate`` befalls."""
        self._fate, self._is_choosy = "snap", False

    def delay(self) -> float:
        return self._lag * (0.5 + self.chance.random())

    # What happens to it.

    def cut(self) -> None:
        """Break all lines; both ends hear of it, sooner or later."""
        for line in [*self.lines]:
            line.break_down("the line is cut")

    def close(self, seconds: float) -> None:
        """Break all lines, and let no new one through for a while."""
        self.is_closed = True
        self.cut()
        self.agenda.after(seconds, self.mend)

    def go_dead(self, seconds: float) -> None:
        self._is_dead = True
        self.agenda.after(seconds, self.mend)

    def slow_down(self, seconds: float, lag: float) -> None:
        self._lag = lag
        self.agenda.after(seconds, self.mend)

    def disturb(self, left: int, fate: str, *, is_choosy: bool) -> None:
        """Have something befall one of the next messages, perhaps of those on money."""
        self._left, self._fate, self._is_choosy = left, fate, is_choosy

    def mend(self) -> None:
        self.is_closed = self._is_dead = False
        self._lag, self._left = self._usual, None

    # What passes.

    def carry(self, line: "Line", act: Callable[[], None]) -> None:
        """Have a message arrive, after all before it, unless something befalls it."""
        if self._is_dead:
            return
        held = 0.0
        if self._left is not None and (line.moves_money or not self._is_choosy):
            self._left -= 1
            if self._left < 0:
                self._left = None
                match self._fate:
                    case "snap":  # the message may have got through
                        line.break_down("the line is cut at a message")
                        if self.chance.random() < 0.5:
                            return
                    case "double":
                        line.is_garbled = True
                    case _:
                        held = 8 * self.chance.random()
        line.last_at = max(line.last_at, self.agenda.now + self.delay() + held)
        self.agenda.at(line.last_at, act)
