"""Answers: what we have told the server to do, beside what it says that we did."""

from bj_client.fair.due import short_number
from bj_client.fair.finding import Finding
from bj_protocol.commands import Answer, AnyAnswer, Command, Insure, PlaceBet

__all__ = ["Answers"]

_KEPT = 64


class Answers:
    """Our own answers, by their prompts."""

    def __init__(self) -> None:
        """Start with none."""
        self._sent: dict[int, list[AnyAnswer]] = {}
        self._refused: set[int] = set()
        self.is_sure = True
        """Whether nobody else can have answered for us, as while the line was lost."""

    def send(self, command: Command) -> None:
        """Note what is sent."""
        if isinstance(command, Answer):
            self._sent.setdefault(command.prompt, []).append(command)
            for old in list(self._sent)[:-_KEPT]:
                del self._sent[old]
                self._refused.discard(old)

    def refuse(self, prompt: int | None) -> None:
        """Note that an answer to ``prompt`` was not carried out."""
        if prompt is not None:
            self._refused.add(prompt)

    def check(
        self, number: int, prompt: int, action: str, amount: int = 0, spots: int = 1
    ) -> list[Finding]:
        """Compare what was told of the answer to ``prompt`` with what was sent."""
        sent = self._sent.get(prompt, [])
        done = _text(action, amount, spots)
        ours = [_text(answer.type.value, *_wager(answer)) for answer in sent]
        if done in ours or not (sent or self.is_sure):
            return []
        if _may_be_default(action) and (not sent or prompt in self._refused):
            return []  # the time was up before our answer came
        return [
            Finding(
                round=number,
                what="the server says that we have played otherwise than we did",
                told=done,
                due=" or ".join(ours) or "nothing: we had not answered",
            )
        ]


def _may_be_default(action: str) -> bool:
    """Whether the clock may take an action, and nothing tells who it was."""
    return action in ("ace_high", "ace_low")


def _wager(answer: AnyAnswer) -> tuple[int, int]:
    match answer:
        case PlaceBet(amount=amount, spots=spots):
            return amount, spots
        case Insure(amount=amount):
            return amount, 1
        case _:
            return 0, 1


def _text(action: str, amount: int, spots: int) -> str:
    wager = f" {short_number(amount)} cents" if amount else ""
    action = action.replace("_", " ")
    return f"{action}{wager}{f' on {short_number(spots)} spots' if spots > 1 else ''}"
