"""Outputs: lines for people.

Every line passes ``printable`` here, so that the words of a server reach a terminal as
text alone. ``PlainOutput`` never writes an escape byte and never fails on a character
that the output's encoding does not have.
"""

import contextlib
import os
import sys
from enum import StrEnum
from typing import Protocol, TextIO

from bj_client.error import OutputClosedError
from bj_client.words.text import printable, rows
from bj_protocol.views import Outcome


class Tone(StrEnum):
    """The meaning of a line; an output with colours shows it, others do not."""

    PLAIN = "plain"
    TITLE = "title"
    MINE = "mine"
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    NOTICE = "notice"
    WARNING = "warning"
    ASKED = "asked"


TONES = {Outcome.WIN: Tone.WIN, Outcome.LOSE: Tone.LOSE, Outcome.PUSH: Tone.PUSH}
"""The tone of each result of a player's own."""


class Output(Protocol):
    """A sink for lines."""

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Write one line at once.

        Raises:
            OutputClosedError: if it can no longer be written.
        """

    def end_line(self) -> None:
        """End a line that was begun and not ended, where one can be left so."""
        return


class NoOutput(Output):
    """An output for players who play unseen."""

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Write nothing."""


class PlainOutput:
    """Lines of plain text, each flushed when it is written."""

    def __init__(self, stream: TextIO | None, *, is_exact: bool = False) -> None:
        """Write to ``stream``; None is an output that was closed from the start.

        A terminal has long lines in rows of whole words, unless ``is_exact``.
        """
        self._stream = stream
        self._is_exact = is_exact
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self._prompt = ""
        self.is_at_prompt = False
        """Whether the last line is that of a prompt, and is not ended yet."""

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Write one line, on a new line."""
        self.end_line()
        self.write(f"{self._laid(text)}\n")

    async def prompt(self, text: str) -> None:
        """Begin a line that the player ends by typing."""
        self.end_line()
        self._prompt = f"{self._laid(text)} "
        self.write(self._prompt)
        self.is_at_prompt = True

    def ask_again(self) -> None:
        """Begin the line of the open prompt anew, where something else was written."""
        if self.is_at_prompt:
            with contextlib.suppress(OutputClosedError):  # the next line tells that
                self.write(self._prompt)

    def end_line(self, text: str = "") -> None:
        """End the line of a prompt that was not typed on, with ``text``."""
        if self.is_at_prompt:
            self.is_at_prompt = False
            self.write(f"{printable(text)}\n")

    def _laid(self, text: str) -> str:
        if self._is_exact:
            return printable(text)
        return "\n".join(rows(text, self._stream))

    def write(self, text: str) -> None:
        """Write text that is known to be safe, or raise OutputClosedError."""
        stream = self._stream
        if stream is None:
            raise OutputClosedError("it is closed", quiet=True)
        safe = text.encode(self._encoding, "replace").decode(self._encoding, "replace")
        try:
            stream.write(safe)
            stream.flush()
        except (OSError, ValueError) as error:
            standard = sys.__stdout__
            if standard is not None and stream is standard:
                # So that the interpreter does not fail on it again when it ends.
                with contextlib.suppress(OSError, ValueError):
                    nowhere = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(nowhere, standard.fileno())
                    os.close(nowhere)
            raise OutputClosedError.by(error) from None
