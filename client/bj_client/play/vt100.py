"""The bytes of a terminal: keys, clicks and pastes, and sequences without a meaning.

``KeyParser`` reads by ECMA-48, where prompt_toolkit's own parser plays the characters
of each sequence that it does not know. A sequence that begins with ESC, or with its
8-bit form, and is no key is swallowed whole, with all that came in one burst behind it:
nobody types as fast as a terminal answers. Each state waits for bytes only as long as
there is no silence; Ctrl-C and Ctrl-D count in all of them.

A paste is text, and never keys. Its text is handed on as it comes, up to a bound.
"""

import re
import time
import unicodedata
from collections.abc import Callable
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from bj_client.system import IS_UNIX

ESCAPE_SECONDS = 0.05
"""The silence behind an ESC that makes it the key, and that ends a burst."""
SILENCE_SECONDS = 0.5
"""The silence that ends a sequence that was begun and not ended."""
LONGEST_PASTE = 1000

_ESC, _BEL, _CANCELS = "\x1b", "\x07", "\x18\x1a"
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_LONGEST_SEQUENCE = 64
_ALWAYS = {"\x03": Keys.ControlC, "\x04": Keys.ControlD}
_C1 = {
    chr(base + code): chr(code - 0x40)
    for code in range(0x80, 0xA0)
    for base in (0, 0xDC00)  # the latter for a byte that is no UTF-8
}
"""The characters behind ESC in the 7-bit form of each 8-bit control."""


def _by_words(letter: str, arrow: str) -> tuple[str, ...]:
    """Return the sequences that terminals send for Alt with a letter or an arrow."""
    arrows = (f"[1;3{arrow}", f"[1;9{arrow}", f"\x1b[{arrow}", f"\x1bO{arrow}")
    return tuple(f"\x1b{each}" for each in (letter, *arrows))


_KEYS: dict[str, Keys | str] = {
    sequence: key
    for sequence, key in ANSI_SEQUENCES.items()
    if isinstance(key, Keys) and sequence != "\x9b"
} | {
    "\x1bOM": Keys.ControlM,
    "\x1bOI": Keys.ControlI,
    # Words in a typed line; prompt_toolkit has each as ESC and another key.
    **dict.fromkeys(_by_words("b", "D"), Keys.ControlLeft),
    **dict.fromkeys(_by_words("f", "C"), Keys.ControlRight),
    **dict.fromkeys(("\x1bd", "\x1b[3;3~", "\x1b\x1b[3~"), Keys.ControlDelete),
    **dict.fromkeys(("\x1b\x7f", "\x1b\x08"), Keys.ControlW),
    # The keypad: the characters on its keys, by their bytes behind SS3.
    **{
        f"\x1bO{code}": printed
        for code, printed in zip(
            "pqrstuvwxyjklmnoX ", "0123456789*+,-./= ", strict=True
        )
    },
}
_mouse = re.compile(r"\x1b\[<?\d{1,5};\d{1,5};\d{1,5}[mM]")


_STRINGS = "P]X^_"
_INTRODUCERS = f"[O{_STRINGS}"
"""The characters behind ESC that begin a CSI, an SS3 or a string."""
_COUNTED = {"\x1b[M": 3, "\x1b[[": 1}
"""The old report of the mouse, and F1 to F5 of a Linux console."""


class KeyParser(Vt100Parser):
    """Turns the bytes of a terminal into keys."""

    def __init__(
        self,
        emit: Callable[[KeyPress], None],
        *,
        for_lines: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Hand keys to ``emit``.

        With ``for_lines`` a key plays nothing before Enter, so text may come in one
        burst with an arrow before it; elsewhere it is no key either.
        """
        self.for_lines = for_lines
        self._now = now
        super().__init__(emit)

    def reset(self, request: bool = False) -> None:
        """Wait for nothing."""
        self._state: Callable[[str], None] = self._type
        """Takes the next character; each state is a method."""
        self._sequence = ""
        """The part of a sequence, or of the end of a paste, that has come."""
        self._missing = 0
        self._pasted, self._room = "", 0
        self._fed = self._now()
        self._is_cut = False
        """Whether a character of UTF-8 lacks its end: its bytes are no controls."""
        self._is_behind = False
        """Whether a known sequence came before this in the same read."""
        self._is_swallowing = False
        """Whether an unknown sequence came before this in one burst."""

    def feed(self, data: str) -> None:
        """Take the bytes of one read."""
        now = self._now()
        if now - self._fed > SILENCE_SECONDS:
            self._finish()
        self._fed = now
        self._is_behind = False
        before, end, _ = data.partition(_PASTE_ENDS)
        if end and self._state == self._type and _PASTE_BEGINS not in before:
            self._begin_paste()  # which a silence has ended too early
        for mark in data:
            is_tail = self._is_cut and "\udc80" <= mark <= "\udcbf"
            self._is_cut = is_tail or "\udcc2" <= mark <= "\udcf4"
            if not is_tail or self._state == self._count:
                self._take(mark)

    def flush(self) -> None:
        """Note that nothing has come for ``ESCAPE_SECONDS``."""
        if self._state == self._introduce:
            self._state = self._follow
            self._emit(Keys.Escape, _ESC)
        self._hand_over()
        self._is_swallowing = False

    def _finish(self) -> None:
        """End a sequence that was begun; nothing of it is played."""
        self._hand_over()
        self._state = self._type
        self._is_cut = self._is_swallowing = False

    def _take(self, mark: str) -> None:
        if mark in _ALWAYS:
            self._finish()
            self._emit(_ALWAYS[mark], mark)
            return
        if mark in _C1 and self._state != self._count:
            self._state(_ESC)
            mark = _C1[mark]
        self._state(mark)

    def _type(self, mark: str) -> None:
        if mark == _ESC:
            self._begin()
        elif mark in _KEYS:
            self._emit(_KEYS[mark], mark)
        elif unicodedata.category(mark) not in {"Cc", "Cs"}:
            self._is_swallowing |= self._is_behind
            self._emit(mark, mark)

    def _begin(self) -> None:
        self._state, self._sequence = self._introduce, _ESC

    def _introduce(self, mark: str) -> None:
        if mark == _ESC:  # as Alt sends before the sequence of a key
            self._state, self._sequence = self._introduce, _ESC * 2
            return
        self._sequence += mark
        if mark in _INTRODUCERS:
            self._state = self._skip if mark in _STRINGS else self._go_on
        else:
            self._end()

    def _follow(self, mark: str) -> None:
        """Take a character after the key Esc was answered.

        On a slow line a sequence may still follow.
        """
        if mark in _INTRODUCERS:
            self._introduce(mark)
        else:
            self._state = self._type
            self._type(mark)

    def _go_on(self, mark: str) -> None:
        """Take a character of a sequence that a final byte ends."""
        if mark == _ESC or mark in _CANCELS:
            self._swallow()
            if mark == _ESC:
                self._begin()
            return
        self._sequence += mark[: _LONGEST_SEQUENCE - len(self._sequence)]
        is_csi = self._sequence.lstrip(_ESC).startswith("[")
        is_inside = " " <= mark <= "?" if is_csi else mark in "0123456789;"
        if not is_inside and unicodedata.category(mark) != "Cc":
            self._missing = _COUNTED.get(self._sequence, 0)
            self._state = self._count
            if not self._missing:
                self._end()

    def _skip(self, mark: str) -> None:
        """Take a character of a string."""
        if mark == _BEL or mark in _CANCELS:
            self._swallow()
        elif mark == _ESC:
            self._state = self._end_string

    def _end_string(self, mark: str) -> None:
        """Take the character after ESC in a string: a backslash, or a new sequence."""
        self._swallow()
        self._begin()
        self._introduce(mark)

    def _count(self, mark: str) -> None:
        """Take one of a known number of characters."""
        if mark < " ":
            self._swallow()
            self._take(mark)
            return
        self._sequence += mark
        self._missing -= 1
        if not self._missing:
            if self._sequence.startswith("\x1b[M"):
                code, x, y = (ord(each) % 0xDC00 for each in self._sequence[3:])
                self._sequence = f"\x1b[{code};{x - 32};{y - 32}M"
            self._end()

    def _end(self) -> None:
        """Hand over the key that a whole sequence is."""
        sequence, self._state = self._sequence, self._type
        if sequence == _PASTE_BEGINS:
            self._begin_paste()
        elif _mouse.fullmatch(sequence):
            self._emit(Keys.Vt100MouseEvent, sequence)
        elif sequence in _KEYS:
            key = _KEYS[sequence]
            self._emit(key, sequence if isinstance(key, Keys) else key)
            self._is_behind = not self.for_lines
        else:
            self._swallow()

    def _swallow(self) -> None:
        self._state, self._is_swallowing = self._type, True

    def _begin_paste(self) -> None:
        self._state, self._sequence = self._paste, ""
        self._pasted, self._room = "", LONGEST_PASTE

    def _paste(self, mark: str) -> None:
        if not _PASTE_ENDS.startswith(self._sequence + mark):
            held, self._sequence = self._sequence, ""
            for each in held:
                self._write(each)
            if mark != _ESC:
                self._write(mark)
                return
        self._sequence += mark
        if self._sequence == _PASTE_ENDS:
            self._hand_over()
            self._state = self._type
            self._is_behind = not self.for_lines

    def _write(self, mark: str) -> None:
        """Add to the paste; an end of a line, as any control, becomes a blank."""
        category = unicodedata.category(mark)
        if self._room and category != "Cs":
            self._pasted += " " if category == "Cc" else mark
            self._room -= 1

    def _hand_over(self) -> None:
        if self._pasted:
            self._emit(Keys.BracketedPaste, self._pasted)
        self._pasted = ""

    def _emit(self, key: Keys | str, data: str) -> None:
        if not self._is_swallowing:
            self.feed_key_callback(KeyPress(key, data))


def attend(app: Application[Any], *, for_lines: bool = False) -> None:
    """Have an application read its terminal by a ``KeyParser``.

    A console of Windows hands over keys, and no bytes.
    """
    app.ttimeoutlen = ESCAPE_SECONDS
    if not IS_UNIX:
        return
    from prompt_toolkit.input.vt100 import Vt100Input

    terminal = app.input
    if isinstance(terminal, Vt100Input):
        if not isinstance(terminal.vt100_parser, KeyParser):
            emit = terminal.vt100_parser.feed_key_callback
            terminal.vt100_parser = KeyParser(emit)
        terminal.vt100_parser.for_lines = for_lines
