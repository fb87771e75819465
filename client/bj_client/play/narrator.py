"""The narrator: tells the events of the table on an output, at a readable pace."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Self

from bj_client.bot.hint import hint, values, verdict, verdicts
from bj_client.fair.finding import Finding
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.play.output import TONES, NoOutput, Output, Tone
from bj_client.question.question import Question
from bj_client.words.board import board, farewell, rules, score, summary, turn, welcome
from bj_client.words.past_round import past_round, past_title
from bj_client.words.sentence import tell
from bj_client.words.text import quoted
from bj_protocol import events
from bj_protocol.messages import Recalled, Snapshot, Update
from bj_protocol.recall import PastRound
from bj_protocol.views import Ask

_IN_A_HURRY = 8
"""Messages that may wait before the pace is given up to catch up with them."""
_HELP = (
    (
        "A bet may also be all in, again for the last one, or twice for double that; "
        "an insurance may be half, which is half of the stake."
    ),
    (
        "Also: t shows the table, r the house's rules, score how you have fared, and "
        "hint what basic strategy would do; q leaves the table."
    ),
    (
        "/say TEXT speaks to the table, /mute HANDLE tells no more of what that player "
        "says, and /unmute HANDLE tells it again; /history shows your last rounds, and "
        "/history 5 the last five."
    ),
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long an event is looked at before the next is told."""

    seconds: float = 0.0
    behind: Callable[[], int] = lambda: 0
    """Returns the number of messages that wait to be told."""

    @property
    def is_kept(self) -> bool:
        """Whether there is time for it just now."""
        return bool(self.seconds) and self.behind() < _IN_A_HURRY


AT_ONCE = Pace()


@dataclass(eq=False)
class Narrator:
    """Tells one table's story to one output."""

    output: Output
    faces: Faces
    pace: Pace = AT_ONCE
    checked: Callable[[], Iterable[Finding | str]] = field(default=tuple, kw_only=True)
    """Returns the findings of the check of the server since the last call."""
    is_past: bool = field(default=False, kw_only=True)
    """Whether the story is that of a record, where nobody is asked."""
    muted: set[str] = field(default_factory=set, init=False)
    is_over: bool = field(default=False, init=False)
    """Whether the story has come to an end, at which bots leave."""

    @classmethod
    def silent(cls) -> Self:
        """Return a narrator for players who play unseen."""
        return cls(NoOutput(), Faces(symbols=False))

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        """Tell players who sit down about the table."""
        lines = welcome(table, is_past=self.is_past)
        await self._lines(lines[: len(table.ours)], Tone.TITLE)
        await self._lines(lines[len(table.ours) :])
        await self._lines(notices, Tone.NOTICE)
        await self.board(table)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        """Fold in a fresh picture, and show it."""
        table.apply(snapshot)
        await self.output.line("Some news was missed; this is the table now.")
        await self._lines(map(quoted, snapshot.notices), Tone.NOTICE)
        await self.board(table)
        await self.check()

    async def update(self, table: Table, update: Update) -> None:
        """Fold in an update event by event, telling each."""
        for event in update.events:
            self._foresee(event, table)
            table.fold(event)
            await self.event(event, table)
            if self.pace.is_kept:
                await self._rest()
        table.finish(update)
        await self.check()

    def _foresee(self, event: events.Event, table: Table) -> None:
        """Look at an event before it is folded in."""

    async def _rest(self) -> None:
        """Wait after an event, as long as the pace says."""
        await asyncio.sleep(self.pace.seconds)

    async def event(self, event: events.Event, table: Table) -> None:
        """Tell an event that was folded in just now."""
        if isinstance(event, events.Said) and event.handle in self.muted:
            return
        text = tell(event, table, self.faces)
        if text:
            await self.output.line(text, _tone(event, table))

    async def check(self) -> None:
        """Tell the findings about the server, and the proven rounds."""
        for news in self.checked():
            if isinstance(news, Finding):
                await self.output.line(f"THE SERVER IS WRONG. {news}", Tone.WARNING)
            else:
                await self.output.line(news, Tone.NOTICE)

    async def turn(self, ask: Ask, table: Table) -> None:
        """Show all that is needed to decide about a hand."""
        await self._lines(turn(ask, table, self.faces), Tone.MINE)

    async def board(self, table: Table) -> None:
        """Show the whole table."""
        await self._lines(board(table, self.faces))

    async def rules(self, table: Table) -> None:
        """Show the rules of the house."""
        await self._lines(rules(table))

    async def recalled(self, handle: str, recalled: Recalled) -> None:
        """Show a player's last rounds, the newest last."""
        end = ", the newest last:" if len(recalled.rounds) > 1 else ":"
        title = past_title(handle, recalled)
        await self.output.line(f"{title}{end if recalled.rounds else ''}", Tone.TITLE)
        for past in recalled.rounds:
            await self._lines(past_round(past, self.faces))

    async def played_on(self, handle: str, past: PastRound) -> None:
        """Tell players of the rounds that were played for them while they were away."""
        await self.notice(f"Round {past.round} ended while {handle} was away.")
        for line in past_round(past, self.faces):
            await self.notice(line)

    async def help(self, question: Question | None) -> None:
        """Explain the lines that can be typed now."""
        if question is not None:
            choices = question.choices
            await self.output.line(f"{choices[:1].upper()}{choices[1:]}.")
        for sentence in _HELP:
            await self.output.line(sentence)

    async def hint(self, question: Question | None, table: Table) -> None:
        """Say what basic strategy would do, and the worth of each play.

        Where no play is asked, say what the last one has cost.
        """
        ask = None if question is None else question.ask
        if ask is not None and (sentence := hint(ask, table)):
            await self.notice(sentence)
            if worths := values(ask, table):
                await self.notice(f"In stakes: {worths}.")
            return
        for sentence in verdicts(table):
            await self.notice(sentence)

    async def judge(self, ask: Ask, table: Table) -> None:
        """Say what a play has cost that was not the best one."""
        last = table.ours[ask.seat].record.judged.get(ask.prompt)
        if last is not None and last.cost:
            await self.notice(verdict(last, table))

    async def notice(self, sentence: str) -> None:
        """Say something that is meant for the players here alone."""
        await self.output.line(sentence, Tone.NOTICE)

    async def score(self, table: Table) -> None:
        """Tell how the players here have fared so far."""
        lines = [f"{own.handle}: {score(own, table)}." for own in table.ours.values()]
        await self._lines([*lines, *summary(table)])

    async def summary(self, table: Table) -> None:
        """Tell people, before the farewell, how they have played."""
        await self._lines(summary(table))

    async def farewell(self, table: Table) -> None:
        """Close the visit."""
        await self._lines(farewell(table), Tone.TITLE)

    async def _lines(self, lines: Iterable[str], tone: Tone = Tone.PLAIN) -> None:
        for line in lines:
            await self.output.line(line, tone)


class QuietNarrator(Narrator):
    """Tells only faults, sentences to the player, and the end."""

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        """Tell the notices."""
        await self._lines(notices, Tone.NOTICE)

    async def event(self, event: events.Event, table: Table) -> None:
        """Tell nothing."""

    async def board(self, table: Table) -> None:
        """Show nothing."""


def _tone(event: events.Event, table: Table) -> Tone:
    if getattr(event, "seat", None) not in table.ours:
        return Tone.PLAIN
    if isinstance(event, events.HandSettled | events.InsuranceSettled):
        return TONES[event.outcome]
    return Tone.MINE
