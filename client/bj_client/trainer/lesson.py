"""Lessons: what is asked, what a key does, and what is said of it, without a terminal.

A lesson is a small machine: ``sight`` is all that there is to see, and ``press`` takes
a key. A screen draws it, and plain lines print it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from bj_client.bot.drill import PACK_TEXTS, Drill, Hand, Index, running
from bj_client.model.decision import DECISIONS, offered
from bj_client.model.seat import Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """All that a lesson shows."""

    title: str
    dealer: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    """What is said of the last answer."""
    is_right: bool | None = None
    """Whether that was right; None before one."""
    asked: str = ""
    score: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    """The keys that count now, and the words on their buttons."""


@dataclass(eq=False)
class PlayLesson:
    """Hands of one kind, and those that were got wrong before."""

    drill: Drill
    kind: str
    wrong: set[str]
    """The kinds of hands that went wrong, and were not got right since."""
    judged: list[Judged] = field(default_factory=list)
    _hand: Hand = field(init=False)
    _said: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._hand = self.drill.deal(self.kind, self.wrong)

    def press(self, key: str) -> None:
        """Judge a play, and deal the next hand."""
        hand = self._hand
        action = next((a for a in hand.worths if DECISIONS[a].key == key), None)
        if action is None:
            return
        judged = hand.judge(action)
        self.judged.append(judged)
        (self.wrong.add if judged.cost else self.wrong.discard)(hand.kind)
        right = f"Right: {judged.play} with {hand.kind}."
        cost = f"${judged.cost / 100:.2f}"
        wrong = (
            f"With {hand.kind} it is best to {judged.best}; to {judged.play} costs "
            f"{cost} of $10."
        )
        self._said = (wrong if judged.cost else right, f"In stakes: {hand.told()}.")
        self._hand = self.drill.deal(self.kind, self.wrong)

    @property
    def sight(self) -> Sight:
        """The hand, and what is said of the one before."""
        hand, done, house = self._hand, len(self.judged), self.drill.house
        hole = () if house.hole_card == "none" else ("??",)
        right = sum(not each.cost for each in self.judged)
        lost = sum(each.cost for each in self.judged)
        return Sight(
            title=f"{house.name}: {TITLES[self.kind]}",
            dealer=() if hand.upcard is None else (hand.upcard, *hole),
            cards=hand.cards,
            said=self._said,
            is_right=not self.judged[-1].cost if done else None,
            asked="What do you do?",
            score=f"{right} of {done} right, mistakes cost ${lost / 100:.2f}",
            keys=tuple((row.key, row.label) for row in offered(hand.worths)),
        )


TITLES = {
    "all": "all hands",
    "hard": "hard hands",
    "soft": "soft hands",
    "pairs": "pairs",
    "doubles": "soft doubles",
    "16": "16 against ten",
    "deck": "count down a deck",
    "shoe": "count a shoe",
    "index": "indices",
}
"""The kinds of lessons, and their names for people."""


@dataclass(eq=False)
class NumberLesson(ABC):
    """Questions about the count, whose answers are numbers."""

    chance: Random
    answers: list[bool] = field(default_factory=list, init=False)
    """Whether each was right."""
    _typed: str = field(default="", init=False)
    _said: tuple[str, ...] = field(default=(), init=False)
    _longest: ClassVar = 4

    def press(self, key: str) -> None:
        """Take a digit of the answer, or judge it."""
        if key == "backspace":
            self._typed = self._typed[:-1]
        elif len(key) == 1 and key in ("0123456789" if self._typed else "-0123456789"):
            self._typed = (self._typed + key)[: self._longest]
        elif key == "enter" and self._typed.lstrip("-").isdigit():
            answer, self._typed = int(self._typed), ""
            self._judge(answer)

    @property
    @abstractmethod
    def sight(self) -> Sight:
        """All that there is to see now."""

    @abstractmethod
    def _judge(self, answer: int) -> None:
        """Judge an answer, and ask on."""

    def _sight(
        self, title: str, asked: str, cards: Sequence[str] = (), enter: str = "Answer"
    ) -> Sight:
        """Return a question, with the score and what is said of the last answer."""
        return Sight(
            title=title,
            cards=tuple(cards),
            said=self._said,
            is_right=self.answers[-1] if self.answers else None,
            asked=asked,
            score=f"{sum(self.answers)} of {len(self.answers)} right",
            keys=(("enter", enter),),
        )


@dataclass(eq=False)
class CountLesson(NumberLesson):
    """Cards that come and go, and at the end the count of them.

    A deck goes by in threes, but for one card; the running count tells what that is. Of
    a shoe about two thirds go by; the true count is asked, too.
    """

    decks: int
    """1 for a deck whose last card is guessed."""
    _cards: list[str] = field(init=False)
    _end: int = field(init=False)
    _from: int = field(init=False)
    _at: int = field(init=False)
    _true: bool = field(init=False)
    """Whether the true count is asked."""

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._cards = [card for card in PACK_TEXTS for _ in range(self.decks)]
        self.chance.shuffle(self._cards)
        whole = len(self._cards)
        least, most = whole * 6 // 10, whole * 8 // 10
        self._end = whole - 1 if self.decks == 1 else self.chance.randint(least, most)
        self._from = self._at = 0
        self._true = False

    def press(self, key: str) -> None:
        """Show the next cards, or take a digit of the answer."""
        if self._at >= self._end:
            super().press(key)
        elif key in ("enter", " "):
            step = 3 if self.decks == 1 else self.chance.randint(4, 7)
            self._from, self._at = self._at, min(self._end, self._at + step)

    def _judge(self, answer: int) -> None:
        count, left = running(self._cards[: self._end]), len(self._cards) - self._end
        expected = round(52 * count / left) if self._true else count
        self.answers.append(answer == expected)
        name = "true" if self._true else "running"
        verdict = "Right" if answer == expected else f"Not {answer}"
        self._said = (f"{verdict}: the {name} count is {expected:+}.",)
        if self.decks == 1:
            last = self._cards[-1]
            self._said += (f"The last card is the {last[0]} of its deck.",)
        if self.decks > 1 and not self._true:
            self._true = True
        else:
            self._begin()

    @property
    def sight(self) -> Sight:
        """The cards that go by, or the question."""
        title = f"Hi-Lo: {TITLES['deck' if self.decks == 1 else 'shoe']}"
        if self._at < self._end:
            asked = f"{len(self._cards) - self._at} cards are left; Enter goes on."
            shown = self._cards[self._from : self._at]
            return self._sight(title, asked, shown, enter="Next")
        left = (len(self._cards) - self._end) / 52
        asked = "Running count?"
        if self._true:
            asked = f"True count, to the nearest whole, with {left:.1f} decks left?"
        return self._sight(title, f"{asked} {self._typed}_")


@dataclass(eq=False)
class IndexLesson(NumberLesson):
    """Plays that the count changes: from which true count on?"""

    house: str
    indices: list[Index]
    _asked: Index = field(init=False)
    _longest = 3

    def __post_init__(self) -> None:
        self._asked = self.chance.choice(self.indices)

    def _judge(self, answer: int) -> None:
        asked = self._asked
        is_right = answer == asked.true
        self.answers.append(is_right)
        verdict = "Right" if is_right else f"Not {answer:+}"
        word = DECISIONS[asked.play].word
        self._said = (f"{verdict}: {word} with {asked.kind} from {asked.true:+} on.",)
        self._asked = self.chance.choice(self.indices)

    @property
    def sight(self) -> Sight:
        """The question, and what is said of the last answer."""
        word, kind = DECISIONS[self._asked.play].word, self._asked.kind
        asked = f"{word.capitalize()} with {kind} from which true count on?"
        return self._sight(
            f"{self.house}: {TITLES['index']}", f"{asked} {self._typed}_"
        )


Lesson = PlayLesson | NumberLesson
"""A drill of one kind."""
