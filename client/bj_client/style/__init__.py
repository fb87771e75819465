"""Styles: output as a published text prints it, for the house of that text."""

from bj_client.style.cs220 import Cs220
from bj_client.style.cs1114 import Cs1114
from bj_client.style.dsc20 import Dsc20
from bj_client.style.iipp6 import Iipp6
from bj_client.style.style import Style

STYLES: dict[str, Style] = {
    style.name: style for style in (Cs1114(), Cs220(), Dsc20(), Iipp6())
}
"""Every style, by its name on the command line."""

__all__ = ["STYLES", "Style"]
