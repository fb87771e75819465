"""Showing: how far a replay is, for people."""

from enum import Enum, auto


class Showing(Enum):
    """The state of a replay."""

    RUNS = auto()
    PAUSED = auto()
    OVER = auto()
    """All was shown, and stays on view."""
