"""The replay view: shows a record on the whole screen or line by line."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass

from bj_client.model.card import Faces, can_show_suits
from bj_client.model.table import Table
from bj_client.play.input import Input, PipedInput
from bj_client.play.narrator import Narrator
from bj_client.play.output import Output, PlainPaper
from bj_client.question.question import Question
from bj_client.replay.options import ReplayOptions
from bj_client.screen.console import Console
from bj_client.screen.page import Page
from bj_client.screen.scene import Scene
from bj_client.screen.showing import Showing
from bj_client.system import is_dumb
from bj_client.words.text import is_terminal


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The narrator and the input of a replay."""

    narrator: Narrator
    source: Input
    show: Callable[[Showing], None] | None = None
    """Shows how far the replay is; None if lines tell that."""

    @property
    def paper(self) -> Output:
        """The output for lines."""
        return self.narrator.paper


def open_theatre(options: ReplayOptions, table: Table) -> ReplayView:
    """Return the replay view for a table, by the options and the terminal."""
    encoding = None if sys.stdout is None else sys.stdout.encoding
    faces = Faces(symbols=not options.ascii and can_show_suits(encoding))
    if not _is_rich(options):
        return _plain(faces)
    from bj_client.play.terminal import TerminalInput, TerminalPaper

    terminal = TerminalPaper()
    if options.line:
        source = TerminalInput(terminal, lambda _: "replay | p pauses, n next, q quits")
        return ReplayView(Narrator(terminal, faces, is_past=True), source)
    from bj_client.screen import Screen, ScreenNarrator
    from bj_client.screen.clock import Clock
    from bj_client.screen.glyph import ASCII, UNICODE
    from bj_client.screen.scene import Scene

    now = asyncio.get_running_loop().time
    screen = Screen(terminal, faces)
    scene = Scene(
        table=table,
        faces=faces,
        glyphs=UNICODE if faces.symbols else ASCII,
        clock=Clock(lambda: None, now),
        now=now,
        showing=Showing.RUNS,
    )
    screen.lay(scene, ReplayKeys(scene, lambda text: screen.type(text)))
    return ReplayView(ScreenNarrator(screen, faces, 0.0), screen, screen.play)


def _plain(faces: Faces) -> ReplayView:
    paper = PlainPaper(sys.stdout)
    is_live = is_terminal(sys.stdin)
    descriptor = sys.stdin.fileno() if is_live else None
    source = PipedInput(descriptor, paper, is_live=is_live, inline=False, echoes=False)
    return ReplayView(Narrator(paper, faces, is_past=True), source)


def _is_rich(options: ReplayOptions) -> bool:
    bare = options.plain or is_dumb()
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and not bare


_LOOK = {"r", "pageup", "pagedown"}
_HELP = (
    "Space pauses, and goes on.",
    "n, or the arrow to the right, shows the next event.",
    "r shows the rules; page up and page down look back in the log.",
    "q quits.",
)


class ReplayKeys(Console):
    """The keys while a record is played."""

    def __init__(self, scene: Scene, emit: Callable[[str], None]) -> None:
        """Hand wishes to ``emit``, as ``read_wish`` reads them."""
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
