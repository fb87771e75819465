"""Answers: our own commands, compared with the server's record of them."""

import math
from dataclasses import dataclass, field

from bj_client.fair.finding import Note, Report, short_number
from bj_client.fair.ways_out import Ways
from bj_protocol.action import Action
from bj_protocol.commands import Answer, AnyAnswer, Command, Insure, Leave, PlaceBet
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Ask, PaceView, Turn

NO_ASK = 0
"""In the place of the number of a question, where nothing was asked."""

_KEPT = 512
"""Questions: more than a seat with several spots is asked in a round."""
_PATIENCE = 5.0
"""Seconds by which a question or an answer may be late on an honest line."""
_FREE = {
    RefusalCode.BANK_STALLED,
    RefusalCode.TOO_FAST,
    RefusalCode.PROMPT_OVER,
    RefusalCode.NOT_ASKED,
    RefusalCode.NOT_SEATED,
}
"""Refusals that do not depend on the rules."""
ABOUT_RECALLS = {
    RefusalCode.NOT_SO_MANY_ROUNDS,
    RefusalCode.RECALLING,
    RefusalCode.RECALL_FAILED,
}
_TOO_SOON = "before the time was up by our clock"
_OFFERS = {Action.INSURE, Action.EVEN_MONEY}
_ACES = {Action.ACE_HIGH, Action.ACE_LOW}
_OVER = {RefusalCode.PROMPT_OVER, RefusalCode.NOT_ASKED}
"""Those by which the question was no longer open."""


@dataclass(slots=True, eq=False)
class _Question:
    """A question to us, and our answers."""

    ask: Ask | None = None
    """None where we have answered what we were not asked."""
    at: float = 0.0
    """When it was heard."""
    seconds: float | None = None
    """How long it was open then; None where there is no clock."""
    due: float | None = None
    """How long the table says that it is open; None where that is not certain."""
    sent: list[AnyAnswer] = field(default_factory=list)
    """Our answers, also those that we gave before we were asked."""
    waits: list[float] = field(default_factory=list)
    """How long we took for those that we gave since."""
    sent_at: float = math.inf
    """When the first one was sent."""
    is_used: bool = False
    """Whether our answer was carried out."""
    is_matched: bool = False
    """Whether it may have been, as we have not heard."""
    refused_at: float | None = None
    """When an answer came too late; never if it was refused for another reason."""
    is_of_run: bool = True
    """Whether it was asked or answered since the server was started."""

    def may_be_unheard(self, at: float) -> bool:
        """Whether our answer may be the one of which we heard ``at`` a time."""
        return self.sent_at <= at and not self.is_used and not self.is_matched

    def is_early(self, at: float) -> bool:
        """Whether it was too soon ``at`` a time for the clock to decide."""
        if self.seconds is None:
            return True
        return at - self.at < self.seconds - max(_PATIENCE, self.seconds / 2)

    def may_be_answered(self, action: str) -> bool:
        """Whether an action may be the answer that is still to come."""
        is_heard = self.ask is not None and action in self.ask.actions
        return is_heard and not self.is_used

    @property
    def texts(self) -> list[str]:
        """Our answers in words, but those to what cannot have been asked here."""
        actions = None if self.ask is None else self.ask.actions
        return [
            _text(answer.type.value, *_wager(answer))
            for answer in self.sent
            if actions is None or answer.type in actions
        ]


class Answers:
    """Our own answers, by their prompts."""

    def __init__(self, report: Report, ways: Ways) -> None:
        self._report, self._ways = report, ways
        self._questions: dict[int, _Question] = {}
        self._asked: set[int] = set()
        """The questions to anyone that were open when they were told last."""
        self._seconds = 0.0, 0.0
        """How long the table gives at the least, and for a play."""
        self.is_leaving = False
        """Whether we have said that we go, so that others decide for us."""
        self.is_sure = True
        """Whether nobody else can have answered for us, as while the line was lost."""

    def hear_turn(
        self, turn: Turn | None, seat: int | None, at: float, due: float | None = None
    ) -> None:
        """Note the questions to us, and for how long they are open.

        ``due`` is how many seconds the table gives, where that is certain.
        """
        if turn is None:
            return
        wait, asked = turn.milliseconds, {ask.prompt for ask in turn.asks}
        is_fresh, self._asked = self._asked.isdisjoint(asked), asked
        for ask in turn.asks:
            if ask.seat != seat:
                continue
            is_of_run = self._known(ask.prompt).is_of_run
            question = self._question(ask.prompt)
            if question.ask is not None:
                if is_of_run and question.ask.actions == ask.actions:
                    continue
                # After a restart the number may be that of another question, or of one
                # whose answer the power took with it.
                question = _Question(sent=question.sent)
                self._questions[ask.prompt] = question
            question.ask, question.at, question.is_used = ask, at, False
            question.seconds = None if wait is None else min(wait, 10**9) / 1000
            if is_fresh:  # else others may have used up some time
                question.due = due

    def hear_pace(self, pace: PaceView) -> None:
        """Note how long the table gives; tell where that is less than before."""
        had, play = self._seconds, _given(pace.turn_seconds)
        self._seconds = min(_given(pace.insurance_seconds), play), play
        pairs = zip(had, self._seconds, strict=True)
        before, now = next((each for each in pairs if each[1] < each[0]), (0.0, 0.0))
        if now < before:
            gave = "had no clock" if math.isinf(before) else f"gave {before:g}"
            what = f"the table gives {now:g} seconds to decide, and {gave}"
            self._report.add(Note(round=self._report.round, what=what))

    def due(self, turn: Turn | None) -> float:
        """Return how long the table gives for the questions of a turn, at the least.

        The time for offers says something of that for plays only if it is half as long.
        """
        least, play = self._seconds
        asks = () if turn is None else turn.asks
        is_play = any(_OFFERS.isdisjoint(ask.actions) for ask in asks)
        return play if is_play and least < play / 2 else least

    def _question(self, prompt: int) -> _Question:
        if prompt not in self._questions:
            for old in list(self._questions)[: 1 - _KEPT]:
                del self._questions[old]
        question = self._questions.setdefault(prompt, _Question())
        question.is_of_run = True
        return question

    def _known(self, prompt: int) -> _Question:
        return self._questions.get(prompt, _Question())

    def is_guess(self, prompt: int) -> bool:
        """Whether a number is of no question that we have heard, and may come yet."""
        return self._known(prompt).ask is None

    def is_offered(self, answer: AnyAnswer) -> bool:
        """Whether an answer is one of those that its question offers."""
        ask = self._known(answer.prompt).ask
        return ask is not None and _is_legal(answer, ask)

    def _use_guess(self, done: str) -> bool:
        """Whether it is an answer that was sent before its question, and was not used.

        One is asked and answered within an update where its number was guessed.
        """
        for guess in self._questions.values():
            if guess.ask is None and done in guess.texts and not guess.is_used:
                guess.is_used = True
                return True
        return False

    def turn_to_run(self) -> None:
        """Note that the server was started: it may count its questions anew."""
        for question in self._questions.values():
            question.is_of_run = False

    def forget(self) -> None:
        """Forget what was before the server was started, since it has gone back."""
        of_run = {p: each for p, each in self._questions.items() if each.is_of_run}
        self._questions = of_run
        for question in of_run.values():
            question.is_used = False

    def send(self, command: Command, at: float) -> None:
        """Note a command that is sent."""
        self.is_leaving |= isinstance(command, Leave)
        if isinstance(command, Answer):
            question = self._question(command.prompt)
            question.sent.append(command)
            question.sent_at = min(at, question.sent_at)
            if question.ask is not None:
                question.waits.append(at - question.at)

    def refuse(self, refused: Refused, at: float) -> None:
        """Note that an answer was not carried out; see that it was not legal."""
        if refused.prompt is None:
            return
        question = self._known(refused.prompt)
        question.refused_at = at if refused.code in _OVER else math.inf
        is_free = refused.code in _FREE or len(question.sent) != 1
        if question.ask is None or is_free:
            return
        [answer] = question.sent
        if _is_legal(answer, question.ask):
            told = refused.code.value.replace("_", " ")
            due = _text(answer.type.value, *_wager(answer))
            self._report.find("the server refuses an answer that it offers", told, due)

    def check(
        self,
        number: int,
        prompt: int,
        action: str,
        amount: int = 0,
        spots: int = 1,
        at: float = math.inf,
    ) -> None:
        """Compare the answer to ``prompt`` that is told ``at`` a time with ours."""
        question = self._known(prompt)
        sent = question.sent
        done = _text(action, amount, spots)
        ours = question.texts
        if done in ours and not question.is_used:
            question.is_used = True
        elif not question.may_be_answered(action) and self._use_guess(done):
            pass  # another one was asked and answered in the same update
        elif done in ours:
            what = "one answer of ours is carried out a second time"
            self._report.find(what, done, "another question", number=number)
        elif not (sent or self.is_sure):
            question.is_used = True
        elif action in _ACES and (
            not question.waits or question.refused_at is not None
        ):
            self._check_aces(number, question, action, at)
        else:
            what = "the server says that we have played otherwise than we did"
            due = " or ".join(ours) or "nothing: we had not answered"
            self._report.find(what, done, due, number=number)

    def _check_aces(
        self, number: int, question: _Question, action: str, at: float
    ) -> None:
        """See that the clock may have valued our aces: nothing else tells of it."""
        if question.ask is not None and action != question.ask.actions[0]:
            what = "the clock has valued our aces as the rules never do"
            self._report.find(what, action, question.ask.actions[0], number=number)
        elif question.ask is not None and question.is_early(at):
            self._count_early(number, "clock", _TOO_SOON)

    def check_default(self, number: int, prompt: int, by: str, at: float) -> None:
        """See that a decision in our place was made late enough.

        A slow line may cheat us as well, so the first time is a note.
        """
        question = self._known(prompt)
        if by == "rules" or (question.ask is None and prompt != NO_ASK):
            return
        question.is_used = True
        if question.ask is None:
            self._count_early(number, by, "without a question to us")
            return
        seconds = question.seconds
        if by == "clock" and seconds is None:
            what = "a clock has decided for us at a table without one"
            self._report.find(what, number=number)
            return
        if by == "clock" and seconds is not None:
            is_early = question.is_early(at)
            early = [wait for wait in question.waits if wait < seconds - _PATIENCE]
            # A late answer is refused when the question is over, not before.
            refused = -math.inf if question.refused_at is None else question.refused_at
            if not is_early and (not early or at - refused < _PATIENCE):
                if early and any(
                    _is_legal(each, question.ask) for each in question.sent
                ):
                    self._report.add(self._ways.pass_over(number, seconds - early[0]))
                elif question.due is not None and seconds < question.due / 2:
                    self._report.add(self._ways.hurry(number, seconds, question.due))
                return
        self._count_early(number, by, _TOO_SOON)

    def check_unheard(
        self, number: int, at: float, by: str, action: str, amount: int, spots: int = 1
    ) -> None:
        """Count an answer of which we heard ``at`` a time, unless it is one of ours.

        Its question was not heard, so it may be any that was not carried out by then.
        """
        if by == "player" and self._is_unheard(_text(action, amount, spots), at):
            return
        if by == "player" and action not in _ACES:  # else nothing tells of the clock
            text = _text(action, amount, spots)
            self._report.add(self._ways.play_for(number, text))
        elif by != "rules":
            self._report.add(*self._ways.decide_away(number))

    def _is_unheard(self, text: str, at: float) -> bool:
        """Whether it is an answer of ours of which we may not have heard."""
        for question in self._questions.values():
            if text in question.texts and question.may_be_unheard(at):
                question.is_matched = True
                return True
        return False

    def _count_early(self, number: int, by: str, how: str) -> None:
        what = f"the {by} has decided for us {how}"
        self._report.add(self._ways.decide_early(number, what))


def _given(seconds: float | None) -> float:
    """Return the seconds that a table gives; without end if it tells no number."""
    return math.inf if seconds is None or math.isnan(seconds) else seconds


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
