"""A scene whose clock stands still, and the keys that were pressed in it."""

from dataclasses import dataclass, field

from bj_client.model.card import Faces
from bj_client.model.table import Table
from bj_client.net.follow import Deadline
from bj_client.question.asked import question_for
from bj_client.question.question import Question
from bj_client.screen.clock import Clock
from bj_client.screen.console import Console
from bj_client.screen.frame import frame
from bj_client.screen.scene import Scene
from bj_protocol.messages import Snapshot
from bj_protocol.views import Ask


@dataclass
class Stage:
    """A scene to look at and to press keys in."""

    scene: Scene
    console: Console
    sent: list[tuple[str, Question | None]]
    time: list[float]
    hurried: list[bool] = field(default_factory=list)

    def look(self, width: int = 100, height: int = 30) -> str:
        """Draw the scene as the screen does, and return its text."""
        self.scene.mark_drawn()
        canvas = frame(self.scene, width, height, self.console.click)
        return "\n".join(line.rstrip() for line in canvas.lines)

    def click(self, words: str, width: int = 100, height: int = 30) -> None:
        """Press the button that these words are on."""
        canvas = frame(self.scene, width, height, self.console.click)
        for y, line in reversed(list(enumerate(canvas.lines))):
            if words in line:
                click = canvas.clicks(line.index(words), y)
                assert click is not None, f"{words!r} is no button"
                click()
                return
        raise AssertionError(f"there is no {words!r}")

    def ask(self, ask: Ask) -> None:
        """Open the question of an ask."""
        self.scene.pose(question_for(ask, self.scene.table))
        self.console.open()

    def settle(self) -> None:
        """Draw the screen, and let the time pass after which keys count."""
        self.look()
        self.time[0] += 0.2
        self.look()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.console.press(key)

    @property
    def answered(self) -> list[tuple[str, Ask | None]]:
        """What was sent, and the ask that it answers."""
        return [(text, q.ask if q else None) for text, q in self.sent]

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.sent]


def make_stage(
    snapshot: Snapshot, *, symbols: bool = True, left: float | None = None
) -> Stage:
    time = [100.0]
    table = Table(snapshot)
    deadline = None if left is None else Deadline(time[0] + left, left)
    scene = Scene(
        table=table,
        faces=Faces(symbols=symbols),
        clock=Clock(lambda: deadline, lambda: time[0]),
        now=lambda: time[0],
    )
    sent: list[tuple[str, Question | None]] = []
    hurried: list[bool] = []
    console = Console(
        scene, lambda text, q: sent.append((text, q)), lambda: hurried.append(True)
    )
    return Stage(scene, console, sent, time, hurried)
