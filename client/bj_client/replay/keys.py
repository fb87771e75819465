"""The keys of a replay on the whole screen."""

from collections.abc import Callable

from bj_client.question import Question
from bj_client.screen.console import Console
from bj_client.screen.page import Page
from bj_client.screen.scene import Scene

_LOOK = {"r", "pageup", "pagedown"}
_HELP = (
    "Space pauses, and goes on.",
    "n, or the arrow to the right, shows the next event.",
    "r shows the rules; page up and page down look back in the log.",
    "q quits.",
)


class ReplayKeys(Console):
    """What can be pressed while a record is played."""

    def __init__(self, scene: Scene, emit: Callable[[str], None]) -> None:
        """Hand what is wanted to ``emit``, as ``read_wish`` reads it."""
        super().__init__(scene, self._nothing, lambda: None)
        self._shown = scene
        self._want = emit

    def press(self, key: str) -> None:
        """Take a key by its name."""
        scene = self._shown
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

    @staticmethod
    def _nothing(text: str, question: Question | None) -> None:
        """Send nothing."""
