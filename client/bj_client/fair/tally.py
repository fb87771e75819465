"""The tally: how many rounds a check has seen, and what became of them."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Tally:
    """How many rounds were heard, and what became of their check."""

    whole: int = 0
    """Rounds that were heard whole, and played again."""
    partial: int = 0
    """Rounds that were heard in part, or under rules that are not known."""
    void: int = 0
    proven: int = 0
    """Whole rounds whose cards follow from their secret and links."""
    findings: int = 0
    notes: int = 0
