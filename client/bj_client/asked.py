"""What the server asks: the base of the questions that answer an ``Ask``."""

from dataclasses import dataclass

from bj_client.money import short, span
from bj_client.question import Question
from bj_protocol.model import MAX_WAGER
from bj_protocol.views import Ask, WagerRange

_ANY_WAGER = WagerRange(minimum=1, maximum=MAX_WAGER, step=1)


@dataclass(frozen=True)
class Asked(Question):
    """A question of the server, with the words for its wagers."""

    asked: Ask

    @property
    def ask(self) -> Ask:
        """The server's ask."""
        return self.asked

    @property
    def wager(self) -> WagerRange:
        """What may be wagered; anything where the ask does not say."""
        return self.asked.wager or _ANY_WAGER

    @property
    def span(self) -> str:
        """The range of the wager, such as ``$1 to $500``."""
        return span(self.wager)

    @property
    def amounts(self) -> str:
        """What may be typed for a wager, as a part of a sentence."""
        step = self.wager.step
        if self.wager.minimum == self.wager.maximum:
            return self.span
        if step == 1:
            return f"an amount from {self.span}"
        if step == 100:
            return f"whole dollars from {self.span}"
        return f"an amount from {self.span} in steps of {short(step)}"
