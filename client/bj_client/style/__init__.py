"""Styles: output as a published text prints it, for the house of that text."""

from bj_client.style.style import Style
from bj_client.style.styles import STYLES

__all__ = ["STYLES", "Style"]
