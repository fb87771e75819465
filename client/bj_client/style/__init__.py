"""Styles: output as a published text prints it, for the house of that text."""

from bj_client.style.cs220 import CS220
from bj_client.style.cs1114 import CS1114
from bj_client.style.dsc20 import DSC20
from bj_client.style.iipp6 import IIPP6
from bj_client.style.style import Style

STYLES: dict[str, Style] = {
    style.name: style for style in (CS1114, CS220, DSC20, IIPP6)
}

__all__ = ["STYLES", "Style"]
