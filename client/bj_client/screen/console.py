"""The console: keys and clicks become commands, where they count.

A key answers the question that was on view when it was pressed and no other. While
that question is too new, or the connection is lost, it answers nothing. Only answers
that the filters of the buttons show as legal are sent.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from bj_client.bot.hint import hint, values, verdicts
from bj_client.model.decision import DECISIONS
from bj_client.play.input import TOGETHER_SECONDS, Chosen
from bj_client.play.output import Tone
from bj_client.question.question import (
    Kind,
    Question,
    Reading,
    SlashCommand,
    Word,
    read_slash,
)
from bj_client.screen.control import (
    CHIPS,
    PRESETS,
    Control,
    answers,
    can_change,
    can_say,
    can_type_amount,
    chips,
    manual,
    services,
)
from bj_client.screen.scene import Page, Scene
from bj_client.words.board import rules
from bj_client.words.money import ANY_WAGER, WagerError, largest, plain, read_wager
from bj_protocol.action import Action
from bj_protocol.chat import MAX_CHAT
from bj_protocol.commands import Insure, Recall
from bj_protocol.recall import MOST_RECALLED

_LONGEST_AMOUNT = 14
_DIGITS = frozenset("0123456789.")
_ROWS = {"up": -1, "down": 1, "pageup": -5, "pagedown": 5}
"""How many rows further down a key looks."""
_KEYS = {Word.HELP: "?", Word.RULES: "r", Word.TABLES: "t", Word.LEAVE: "q"}
"""The keys that do here what a word does in lines."""


@dataclass(eq=False)
class Console:
    """The keys and clicks of the player."""

    scene: Scene
    emit: Callable[[Chosen | SlashCommand], None]
    hurry: Callable[[], None]
    """Shows at once the events that are being told."""
    _typed_digit: bool = field(default=False, init=False)
    """Whether the last key was a digit of an amount."""
    _is_amount_whole: bool = field(default=False, init=False)
    """Whether an Enter came too early for the amount that is typed."""
    _begun: tuple[int | None, float] = field(default=(None, -inf), init=False)
    """The prompt that an amount was begun for, and when its last digit came."""

    def press(self, key: str) -> None:
        """Take a key: a character, or a name such as ``enter`` or ``escape``."""
        is_text = self._is_writing
        meant = "*" if self._is_times(key) else self.scene.keymap.meant(key)
        if self.scene.is_small:
            if meant == "q" and not is_text:
                self._leave(meant)
            else:
                self.scene.is_leaving = False
            return
        if is_text or (meant not in _DIGITS and meant != "*"):
            self._begun = (None, -inf)
            self._take(key if is_text else meant)
        elif not self._is_torn():
            self._take(meant)
        self._typed_digit = key.isdigit()

    def _take(self, key: str) -> None:
        scene = self.scene
        if self._is_writing:
            self._write(key)
        elif key == "q" or (key == "t" and can_change(scene)):
            self._leave(key)
        elif scene.page is not None:
            self._turn_page(key)
        elif key == "escape":
            scene.is_leaving, scene.typed = False, ""
        elif scene.is_cut_off():
            pass
        elif key in {"pageup", "pagedown"}:
            scene.log.scroll(-_ROWS[key])
        elif key == " ":
            self.hurry()
        elif not self._serve(key):
            self._answer(key)

    def _is_torn(self) -> bool:
        """Say whether a digit is of an amount that was begun before this question.

        What comes of it now is not the amount that is meant.
        """
        scene, now = self.scene, self.scene.now()
        asked = scene.ask.prompt if scene.ask and can_type_amount(scene) else None
        begun, last = self._begun
        self._begun = (begun if now - last < TOGETHER_SECONDS else asked, now)
        return self._begun[0] != asked

    @property
    def _is_writing(self) -> bool:
        """Whether keys are letters; a chat is kept while the connection is lost."""
        return self.scene.chat is not None and not self.scene.is_cut_off()

    def _is_times(self, key: str) -> bool:
        """Say whether a key is the x of a bet on several spots, and no chip."""
        is_behind = self._typed_digit or self.scene.typed.endswith("x")
        return key in {"x", "X"} and is_behind and self.scene.spots > 1

    def click(self, key: str) -> None:
        """Take a click on the button of a key, which is never text for others."""
        self._typed_digit = False
        if self.scene.chat is None:
            self._take(key)
        elif key == "q":
            self._leave(key)

    def paste(self, text: str) -> None:
        """Take a pasted text, which only counts where one writes."""
        if self.scene.chat is not None and not self.scene.is_small:
            self._write_text(" ".join(text.split()))

    def open(self) -> None:
        """Answer a question that was opened just now by the choice made ahead."""
        scene = self.scene
        question, preset = scene.question, scene.preset
        if question is None or question.ask is None or preset is None:
            return
        if preset in scene.asked:
            scene.preset = None
            self._send(DECISIONS[preset].command(prompt=question.ask.prompt))
        elif scene.kind in {Kind.PLAY, Kind.BET}:
            scene.preset = None
            scene.log.add("Your choice ahead is not possible now.")

    def _serve(self, key: str) -> bool:
        scene = self.scene
        wanted = ":" if key == "/" else key
        control = next((c for c in services(scene) if c.key == wanted), None)
        if control is None or not control.can(scene):
            return control is not None
        match key:
            case "r":
                title, *lines = rules(scene.table)
                scene.page = Page(title, tuple(lines), key="r")
            case "m":
                self.emit(Recall(rounds=MOST_RECALLED))
            case "?":
                scene.page = manual(scene)
            case "%":
                self._hint()
            case _:
                self._begin_chat(key)
        return True

    def _hint(self) -> None:
        """Show what each play is worth, or say what the last one has cost."""
        scene = self.scene
        if scene.ask is not None and (said := hint(scene.ask, scene.table)):
            if values(scene.ask, scene.table):
                is_shown = scene.hinted == scene.ask.prompt
                scene.hinted = None if is_shown else scene.ask.prompt
            else:
                scene.log.add(said, Tone.NOTICE)
            return
        for said in verdicts(scene.table):
            scene.log.add(said, Tone.NOTICE)

    def _begin_chat(self, key: str) -> None:
        """Begin to write a chat, or behind a slash a word of ours."""
        scene = self.scene
        scene.chat = "/" if key == "/" else ""
        scene.page, scene.is_leaving = None, False

    def _leave(self, key: str) -> None:
        scene = self.scene
        scene.leaves_by = key
        if not scene.is_leaving and scene.has_money_in_play and not scene.is_cut_off():
            scene.is_leaving = True
        else:
            self.emit(Word.TABLES if key == "t" else Word.LEAVE)

    def _answer(self, key: str) -> None:
        """Answer the open question, if a key does that now."""
        scene = self.scene
        question = scene.question
        if question is None:
            preset = PRESETS.get(key)
            if preset is not None and scene.may_preset:
                scene.preset = None if scene.preset is preset else preset
            return
        if can_type_amount(scene) and self._amount(key):
            return
        control = self._control(key)
        if control is None:
            self._is_amount_whole |= key == "enter"
            return
        action, ask = control.action, question.ask
        if ask is None:
            self._send(Word.GO_ON)
        elif action is None:
            self._chip(control.key)
        elif action is Action.PLACE_BET:
            scene.bets[scene.seat_asked] = scene.typed
            self._send(question.amount(scene.typed))
        elif action is Action.INSURE:
            self._insure(question)
        else:
            self._send(DECISIONS[action].command(prompt=ask.prompt))

    def _control(self, key: str) -> Control | None:
        """Return the control of a key, if it counts now."""
        scene = self.scene
        controls = answers(scene)
        if key in {"y", "enter"} and scene.kind is Kind.AGAIN:
            return next((each for each in controls if each.can(scene)), None)
        controls += chips(scene)
        return next((c for c in controls if c.key == key and c.can(scene)), None)

    def _amount(self, key: str) -> bool:
        """Take a key of an amount; tell whether it is one."""
        scene = self.scene
        sends = scene.keys_count and scene.kind is not Kind.BET and bool(scene.typed)
        if key != "enter" and self._is_amount_whole:
            self._is_amount_whole = False
            scene.typed = "" if key in _DIGITS else scene.typed
        if key == "backspace":
            scene.typed = scene.typed[:-1]
        elif key == "*" and scene.kind is Kind.BET and scene.typed:
            scene.typed += "" if "x" in scene.typed else "x"
        elif key in _DIGITS:
            scene.typed = (scene.typed + key)[:_LONGEST_AMOUNT]
        elif key == "enter" and scene.question is not None and sends:
            self._send(scene.question.amount(scene.typed))
        else:
            return False
        return True

    def _chip(self, key: str) -> None:
        scene = self.scene
        text, times, spots = scene.typed.partition("x")
        cents, most = _cents(text), largest(scene.wager)
        match key:
            case "a":
                cents = most
            case "b":
                text, times, spots = scene.bets[scene.seat_asked].partition("x")
                cents = _cents(text)
            case "w":
                cents *= 2
            case _:
                cents += CHIPS[key]
        scene.typed = f"{plain(min(cents, most))}{times}{spots}"

    def _insure(self, question: Question) -> None:
        """Propose half of the stake, or insure for what is typed."""
        if self.scene.typed:
            self._send(question.amount(self.scene.typed))
        elif isinstance(half := question.amount("half"), Insure):
            self.scene.typed = plain(half.amount)

    def _send(self, reading: Reading) -> None:
        scene = self.scene
        question, scene.question = scene.question, None
        scene.typed = ""
        scene.is_leaving = False
        if question is not None:
            self.emit(Chosen(reading, question))

    def _turn_page(self, key: str) -> None:
        page = self.scene.page
        if page is not None and key in _ROWS:
            page.scroll(_ROWS[key])
        elif page is not None and key in {" ", "escape", page.key}:
            self.scene.page = None
        elif key in {":", "/"} and can_say(self.scene):
            self._begin_chat(key)

    def _write(self, key: str) -> None:
        scene = self.scene
        said = scene.chat or ""
        if key == "escape":
            scene.chat = None
        elif key == "backspace":
            scene.chat = said[:-1]
        elif key == "enter":
            scene.chat = None
            if said.strip():
                self._say(said.strip())
        elif len(key) == 1:
            self._write_text(key)

    def _say(self, said: str) -> None:
        """Speak to the table, or carry out a slash command."""
        aside = read_slash(said if said.startswith("/") else f"/say {said}")
        key = _KEYS.get(aside) if isinstance(aside, Word) else None
        if key is not None and (key != "t" or can_change(self.scene)):
            self._take(key)
        elif aside is not None:
            self.emit(aside)

    def _write_text(self, text: str) -> None:
        scene = self.scene
        scene.chat = ((scene.chat or "") + text)[:MAX_CHAT]


def _cents(text: str) -> int:
    try:
        return read_wager(text, ANY_WAGER)
    except WagerError:
        return 0
