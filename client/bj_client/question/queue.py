"""The queue: the next question of all that are open.

Pure: it neither prints nor sends. One question is open at a time. The players are asked
in the order in which they were named; the next one is asked once the table has shown
the effect of the last answer.
"""

from dataclasses import dataclass, field

from bj_client.model.table import Table
from bj_client.question.asked import question_for
from bj_client.question.question import Question, addressed, play_again
from bj_protocol.views import Turn


@dataclass(eq=False)
class QuestionQueue:
    """The open asks of the players at one keyboard, and the question of now."""

    table: Table
    question: Question | None = field(default=None, init=False)
    """The open one."""
    _again: Question | None = field(default=None, init=False)
    _answered: set[int] = field(default_factory=set, init=False)

    def open(self) -> bool:
        """Open the question that is to be asked now; tell whether it is a new one."""
        question = self._wanted()
        is_new = question is not self.question
        self.question = question
        return is_new

    def ask_again(self) -> None:
        """Ask whether to play on before anything else; the first player answers."""
        self._again = play_again(self._name(next(iter(self.table.ours))))

    def play_on(self) -> None:
        """Take it that the players stay."""
        self._again = self.question = None

    def answer(self, prompt: int) -> None:
        """Take the open question for answered."""
        self._answered.add(prompt)
        self.question = None

    def reopen(self, prompt: int) -> None:
        """Ask the question again that was answered in vain."""
        self._answered.discard(prompt)

    def expire(self, turn: Turn | None) -> list[str]:
        """Close the question if the next ``turn`` asks it no longer.

        Returns:
            The handles of the players who had not answered in time.
        """
        open_still = {ask.prompt for ask in turn.asks} if turn else set()
        asks = self.table.our_asks
        waiting = [ask for ask in asks if ask.prompt not in self._answered]
        missed = [ask for ask in waiting if ask.prompt not in open_still]
        self._answered &= open_still
        if missed and len(missed) == len(waiting):
            self._again = None
        question = self.question
        if question is not None:
            ask, is_again = question.ask, question is self._again
            if ask in missed or (ask is None and not is_again):
                self.question = None
        return [self.table.seat(ask.seat).handle for ask in missed]

    def _wanted(self) -> Question | None:
        if self._again is not None:
            return self._again
        asks = self.table.our_asks
        if not asks or any(ask.prompt in self._answered for ask in asks):
            return None
        if self.question is not None and self.question.ask == asks[0]:
            return self.question
        question = question_for(asks[0], self.table)
        who = self._name(asks[0].seat)
        return addressed(who, question) if who else question

    def _name(self, seat: int) -> str:
        """Return the handle that a question has to name: "" for a player alone."""
        ours = self.table.ours
        return ours[seat].handle if len(ours) > 1 else ""
