"""The theatre: where a record is shown, on the whole screen or line by line."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass

from bj_client.card import Faces, can_show_suits
from bj_client.narrator import Narrator
from bj_client.paper import Paper, PlainPaper
from bj_client.replay.options import ReplayOptions
from bj_client.replay.showing import Showing
from bj_client.source import PipedInput, Source
from bj_client.system import is_dumb
from bj_client.table import Table
from bj_client.text import is_terminal


@dataclass(frozen=True, slots=True)
class Theatre:
    """What a player tells to, and what it reads from."""

    narrator: Narrator
    source: Source
    show: Callable[[Showing], None] | None = None
    """Shows how far the replay is; None where that is told in lines."""

    @property
    def paper(self) -> Paper:
        """Where lines go."""
        return self.narrator.paper


def open_theatre(options: ReplayOptions, table: Table) -> Theatre:
    """Return the theatre for a table, by the options and the terminal there is."""
    encoding = None if sys.stdout is None else sys.stdout.encoding
    faces = Faces(symbols=not options.ascii and can_show_suits(encoding))
    if not _is_rich(options):
        return _plain(faces)
    from bj_client.terminal import TerminalInput, TerminalPaper

    terminal = TerminalPaper()
    if options.line:
        source = TerminalInput(terminal, lambda _: "replay | p pauses, n next, q quits")
        return Theatre(Narrator(terminal, faces, is_past=True), source)
    from bj_client.replay.keys import ReplayKeys
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
    return Theatre(ScreenNarrator(screen, faces, 0.0), screen, screen.play)


def _plain(faces: Faces) -> Theatre:
    paper = PlainPaper(sys.stdout)
    is_live = is_terminal(sys.stdin)
    descriptor = sys.stdin.fileno() if is_live else None
    source = PipedInput(descriptor, paper, is_live=is_live, inline=False, echoes=False)
    return Theatre(Narrator(paper, faces, is_past=True), source)


def _is_rich(options: ReplayOptions) -> bool:
    bare = options.plain or is_dumb()
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and not bare
