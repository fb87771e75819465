"""Showing: how far a replay is, for whoever tells it to people."""

from enum import Enum, auto


class Showing(Enum):
    """What a replay does just now."""

    RUNS = auto()
    PAUSED = auto()
    OVER = auto()
    """All was shown, and stays on view."""
