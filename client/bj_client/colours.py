"""Colours: how many of them the terminal is to be given."""

from enum import StrEnum


class Colours(StrEnum):
    """The choices of a player; without a choice the terminal itself is asked."""

    NONE = "none"
    """Bold and reversed text alone."""
    FEW = "16"
    """The terminal's own, in which its theme is honoured."""
    MANY = "256"
    TRUE = "true"
