"""Answers: what we have told the server to do, beside what it says that we did."""

import math
from dataclasses import dataclass

from bj_client.fair.finding import Finding, Note, short_number
from bj_protocol.commands import Answer, AnyAnswer, Command, Insure, Leave, PlaceBet
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Ask, Turn

NO_ASK = 0
"""In the place of the number of a question, where nothing was asked."""

_KEPT = 64
_PATIENCE = 5.0
"""Seconds by which a question or an answer may be late on an honest line."""
_FREE = frozenset(
    {
        RefusalCode.BANK_STALLED,
        RefusalCode.TOO_FAST,
        RefusalCode.PROMPT_OVER,
        RefusalCode.NOT_ASKED,
        RefusalCode.NOT_SEATED,
    }
)
"""Refusals that do not depend on the rules."""
_OVER = frozenset({RefusalCode.PROMPT_OVER, RefusalCode.NOT_ASKED})
"""Those by which the question was no longer open."""


@dataclass(slots=True)
class _Asked:
    """A question to us: when it was heard, and how long it was open then."""

    ask: Ask
    at: float
    seconds: float | None
    due: float | None
    """How long the table says that it is open; None where that is not certain."""


class Answers:
    """Our own answers, by their prompts."""

    def __init__(self) -> None:
        """Start with none."""
        self._asked: dict[int, _Asked] = {}
        self._sent: dict[int, list[tuple[AnyAnswer, float]]] = {}
        """The answers, and when they were sent."""
        self._used: set[int] = set()
        """The questions to which our answer was carried out."""
        self._refused: dict[int, float] = {}
        """When an answer came too late, by its question; never for another reason."""
        self._late = 0
        self._hurried = 0
        self.is_leaving = False
        """Whether we have said that we go, so that others decide for us."""
        self.is_sure = True
        """Whether nobody else can have answered for us, as while the line was lost."""

    def hear_turn(
        self, turn: Turn | None, seat: int | None, at: float, due: float | None = None
    ) -> None:
        """Note what we are asked, and for how long.

        ``due`` is how many seconds the table gives, where that is certain.
        """
        if turn is None:
            return
        for ask in turn.asks:
            if ask.seat == seat and ask.prompt not in self._asked:
                wait = turn.milliseconds
                seconds = None if wait is None else min(wait, 10**9) / 1000
                is_alone = len(turn.asks) == 1  # others may have used up some time
                self._asked[ask.prompt] = _Asked(
                    ask, at, seconds, due if is_alone else None
                )
        for old in list(self._asked)[:-_KEPT]:
            del self._asked[old]

    def forget(self) -> None:
        """Begin anew, since the server may count its questions anew."""
        self._asked.clear()
        self._sent.clear()
        self._used.clear()
        self._refused.clear()

    def send(self, command: Command, at: float) -> None:
        """Note what is sent."""
        self.is_leaving |= isinstance(command, Leave)
        if isinstance(command, Answer):
            self._sent.setdefault(command.prompt, []).append((command, at))
            for old in list(self._sent)[:-_KEPT]:
                del self._sent[old]
                self._refused.pop(old, None)
                self._used.discard(old)

    def refuse(self, refused: Refused, number: int, at: float) -> list[Finding]:
        """Note that an answer was not carried out; see that it was not legal."""
        if refused.prompt is None:
            return []
        is_over = refused.code in _OVER
        self._refused[refused.prompt] = at if is_over else math.inf
        asked = self._asked.get(refused.prompt)
        sent = self._sent.get(refused.prompt, [])
        if asked is None or len(sent) != 1 or refused.code in _FREE:
            return []
        answer, _ = sent[0]
        if not _is_legal(answer, asked.ask):
            return []
        what = "the server refuses what it has just offered"
        told = refused.code.value.replace("_", " ")
        due = _text(answer.type.value, *_wager(answer))
        return [_alone(number, what, told, due)]

    def check(
        self, number: int, prompt: int, action: str, amount: int = 0, spots: int = 1
    ) -> list[Finding]:
        """Compare what was told of the answer to ``prompt`` with what was sent."""
        sent = self._sent.get(prompt, [])
        done = _text(action, amount, spots)
        ours = [_text(answer.type.value, *_wager(answer)) for answer, _ in sent]
        if done in ours and prompt in self._used:
            what = "one answer of ours is carried out a second time"
            return [_alone(number, what, done, "another question")]
        if done in ours or not (sent or self.is_sure):
            self._used.add(prompt)
            return []
        if _may_be_default(action) and (not sent or prompt in self._refused):
            return []  # the time was up before our answer came
        what = "the server says that we have played otherwise than we did"
        due = " or ".join(ours) or "nothing: we had not answered"
        return [_alone(number, what, done, due)]

    def check_default(
        self, number: int, prompt: int, by: str, at: float
    ) -> list[Finding | Note]:
        """See that what was decided in our place was decided late enough.

        A slow line may cheat us as well, so the first time is a note.
        """
        asked = self._asked.get(prompt)
        if by == "rules" or (asked is None and prompt != NO_ASK):
            return []
        if asked is None:
            return [self._count_early(number, by, "without a question to us")]
        seconds = asked.seconds
        if by == "clock" and seconds is None:
            what = "the clock has decided for us, where there is none"
            return [_alone(number, what)]
        if by == "clock" and seconds is not None:
            is_early = at - asked.at < seconds - max(_PATIENCE, seconds / 2)
            answered = [when - asked.at for _, when in self._sent.get(prompt, [])]
            in_time = any(when < seconds - _PATIENCE for when in answered)
            # What comes too late is refused when the question is over, not before.
            refused = self._refused.get(prompt, -math.inf)
            if not is_early and (not in_time or at - refused < _PATIENCE):
                return self._count_hurried(number, asked)
        how = "before the time was up by our clock"
        return [self._count_early(number, by, how)]

    def _count_hurried(self, number: int, asked: _Asked) -> list[Finding | Note]:
        seconds, due = asked.seconds, asked.due
        if seconds is None or due is None or seconds >= due / 2:
            return []
        self._hurried += 1
        time = "" if self._hurried == 1 else f", the {self._hurried}. time"
        what = f"we had {seconds:.1f} of {due:.1f} seconds to decide{time}"
        return [Note(round=number, what=what)]

    def _count_early(self, number: int, by: str, how: str) -> Finding | Note:
        self._late += 1
        what = f"the {by} has decided for us {how}"
        if self._late == 1:
            return Note(round=number, what=what)
        return _alone(number, f"{what}, for the {self._late}. time")


def _alone(number: int, what: str, told: str = "", due: str = "") -> Finding:
    return Finding(round=number, what=what, told=told, due=due, is_alone=True)


def _is_legal(answer: AnyAnswer, ask: Ask) -> bool:
    """Whether an answer is one of those that were offered."""
    amount, spots = _wager(answer)
    if answer.type not in ask.actions:
        return False
    limits = ask.wager
    if limits is None or not isinstance(answer, PlaceBet | Insure):
        return True
    is_between = limits.minimum <= amount and amount * spots <= limits.maximum
    is_whole = amount % max(1, limits.step) == 0
    return is_between and is_whole and 1 <= spots <= ask.spots


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
