"""The keys of a replay on the screen."""

import asyncio
from collections.abc import Callable

from bj_client.model.table import Table
from bj_client.screen import Screen
from bj_client.screen.console import Console
from bj_client.screen.page import Page
from bj_client.screen.scene import Clock, Scene, Showing

_LOOK = {"r", "pageup", "pagedown"}
_HELP = (
    "Space pauses, and goes on.",
    "n, or the arrow to the right, shows the next event.",
    "r shows the rules; page up and page down look back in the log.",
    "q quits.",
)


class ReplayKeys(Console):
    """The keys while a record is played."""

    def __init__(self, scene: Scene, want: Callable[[str], None]) -> None:
        """Hand wishes to ``want``, as ``read_wish`` reads them."""
        super().__init__(scene, lambda given: None, lambda: None)
        self._want = want

    def press(self, key: str) -> None:
        """Take a key by its name."""
        scene = self.scene
        if key == "q":
            self._want("q")
        elif scene.page is not None or key in _LOOK:
            super().press(key)
        elif key == "?":
            scene.page = Page("Replay", _HELP, key="?")
        elif key == " ":
            self._want("p")
        elif key in {"n", "right"}:
            self._want("n")

    def click(self, key: str) -> None:
        """Take a click on the button of a key."""
        self.press(key)

    def paste(self, text: str) -> None:
        """Take no text: nothing is said in a record."""


def lay_replay(screen: Screen, table: Table) -> None:
    """Show the table of a record on a screen, and take its keys."""
    now = asyncio.get_running_loop().time
    scene = Scene(
        table=table,
        faces=screen.faces,
        clock=Clock(lambda: None, now),
        now=now,
        log=screen.log,
        showing=Showing.RUNS,
    )
    screen.lay(scene, ReplayKeys(scene, screen.type))
