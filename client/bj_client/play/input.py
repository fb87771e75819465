"""Inputs: typed lines from a terminal or a pipe, or the meanings of keys.

An input is told which question is open and gives one action at a time, each answer with
the question that was open when it was given. No line is ever lost: one that comes too
early waits. ``PipedInput`` reads any standard input that is not a full terminal. It
gives a pipe's lines only while a question is open, so that a script may be written
ahead; a person's lines it gives at once, so that ``q`` works while others play.
"""

import asyncio
import contextlib
import threading
from collections import deque
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Protocol

from bj_client.play.output import PlainOutput
from bj_client.question.question import Question, Reading, SlashCommand
from bj_client.system import start_thread

TOGETHER_SECONDS = 0.5
"""The most time between two keys of one amount or line."""
_CHUNK = 65536
_LONGEST_LINE = 65536


class EndOfInputError(Exception):
    """Nothing more will be typed."""


class LineReader:
    """The lines of a file descriptor, as bytes without their ends.

    A thread reads one chunk each time it is wanted, and hands it to the loop.
    """

    def __init__(
        self, descriptor: int | None, longest: int, *, drops_rest: bool = False
    ) -> None:
        """Read ``descriptor``; None is an input that was closed from the start.

        A line is cut after ``longest`` bytes. With ``drops_rest`` a last line that has
        no end is none.
        """
        self.lines = deque[bytes]()
        self.has_ended = descriptor is None
        self.stirred = asyncio.Event()
        """Set whenever there is news."""
        self._longest = longest
        self._drops_rest = drops_rest
        self._rest = b""
        self._loop = asyncio.get_running_loop()
        self._wanted = threading.Event()
        self._descriptor = descriptor
        self._thread: threading.Thread | None = None

    async def read(self) -> bytes:
        """Return the next line.

        Raises:
            EndOfInputError: when nothing more will come.
        """
        while not self.lines:
            if self.has_ended:
                raise EndOfInputError
            self.stirred.clear()
            self.want()
            await self.stirred.wait()
        return self.lines.popleft()

    def want(self) -> None:
        """Read on, if that is not being done already."""
        if self._descriptor is None or self.has_ended:
            return
        if self._thread is None:
            self._thread = start_thread(partial(self._run, self._descriptor))
        self._wanted.set()

    def _run(self, descriptor: int) -> None:
        data = b"more"
        while data:
            self._wanted.wait()
            self._wanted.clear()
            try:
                # A file by itself: a console of Windows gives UTF-8 to that alone.
                with open(descriptor, "rb", 0, closefd=False) as file:
                    data = file.read(_CHUNK) or b""
            except OSError:
                data = b""
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._feed, data)

    def _feed(self, data: bytes) -> None:
        *whole, rest = (self._rest + data).split(b"\n")
        if not data:
            self.has_ended = True
            whole, rest = [rest] if rest and not self._drops_rest else [], b""
        self.lines.extend(line[: self._longest] for line in whole)
        self._rest = rest[: self._longest]
        self.stirred.set()


@dataclass(frozen=True, slots=True)
class Line:
    """A typed line and the question that it answers, None for none."""

    text: str
    question: Question | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to a question by a key of the screen."""

    reading: Reading
    question: Question


Given = Line | Chosen | SlashCommand
"""An action of a player; only a line has to be read."""


class Input(Protocol):
    """A source of actions: typed lines, or keys with a meaning."""

    is_live: bool
    """Whether a person types now, as opposed to a script written ahead."""

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        """Open a question, or close the open one with None.

        A question that is open already is shown once more if ``again``.
        """

    async def read(self) -> Given:
        """Return the next action of the player.

        Raises:
            EndOfInputError: when nothing more will come.
            StopError: on Ctrl-C.
        """

    async def echo(self, text: str) -> None:
        """Show a line that was typed before its question was open."""

    async def close(self) -> None:
        """Let go of the terminal; nothing is read from here on."""


class LineInput(Input, Protocol):
    """A source of typed lines."""

    async def read(self) -> Line:
        """Return the next line."""


@dataclass(eq=False)
class PipedInput:
    """Lines of a file descriptor, for people and for scripts."""

    descriptor: int | None
    """None is an input that was closed from the start."""
    output: PlainOutput
    _: KW_ONLY
    is_live: bool
    inline: bool
    """Whether a person types on the prompt's own line."""
    echoes: bool = False
    """Whether the lines that are read are written there, since no terminal does."""
    stays: bool = False
    """Whether the end of the input ends nothing: a watcher has none."""
    _question: Question | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Read when it is wanted."""
        drops = self.is_live and not self.stays
        self._reader = LineReader(self.descriptor, _LONGEST_LINE, drops_rest=drops)

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        """Open a question, or close the open one with None."""
        fresh = question is not self._question
        interrupted = self.inline and not self.output.is_at_prompt
        self._question = question
        if question is None:
            return
        if fresh or again or interrupted:
            if self.inline:
                await self.output.prompt(question.prompt)
            else:
                await self.output.line(question.prompt)
        self._reader.stirred.set()

    async def read(self) -> Line:
        """Return the next line."""
        reader = self._reader
        while True:
            reader.stirred.clear()
            if self.is_live or self._question is not None:
                if reader.lines:
                    text = reader.lines.popleft().decode("utf-8", "replace")
                    text = text.removesuffix("\r")
                    if self.echoes:
                        self.output.end_line(text)
                    self.output.is_at_prompt = False  # the line was ended by typing
                    return Line(text, self._question)
                if reader.has_ended and not self.stays:
                    raise EndOfInputError
                reader.want()
            await reader.stirred.wait()

    async def echo(self, text: str) -> None:
        """Show a line that was typed before its question was open."""
        self.output.end_line(text)

    async def close(self) -> None:
        """Do nothing: a reading thread ends with the program."""
