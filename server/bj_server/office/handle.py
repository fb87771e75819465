"""Handles: finding the one that somebody means."""

from collections.abc import Iterable
from difflib import get_close_matches

from bj_server.office.report import Exit, Refused

_MOST_SHOWN = 3
_LONGEST_SHOWN = 64


def find_handle(wanted: str, handles: Iterable[str]) -> str:
    """Return the handle that ``wanted`` spells, whatever its case.

    Raises:
        Refused: naming those that are spelt nearly so.

    >>> find_handle("Ned21", ["lia9", "ned21"])
    'ned21'
    """
    known = sorted(handles)
    spelt = wanted.lower()
    if spelt in known:
        return spelt
    near = get_close_matches(spelt[:_LONGEST_SHOWN], known, n=_MOST_SHOWN)
    hint = "bj-bank balances lists all"
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    shown = ascii(wanted[:_LONGEST_SHOWN])
    raise Refused(Exit.WRONG_OPTIONS, f"Nobody in this bank is called {shown}: {hint}")
