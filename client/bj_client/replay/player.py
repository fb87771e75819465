"""The player: tells a tape at its own pace, as lines or keys of the watcher wish."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bj_client.bot.hint import agreement, worths
from bj_client.fair.linker import ABOUT_LINKS
from bj_client.fair.record import Entry
from bj_client.model.table import Table
from bj_client.play.input import Given, Input, Line
from bj_client.play.narrator import Narrator
from bj_client.replay.tape import Frame
from bj_client.screen import Screen
from bj_client.screen.console import Console
from bj_client.screen.scene import Page, Scene, Showing
from bj_protocol.commands import Answer, AnyAnswer, Command
from bj_protocol.messages import Message, Refused, Snapshot, Update

HELP = "type p to pause and go on, n or Enter for the next event, q to quit"

_OVER = "The record ends here; q closes it."
_LINES = {
    "lost": "Here the line to the server was lost.",
    "back": "The line to the server was back.",
}


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The narrator and the input of a replay."""

    narrator: Narrator
    input: Input
    show: Callable[[Showing], None] | None = None
    """Shows how far the replay is; None if lines tell that."""


@dataclass(eq=False)
class Player:
    """Plays one tape from its first picture to its end."""

    table: Table
    tape: Sequence[Frame]
    """Goes on from the table."""
    view: ReplayView
    speed: float
    """How many times as fast as it was; 0 waits for nothing."""
    _is_paused: bool = field(default=False, init=False)
    _reading: asyncio.Task[Given] | None = field(default=None, init=False)
    _parts: int | None = field(default=None, init=False)
    """The update whose parts are being told."""

    async def run(self) -> None:
        """Play until the end, or until the watcher has seen enough.

        Raises:
            EndOfInputError: at the end of a live input.
            StopError: on Ctrl-C.
        """
        if self.view.input.is_live:  # no script says anything here
            self._reading = asyncio.create_task(self.view.input.read())
        try:
            for wait, entry in self.tape:
                if not await self._wait(wait / self.speed if self.speed else 0.0):
                    return
                await self._tell(entry)
            if self.view.input.is_live:
                await self._linger()
        finally:
            if self._reading is not None:
                self._reading.cancel()
                await asyncio.gather(self._reading, return_exceptions=True)
            await self.view.input.close()

    async def _linger(self) -> None:
        """Stay at the end until the watcher has seen enough."""
        if self.view.show is not None:
            self.view.show(Showing.OVER)
        await self.view.narrator.notice(_OVER)
        while self._reading is not None:
            await asyncio.wait({self._reading})
            if self._read() in {"q", "quit"}:
                return
            if self.view.show is None:
                await self.view.narrator.notice(_OVER)

    async def _wait(self, seconds: float) -> bool:
        """Wait for the next frame; return False if there shall be none."""
        now = asyncio.get_running_loop().time
        while True:
            began = now()
            timeout = None if self._is_paused else max(0.0, seconds)
            if self._reading is None:
                await asyncio.sleep(timeout or 0.0)
                return True
            await asyncio.wait({self._reading}, timeout=timeout)
            if not self._reading.done():
                return True
            if not self._is_paused:
                seconds -= now() - began
            match self._read():
                case "q" | "quit":
                    return False
                case "n" | "next" | "":
                    return True
                case "p" | "pause":
                    await self._pause()
                case _:
                    await self.view.narrator.notice(f"This is a record: {HELP}.")

    def _read(self) -> str | None:
        """Take the wish that was read, None for no line, and read on."""
        assert self._reading is not None
        given = self._reading.result()
        self._reading = asyncio.create_task(self.view.input.read())
        return given.text.strip().casefold() if isinstance(given, Line) else None

    async def _pause(self) -> None:
        self._is_paused = not self._is_paused
        if self.view.show is not None:
            self.view.show(Showing.PAUSED if self._is_paused else Showing.RUNS)
            return
        sentence = f"Paused: {HELP}." if self._is_paused else "It goes on."
        await self.view.narrator.notice(sentence)

    async def _tell(self, entry: Entry) -> None:
        if entry.heard is not None:
            await self._hear(entry.heard)
        elif entry.sent is not None:
            self._note(entry.sent)
        elif entry.line is not None:
            await self.view.narrator.notice(_LINES[entry.line])

    async def _hear(self, message: Message) -> None:
        match message:
            case Snapshot() if message.seq == self.table.seq:
                self.table.apply(message)
            case Snapshot():
                await self.view.narrator.picture(self.table, message)
            case Update() if message.seq in (self.table.seq + 1, self._parts):
                self._parts = message.seq
                await self.view.narrator.update(self.table, message)
            case Refused() if message.code not in ABOUT_LINKS:
                await self.view.narrator.notice(message.text)
            case _:
                pass  # it was of no use to the player either, or is told elsewhere

    def _note(self, command: Command) -> None:
        """Note a play for the summary, as a player's client does."""
        if not isinstance(command, Answer):
            return
        answer: AnyAnswer = command
        for ask in self.table.my_asks:
            if ask.prompt == answer.prompt:
                agrees = agreement(answer, ask, worths(ask, self.table))
                self.table.record.decisions |= agrees


_LOOK = {"r", "pageup", "pagedown"}
_KEYS = (
    "Space pauses, and goes on.",
    "n, or the arrow to the right, shows the next event.",
    "r shows the rules; page up and page down look back in the log.",
    "q quits.",
)


class ReplayKeys(Console):
    """The keys while a record is played."""

    def __init__(self, scene: Scene, want: Callable[[str], None]) -> None:
        """Hand wishes to ``want``, as one would type them."""
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
            scene.page = Page("Replay", _KEYS, key="?")
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
    scene = Scene(
        table=table,
        faces=screen.faces,
        now=asyncio.get_running_loop().time,
        log=screen.log,
        showing=Showing.RUNS,
    )
    screen.lay(scene, ReplayKeys(scene, screen.type))
