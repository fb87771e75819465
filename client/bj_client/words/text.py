"""Text from outside, made safe to show: no control characters, no tricks."""

import contextlib
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TextIO

from bj_client.error import Exit
from bj_client.system import is_dumb
from bj_protocol.chat import is_unseen

INDENT = "  "
"""The beginning of each row of a text but the first."""
_LONGEST = 4000
_BLANKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")


def counted(count: int, noun: str) -> str:
    """Return how many there are of something.

    >>> counted(1, "round"), counted(0, "round")
    ('1 round', '0 rounds')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(words: Sequence[str], last: str = "and", comma: str = ", ") -> str:
    """Return words with commas between them, and another word before the last.

    >>> listed(["hit", "stand", "split"], "or"), listed(["hit"]), listed([])
    ('hit, stand or split', 'hit', '')
    """
    return f" {last} ".join(filter(None, [comma.join(words[:-1]), *words[-1:]]))


def printable(text: str) -> str:
    r"""Return ``text`` as one harmless line.

    Line breaks become blanks; control characters, direction marks and other
    invisible characters vanish; a text without end is cut. Markup stays as it is.

    >>> printable("<ned21>\x1b[31m & friends\n{0} %s")
    '<ned21>[31m & friends {0} %s'
    """
    if text.isascii() and text.isprintable() and len(text) <= _LONGEST:
        return text
    kept = (" " if mark in _BLANKS else mark for mark in text[:_LONGEST])
    return "".join(mark for mark in kept if not is_unseen(mark))


def quoted(text: str) -> str:
    """Return a sentence of the server so that nobody takes it for one of ours.

    >>> quoted("Round 7 is proven: 1234 5678.")
    'The table says: Round 7 is proven: 1234 5678.'
    """
    return text if text.startswith("The host says: ") else f"The table says: {text}"


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a stream is a terminal's."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def rows(text: str, stream: TextIO | None) -> list[str]:
    """Return a text as one harmless line, in a terminal as rows of whole words."""
    if stream is None or not is_terminal(stream):
        return [printable(text)]
    return in_rows(text, _columns(stream))


def in_rows(text: str, width: int) -> list[str]:
    """Return a text, made harmless, as rows of whole words.

    The rows after the first are indented, so that no part looks like a line of its own.

    >>> in_rows("Type bj-client, or leave.", 20)
    ['Type bj-client, or', '  leave.']
    """
    wrapper = textwrap.TextWrapper(
        max(20, width), subsequent_indent=INDENT, break_on_hyphens=False
    )
    return wrapper.wrap(printable(text)) or [""]


def _columns(stream: TextIO) -> int:
    """Return how wide a terminal is now, or what the environment says of it."""
    with contextlib.suppress(OSError, ValueError):
        if columns := os.get_terminal_size(stream.fileno()).columns:
            return columns
    return shutil.get_terminal_size().columns


def is_rich(*, plain: bool) -> bool:
    """Say whether cursor and colours of a full terminal may be used."""
    both = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    return both and not plain and not is_dumb()


def complain(sentence: str) -> None:
    """Write a sentence to standard error; one that is closed or full loses it."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        shown = rows(sentence, sys.stderr)
        sys.stderr.write("".join(f"{row}\n" for row in shown))
        sys.stderr.flush()


def fail(code: Exit, sentence: str) -> Exit:
    """Complain, and return the code with which the command ends."""
    complain(sentence)
    return code
