"""The screen: the table drawn on the whole terminal, played by keys and by mouse.

``Scene`` is all that there is to see, ``frame`` draws it on a ``Canvas`` of cells, and
``Console`` turns keys and clicks into commands for the session, which is that of the
line mode. ``Screen`` alone knows the terminal.
"""

from bj_client.screen.screen import Screen
from bj_client.screen.teller import ScreenNarrator

__all__ = ["Screen", "ScreenNarrator"]
