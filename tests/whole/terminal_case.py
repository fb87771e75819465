"""What a run in a terminal is made of: where it is brought, and how it ends there.

A ``Case`` is one run. Its prompt is reached by the words and keys of ``PATHS``, at a
table whose cards are stacked for it, so that nothing is left to chance.
"""

import random
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from whole.terminal_run import TerminalRun

MODES = {"screen": (), "line": ("--line",), "plain": ("--plain",)}

PROMPTS = {
    "bet": ("Bet $1", "Bet ($1"),
    "double": ("Hit, stand or double?", "stand (s) or double (d)?"),
    "hit": ("Hit or stand?", "Hit (h) or stand (s)?"),
    "split": ("Split the pair?", "Split your 8s (y/n)?"),
    "insurance": ("Insurance, $1", "Insurance ($1"),
    "again": ("New deal?", "Play again (y/n)?"),
    "gift": ("You are broke.", "You are broke."),
    "waiting": ("Waiting for lia9", "lia9 decides"),
    "lost": ("The line is lost", "is lost; trying again"),
    "closing": ("", ""),
    "connecting": ("", ""),
}
"""Each prompt, as it is put on the whole screen and in lines."""

STACKS = {
    "split": "8s Ah 8d 8c",
    "insurance": "Ts Ah 9s 8d",
    "hit": "5s 9h 6d Td 2c",
    "gift": "Ts 9h 8s Td",
    "waiting": "Ts 9c 9h 9s 8c Td",
}
STACK = "Ts 9h 9s 8d"

PATHS = {
    "double": (("bet", "5\r", "place_bet"),),
    "hit": (("bet", "5\r", "place_bet"), ("double", "h\r", "hit")),
    "split": (("bet", "5\r", "place_bet"),),
    "insurance": (("bet", "5\r", "place_bet"),),
    "again": (("bet", "5\r", "place_bet"), ("double", "s\r", "stand")),
    "gift": (
        ("bet", "10000\r", "place_bet"),
        ("hit", "s\r", "stand"),
        ("again", "y\r", ""),
    ),
    "waiting": (("bet", "5\r", "place_bet"),),
}
"""The prompts on the way, what is typed there, and what the server hears of it."""

ENVIRONMENTS: dict[str, dict[str, str]] = {
    "utf-8": {},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "C": {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    "no colour": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
}

_USUAL = ("utf-8",) * 4 + ("ascii", "ascii", "cp1252", "cp1252", "no colour", "dumb")
"""Without those that need an interpreter of their own, which is slow to start."""

SIZES = ((5, 2), (10, 3), (20, 6), (40, 16), (80, 24), (132, 43), (200, 60))


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run is ended, and what is to come of it."""

    end: Callable[[TerminalRun, "Case"], None]
    code: int
    farewell: str


def _keys(screen: str, line: str, plain: str) -> Callable[[TerminalRun, "Case"], None]:
    keys = {"screen": screen, "line": line, "plain": plain}
    return lambda run, case: run.type(keys[case.look])


def _signal(number: int) -> Callable[[TerminalRun, "Case"], None]:
    return lambda run, case: run.send_signal(number)


ENDINGS = {
    "leave": Ending(_keys("qq", "q\r", "q\r"), 0, "Good-bye, ned21"),
    "Ctrl-C": Ending(_keys(*["\x03"] * 3), 130, "Interrupted"),
    "Ctrl-C twice": Ending(_keys(*["\x03\x03"] * 3), 130, "Interrupted"),
    "Ctrl-D": Ending(_keys(*["\x04"] * 3), 0, "Good-bye, ned21"),
    "Ctrl-D after 5": Ending(
        _keys("5\x04", "5\x04\x7f\x04", "5\x04\x04"), 0, "Good-bye, ned21"
    ),
    "hang-up": Ending(lambda run, case: run.hang_up(), 129, ""),
    "SIGHUP": Ending(_signal(signal.SIGHUP), 129, "The terminal was closed"),
    "SIGTERM": Ending(_signal(signal.SIGTERM), 143, "Stopped by SIGTERM"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One run."""

    prompt: str
    ending: str
    mode: str = "screen"
    environment: str = "utf-8"
    start: tuple[int, int] = (80, 24)
    """The size of the window until there is a table."""
    sizes: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """The sizes that the window then takes, one after the other."""

    def __str__(self) -> str:
        """Say what it is, for a report."""
        last = self.sizes[-1] if self.sizes else self.start
        window = f"{self.start} to {last} in {len(self.sizes)}"
        place = f"{self.mode}, {self.environment}, {window}"
        return f"{self.ending} at {self.prompt} ({place})"

    @property
    def look(self) -> str:
        """The mode that it comes to, in its environment."""
        return "plain" if self.environment == "dumb" else self.mode

    @property
    def is_new(self) -> bool:
        """Whether the interpreter must be started for it."""
        return self.environment == "C"

    @property
    def stack(self) -> str:
        """The cards at the top of the shoe."""
        return STACKS.get(self.prompt, STACK)

    def words(self, prompt: str) -> str:
        """Return how a prompt is put; on the screen, once keys answer it."""
        if self.look == "plain" and prompt == "waiting":
            return "lia9 gets 9"  # there is no line of its own that says it
        screen, lines = PROMPTS[prompt]
        if self.look != "screen":
            return lines
        has_symbols = self.environment in {"utf-8", "no colour"}
        mark = "\u25b6" if has_symbols else ">"
        return f"{mark} {screen}" if prompt not in {"waiting", "lost"} else screen


_PAIRS = [(prompt, ending) for prompt in PROMPTS for ending in ENDINGS]
_PAIRS.remove(("connecting", "leave"))  # there is nothing to leave yet
EVERY = len(_PAIRS)
"""How many runs bring every ending to every prompt."""


def cases(seed: int, count: int, *, storm: int = 12) -> list[Case]:
    """Return runs that bring every ending to every prompt; the rest is drawn.

    In a ``storm`` the window goes so many times through four sizes.
    """
    draw = random.Random(seed)
    chosen = [_PAIRS[number % EVERY] for number in range(count)]
    drawn = [_drawn(draw, prompt, ending, storm) for prompt, ending in chosen]
    drawn[::40] = [replace(case, environment="C") for case in drawn[::40]]
    return drawn


def _drawn(draw: random.Random, prompt: str, ending: str, times: int) -> Case:
    storm = ((80, 24), (20, 6), (5, 2), (200, 60)) * times + ((80, 24), (20, 6))
    sizes = draw.choice(
        ((), (draw.choice(SIZES),), storm, (*storm, draw.choice(SIZES)))
    )
    return Case(
        prompt=prompt,
        ending=ending,
        mode=draw.choice(("screen", "screen", "line", "plain")),
        environment=draw.choice(_USUAL),
        start=draw.choice((*SIZES, (80, 24), (80, 24))),
        sizes=sizes,
    )
