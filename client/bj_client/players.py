"""Players: who sits at this keyboard, as the command line names them."""

from collections.abc import Sequence

__all__ = ["MOST_PLAYERS", "BadPlayers", "read_players"]

MOST_PLAYERS = 4
"""How many can play at one keyboard (``specs/cpsc386.txt``, "Rules")."""


class BadPlayers(ValueError):
    """Handles that cannot play together; the first argument is a sentence."""


def read_players(named: Sequence[str] | None, setting: str | None) -> tuple[str, ...]:
    """Return the handles of flags, else those of a setting with commas, else none.

    Raises:
        BadPlayers: with a sentence that says what is wrong.

    >>> read_players(None, "ned21, lia9")
    ('ned21', 'lia9')
    """
    handles = tuple(named or _listed(setting or ""))
    if not all(handle.strip() and handle.isprintable() for handle in handles):
        raise BadPlayers("a handle is needed, of printable characters.")
    if len(handles) > MOST_PLAYERS:
        raise BadPlayers(
            f"{len(handles)} handles are too many: at most {MOST_PLAYERS} players "
            "share a keyboard; start another bj-client for the others."
        )
    if len({handle.casefold() for handle in handles}) < len(handles):
        raise BadPlayers(
            "a handle is given twice, and capitals count as small letters: each "
            "player needs one of their own."
        )
    return handles


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text.strip() else []
