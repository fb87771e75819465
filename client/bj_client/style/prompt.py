"""The two prompts of ``specs/cs1114.txt``, whose answers are read to the letter."""

from dataclasses import dataclass

from bj_client.question import Question, Reading, Word
from bj_protocol.commands import Hit, Stand
from bj_protocol.views import Ask


class _Exact(Question):
    """A question whose answers are letters and nothing else, not even with blanks."""

    def read(self, text: str) -> Reading:
        """Read a line to the letter; only what ends it on other systems is dropped."""
        return self.answer(text.removesuffix("\r"))


@dataclass(frozen=True)
class HitOrStay(_Exact):
    """How the hand is played."""

    asked: Ask

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return "Hit (h) or Stay (s)?"

    @property
    def choices(self) -> str:
        """What may be typed."""
        return "type h to hit or s to stay"

    @property
    def ask(self) -> Ask:
        """The server's ask."""
        return self.asked

    def answer(self, text: str) -> Reading:
        """Read a letter."""
        match text:
            case "h":
                return Hit(prompt=self.asked.prompt)
            case "s":
                return Stand(prompt=self.asked.prompt)
            case _:
                return self.no_choice(text)


@dataclass(frozen=True, eq=False)
class AnotherGame(_Exact):
    """Whether there is another game; asked by the client itself."""

    @property
    def prompt(self) -> str:
        """The line that asks."""
        return "Play again (Y/N)?"

    @property
    def choices(self) -> str:
        """What may be typed."""
        return "type Y for another game or N to leave"

    def answer(self, text: str) -> Reading:
        """Read a capital letter."""
        match text:
            case "Y":
                return Word.GO_ON
            case "N":
                return Word.LEAVE
            case _:
                return self.no_choice(text)
