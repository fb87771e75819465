"""Colours: how many of them the terminal is to be given."""

from enum import StrEnum


class Colours(StrEnum):
    """What a player can ask for; without a word the terminal itself is asked."""

    NONE = "none"
    """Bold and reversed text alone."""
    FEW = "16"
    """The terminal's own, in which its theme is honoured."""
    MANY = "256"
    TRUE = "true"
