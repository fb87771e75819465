"""Players: the handles at this keyboard, from the command line or typed at the start.

If the command line names nobody, the client asks in plain lines, before it joins
anything: how many play, and then for each handle, until all of it is right.
"""

from collections.abc import Callable, Sequence
from typing import BinaryIO, TextIO

from bj_protocol.handle import HANDLE_RULE, canonical_handle

MOST_PLAYERS = 4
"""How many can play at one keyboard (``specs/cpsc386.txt``, "Rules")."""


def check_players(handles: Sequence[str]) -> tuple[str, ...]:
    """Return the handles of those who play at this keyboard.

    Raises:
        ValueError: with a sentence, if they cannot play together.
    """
    if not all(handle.strip() and handle.isprintable() for handle in handles):
        raise ValueError("a handle is needed, of printable characters.")
    if len(handles) > MOST_PLAYERS:
        raise ValueError(
            f"{len(handles)} handles are too many: at most {MOST_PLAYERS} players "
            "share a keyboard; start another bj-client for the others."
        )
    if len({handle.casefold() for handle in handles}) < len(handles):
        raise ValueError(
            "a handle is given twice, and capitals count as small letters: each "
            "player needs one of their own."
        )
    return tuple(handles)


def ask_players(most: int, typed: BinaryIO, shown: TextIO) -> tuple[str, ...]:
    """Ask on a terminal how many play here, at most ``most``, and for their handles.

    Raises:
        EOFError: if nothing more is typed, or ``q`` for the number.
    """

    def ask(question: str) -> str:
        shown.write(f"{question} ")
        shown.flush()
        line = b""
        try:
            line = typed.readline()
        finally:
            if not line:  # what follows has a line of its own
                shown.write("\n")
                shown.flush()
        if not line:
            raise EOFError
        return line.decode("utf-8", "replace").strip()

    count = 1
    if most > 1:
        count = _ask_number(ask, shown, most)
    handles: list[str] = []
    while len(handles) < count:
        whose = f"Handle of player {len(handles) + 1}" if count > 1 else "Your handle"
        handle = canonical_handle(ask(f"{whose}?"))
        if handle is None:
            shown.write(f"{HANDLE_RULE}\n")
        elif handle in handles:
            shown.write("That one plays already: each player needs a handle.\n")
        else:
            handles.append(handle)
    return tuple(handles)


def _ask_number(ask: Callable[[str], str], shown: TextIO, most: int) -> int:
    while True:
        text = ask(f"How many players (1 to {most})?")
        if text.casefold() in {"q", "quit", "leave"}:
            raise EOFError
        if text in map(str, range(1, most + 1)):
            return int(text)
        shown.write(
            f"Type a number from 1 to {most}, for those who share this keyboard, or q "
            "to leave.\n"
        )
