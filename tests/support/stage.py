"""A scene whose clock stands still, and the keys that were pressed in it."""

from dataclasses import dataclass, field

from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.net.follow import Deadline
from bj_client.play.input import Chosen
from bj_client.question.asked import question_for
from bj_client.question.question import (
    Complaint,
    Mute,
    SlashCommand,
    Word,
)
from bj_client.screen.console import Console
from bj_client.screen.frame import frame, is_too_small
from bj_client.screen.scene import Scene
from bj_protocol.commands import Answer, Chat, Insure, PlaceBet, Recall
from bj_protocol.messages import Snapshot
from bj_protocol.views import Ask


@dataclass
class Stage:
    """A scene to look at and to press keys in."""

    scene: Scene
    console: Console
    sent: list[Chosen | SlashCommand]
    time: list[float]
    hurried: list[bool] = field(default_factory=list)

    def look(self, width: int = 100, height: int = 30) -> str:
        """Draw the scene as the screen does, and return its text."""
        self.scene.is_small = is_too_small(width, height)
        self.scene.mark_drawn()
        canvas = frame(self.scene, width, height, self.console.click)
        return "\n".join(line.rstrip() for line in canvas.lines)

    def click(self, words: str, width: int = 100, height: int = 30) -> None:
        """Press the button that these words are on."""
        canvas = frame(self.scene, width, height, self.console.click)
        for y, line in reversed(list(enumerate(canvas.lines))):
            if words in line:
                click = canvas.clicks.get((line.index(words), y))
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
        """What was answered, in short, and the ask that it answers."""
        chosen = [given for given in self.sent if isinstance(given, Chosen)]
        return [(in_short(each), each.question.ask) for each in chosen]

    @property
    def done(self) -> list[str]:
        """What was meant, in short: ``place_bet 5000 x2``, ``leave``, ``say hi``."""
        return list(map(in_short, self.sent))


def in_short(given: Chosen | SlashCommand) -> str:
    """Return what a key has done, such as ``insure 2500`` or ``mute ada``."""
    meant = given.reading if isinstance(given, Chosen) else given
    match meant:
        case PlaceBet(amount=amount, spots=spots) if spots > 1:
            return f"place_bet {amount} x{spots}"
        case PlaceBet(amount=amount) | Insure(amount=amount):
            return f"{meant.type} {amount}"
        case Answer():
            return str(meant.type)
        case Chat(text=text):
            return f"say {text}"
        case Mute(handle=handle, is_muted=is_muted):
            return f"{'mute' if is_muted else 'unmute'} {handle}"
        case Recall(rounds=rounds):
            return f"history {rounds}"
        case Complaint(sentence=sentence):
            return sentence
        case Word():
            return str(meant)


def make_stage(
    snapshot: Snapshot, *, symbols: bool = True, left: float | None = None
) -> Stage:
    time = [100.0]
    table = Table(snapshot)
    deadline = None if left is None else Deadline(time[0] + left, left)
    scene = Scene(
        table=table,
        faces=Faces(symbols=symbols),
        now=lambda: time[0],
        deadline=lambda: deadline,
    )
    sent: list[Chosen | SlashCommand] = []
    hurried: list[bool] = []
    console = Console(scene, sent.append, lambda: hurried.append(True))
    return Stage(scene, console, sent, time, hurried)
