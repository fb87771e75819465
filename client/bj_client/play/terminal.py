"""The interactive terminal: prompts with a running clock, and colours.

Everything here goes through prompt_toolkit as pairs of style and plain text, never as
markup, so that the words of a server are shown to the letter. One prompt is open all
the time; its question changes under the cursor, and lines are printed above it.
"""

import asyncio
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, cast

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app_or_none, run_in_terminal
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import Style

from bj_client.error import OutputClosedError
from bj_client.play.input import TOGETHER_SECONDS, EndOfInputError, Line
from bj_client.play.output import Output as Lines
from bj_client.play.output import Tone
from bj_client.play.vt100 import attend
from bj_client.question.question import Question
from bj_client.stop import StopError, suspend
from bj_client.system import IS_UNIX
from bj_client.words.text import in_rows, printable

_DEPTHS = {
    "none": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,  # the terminal's own, in which its theme is honoured
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.DEPTH_24_BIT,
}


def depth_of(colours: str | None, environment: Mapping[str, str]) -> ColorDepth | None:
    """Return the depth that is wished for, or that the terminal says it has.

    None is for going by the terminal's name.
    """
    if colours is not None:
        return _DEPTHS[colours]
    is_true = environment.get("COLORTERM", "") in {"truecolor", "24bit"}
    return ColorDepth.from_env() or (ColorDepth.TRUE_COLOR if is_true else None)


_STYLE = Style.from_dict(
    {
        "title": "bold",
        "mine": "bold",
        "win": "ansigreen bold",
        "lose": "ansired",
        "push": "ansiyellow",
        "notice": "ansicyan",
        "warning": "ansired bold reverse",
        "asked": "",
        "red": "ansibrightred",
        "bottom-toolbar": "noreverse",
        "bottom-toolbar.text": "reverse",
    }
)
_red_card = re.compile(r"(\b(?:10|[2-9AKQJ])(?:[♥♦]|[HD]\b))")
_REFRESH_SECONDS = 0.5


def fragments(text: str, tone: Tone) -> StyleAndTextTuples:
    """Return a line as pairs of style and text, with red suits in red."""
    base = "" if tone is Tone.PLAIN else f"class:{tone}"
    styles = base, f"{base} class:red"
    parts = enumerate(_red_card.split(text))  # every second one is a red card
    return [(styles[number % 2], part) for number, part in parts if part]


_IDLE_KEYS = ("c-@", "c-q", "c-r", "c-s", "c-o")
"""Keys of an editor which begin a selection, a search or a literal key.

Ctrl-D would not leave from there. A Ctrl-D that was typed before there was a prompt
comes as the first of them. Some of the others stop and start terminals. The last would
be another Enter.
"""


_BEGIN_PICTURE, _END_PICTURE = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronized output (DEC private mode 2026); terminals that lack it pass over it."""


class _Output(Vt100_Output):
    """The terminal, never asked where its cursor is.

    The answer would come as typed keys, after the program ended in the worst case;
    with two rows said to be left, the status line stands right below the prompt. What
    is drawn at once is shown at once, by terminals that know synchronized output.
    """

    @property
    def responds_to_cpr(self) -> bool:
        return False

    def get_rows_below_cursor_position(self) -> int:
        return min(2, self.get_size().rows)

    def flush(self) -> None:
        if self._buffer:
            self._buffer = [_BEGIN_PICTURE, *self._buffer, _END_PICTURE]
        super().flush()


def _open_output(colours: str | None) -> Output:
    depth = depth_of(colours, os.environ)
    if IS_UNIX:
        return _Output.from_pty(
            sys.stdout, term=os.environ.get("TERM"), default_color_depth=depth
        )
    output: Any = get_app_session().output  # of the console, which knows its colours
    output.default_color_depth = depth
    return cast("Output", output)


class TerminalOutput(Lines):
    """Lines above the prompt."""

    def __init__(self, colours: str | None = None) -> None:
        """Write to standard output, which must be a terminal."""
        self.terminal = _open_output(colours)
        self._asides = set[asyncio.Future[None]]()

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Write one line above the prompt."""
        parts: StyleAndTextTuples = []
        for row in in_rows(text, self.terminal.get_size().columns):
            parts += [*fragments(row, tone), ("", "\n")]
        try:
            await run_in_terminal(lambda: self._print(parts))
        except OSError as error:
            raise OutputClosedError(os.strerror(error.errno or 0), quiet=True) from None

    def aside(self, write: Callable[[], None]) -> None:
        """Have ``write`` write lines elsewhere that may be this terminal, too."""
        app = get_app_or_none()
        if app is None or not app.is_running:
            write()
        else:
            writing = asyncio.ensure_future(run_in_terminal(write))
            self._asides.add(writing)
            writing.add_done_callback(self._asides.discard)

    def _print(self, parts: StyleAndTextTuples) -> None:
        depth = self.terminal.get_default_color_depth()
        print_formatted_text(self.terminal, parts, _STYLE, color_depth=depth)


class TerminalInput:
    """A prompt that stays open through all questions until it is closed.

    It runs in a task of its own: were it open only while a line is waited for, the
    terminal would echo keys that are typed in between.
    """

    is_live = True

    def __init__(
        self,
        output: TerminalOutput,
        status: Callable[[int], str],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prompt below ``output``, with ``status`` in the bottom line.

        It is asked for as much as so many columns hold. ``now`` returns seconds.
        """
        self._output = output
        self._status = status
        self._now = now
        self._question: Question | None = None
        self._is_torn = False
        """Whether a key may belong to text that went with another question."""
        self._last_key = -inf
        self._lines: asyncio.Queue[Line | Exception] = asyncio.Queue()
        self._typing: asyncio.Task[None] | None = None
        self._session: PromptSession[str] = PromptSession(
            message=self._message,
            output=output.terminal,
            style=_STYLE,
            history=DummyHistory(),
            bottom_toolbar=self._toolbar,
            refresh_interval=_REFRESH_SECONDS,
            reserve_space_for_menu=0,
            erase_when_done=True,
            key_bindings=self._bindings(),
            interrupt_exception=StopError,
            eof_exception=EndOfInputError,
        )
        self._session.app.key_processor.before_key_press += lambda _: self._hear_key()
        attend(self._session.app, for_lines=True)

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        """Open a question under the cursor; text that was typed to another goes.

        So does what belongs to it and comes just behind.
        """
        if self._question is not None and question is not self._question:
            self._is_torn = self._is_torn or bool(self._session.default_buffer.text)
            self._session.default_buffer.reset()
        self._question = question
        self._session.app.invalidate()

    async def read(self) -> Line:
        """Return the next line."""
        if self._typing is None:
            self._typing = asyncio.create_task(self._prompt())
        line = await self._lines.get()
        if isinstance(line, Exception):
            self._lines.put_nowait(line)
            raise line
        return line

    async def close(self) -> None:
        """Close the prompt and give the terminal back as it was."""
        if self._typing is not None:
            self._typing.cancel()
            await asyncio.gather(self._typing, return_exceptions=True)

    async def echo(self, text: str) -> None:
        """Show a line that was typed before its question was open."""
        prompt = "" if self._question is None else f"{self._question.prompt} "
        await self._output.line(f"{prompt}{text}", Tone.ASKED)

    def _bindings(self) -> KeyBindings:
        """Return the keys that do otherwise than in an editor: most do nothing."""
        keys, is_torn = KeyBindings(), Condition(lambda: self._is_torn)
        for key in _IDLE_KEYS:
            keys.add(key)(lambda _: None)
        keys.add("escape", eager=True)(lambda _: None)  # the next key is no Alt
        keys.add("c-z")(lambda _: suspend())
        for key in ("<any>", "enter"):
            keys.add(key, filter=is_torn)(lambda _: None)
        return keys

    def _hear_key(self) -> None:
        now = self._now()
        self._is_torn = self._is_torn and now - self._last_key < TOGETHER_SECONDS
        self._last_key = now

    async def _prompt(self) -> None:
        try:
            while True:
                text = await self._session.prompt_async(
                    set_exception_handler=False, handle_sigint=False
                )
                question, self._question = self._question, None
                if question is not None:
                    await self._output.line(f"{question.prompt} {text}", Tone.ASKED)
                self._lines.put_nowait(Line(text, question))
        except (EndOfInputError, StopError, OutputClosedError) as end:
            self._lines.put_nowait(end)
        except (OSError, EOFError):
            self._lines.put_nowait(EndOfInputError())

    def _message(self) -> StyleAndTextTuples:
        if self._question is None:
            return []
        width = self._output.terminal.get_size().columns
        asked = "\n".join(in_rows(self._question.prompt, width))
        return [("class:mine", asked), ("", " ")]

    def _toolbar(self) -> StyleAndTextTuples:
        room = self._output.terminal.get_size().columns - 2
        return [("", f" {printable(self._status(room))} ")]
