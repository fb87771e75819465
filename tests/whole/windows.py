"""The client with what Windows has, as far as a Unix can show that.

``python windows.py SERVER FOLDER`` takes away what the standard library and the system
lack there, imports every module of the client, and has it play. What came of each visit
is printed, as one object of JSON.
"""

import asyncio
import importlib
import io
import json
import os
import pkgutil
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from pathlib import Path
from typing import Any

# These ask for what they need of Unix when they are imported, and elsewhere for less.
import platformdirs
import pyte

assert platformdirs

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty", "uvloop")
OF_OS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod"),
    *("fchown", "fdatasync", "fork", "getegid", "geteuid", "getgid", "getpgid"),
    *("getpgrp", "getuid", "killpg", "mkfifo", "openpty", "pread", "pwrite", "setsid"),
    *("statvfs", "tcgetpgrp", "tcsetpgrp", "uname"),
)
SIGNALS = (
    *("SIGCONT", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGTTIN"),
    *("SIGTTOU", "SIGUSR2", "SIGWINCH"),
)
OF_LOOPS = (
    *("add_reader", "add_signal_handler", "add_writer", "connect_read_pipe"),
    *("remove_reader", "remove_signal_handler"),
)


class Loop(asyncio.SelectorEventLoop):
    """A loop that can do what that of Windows can, and no more."""

    def __init__(self) -> None:
        super().__init__()
        signal.set_wakeup_fd(self._csock.fileno())  # type: ignore[attr-defined]

    def remove_writer(self, descriptor: Any) -> bool:
        """Do what this loop asks of itself once a socket is connected.

        If it could not, it would watch the socket for ever and never rest.
        """
        removed: bool = self._remove_writer(descriptor)  # type: ignore[attr-defined]
        return removed

    def close(self) -> None:
        signal.set_wakeup_fd(-1)
        super().close()


def _cannot(*_: Any) -> None:
    raise NotImplementedError


class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return Loop()


def become_windows() -> None:
    """Take away what Windows lacks, and give what it alone has."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever has started this
    for module in MODULES:
        sys.modules[module] = None  # type: ignore[assignment]
    for name in OF_OS:
        delattr(os, name)
    signal.SIGBREAK = signal.SIGUSR1  # type: ignore[attr-defined]
    for name in SIGNALS:
        delattr(signal, name)
    for name in OF_LOOPS:
        setattr(Loop, name, _cannot)
    asyncio.set_event_loop_policy(Policy())
    os.environ.pop("TERM", None)


def import_all() -> list[str]:
    import bj_client

    found = pkgutil.walk_packages(bj_client.__path__, "bj_client.")
    names = [each.name for each in found if not each.name.endswith("__main__")]
    for name in names:
        importlib.import_module(name)
    return names


class Run:
    """One run of the command, on streams as a pipe of Windows has them."""

    def __init__(self, *words: str, hear: Callable[[str], bytes] | None = None) -> None:
        """Type what ``hear`` returns, at first for "" and then for each line shown."""
        self.lines: list[str] = []
        self._hear = hear or (lambda _: b"")
        given, self._to = os.pipe()
        self._from, shown = os.pipe()
        errors = io.StringIO()
        before = sys.stdin, sys.stdout
        sys.stdin = os.fdopen(given, encoding="cp1252")
        sys.stdout = os.fdopen(shown, "w", encoding="cp1252", newline="\r\n")
        reading = threading.Thread(target=self._read)
        reading.start()
        try:
            with redirect_stderr(errors):
                self.code = _run(words)
        finally:
            sys.stdin.close()
            sys.stdout.close()
            reading.join()
            sys.stdin, sys.stdout = before
        self.result = {
            "code": self.code,
            "shown": "".join(self.lines),
            "errors": errors.getvalue(),
        }

    def _read(self) -> None:
        self._answer("")
        with open(self._from, encoding="cp1252", newline="") as shown:
            for line in shown:
                self.lines.append(line)
                self._answer(line)
        with suppress(OSError):
            os.close(self._to)

    def _answer(self, line: str) -> None:
        with suppress(OSError):
            os.write(self._to, self._hear(line))


def _run(words: tuple[str, ...]) -> int:
    from bj_client.command import run

    try:
        return int(run(words))
    except SystemExit as ended:
        return int(ended.code or 0)


ANSWERS = {"Bet (": b"5", "Insurance (": b"n", "Hit (": b"s", "New deal": b"n"}


def typist(line: str) -> bytes:
    """Answer each question of a round as somebody does who stands."""
    asked = [said for asked, said in ANSWERS.items() if line.startswith(asked)]
    return asked[0] + b"\r\n" if asked else b""


def leaver(line: str) -> bytes:
    """Leave at once."""
    return b"" if line else b"q\r\n"


def program() -> Callable[[str], bytes]:
    """Bet the least, stand, and leave when a round has ended."""
    answered = 0

    def hear(line: str) -> bytes:
        nonlocal answered
        if not line:
            return b""
        message = json.loads(line)
        if any(event["type"] == "round_ended" for event in message.get("events", ())):
            return b'{"type": "leave"}\r\n'
        said = b""
        for ask in (message.get("turn") or {"asks": ()})["asks"]:
            if ask["prompt"] > answered:
                answered = ask["prompt"]
                plays = ("place_bet", "accept_gift", "stand", "decline")
                play = next(each for each in plays if each in ask["actions"])
                command = {"type": play, "prompt": answered}
                if play == "place_bet":
                    command["amount"] = ask["wager"]["minimum"]
                said += json.dumps(command).encode() + b"\r\n"
        return said

    return hear


def signalled(number: int) -> Callable[[str], bytes]:
    """Send a signal once a bet is asked for."""

    def hear(line: str) -> bytes:
        if line.startswith("Bet ("):
            os.kill(os.getpid(), number)
        return b""

    return hear


class Terminal(io.StringIO):
    """A stream that is a console's."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_console(*words: str, steps: list[tuple[str, str]]) -> dict[str, Any]:
    """Run the command on a console; press keys as soon as the screen has a text."""
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.input import DummyInput
    from prompt_toolkit.key_binding import KeyPress
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.output.vt100 import Vt100_Output

    names = {"\r": Keys.ControlM, "\x1a": Keys.ControlZ, "\x1b": Keys.Escape}
    screen = pyte.Screen(100, 30)
    stream = pyte.Stream(screen)
    rest = deque(steps)

    class Console(DummyInput):
        """Hands over keys, and has neither bytes nor a descriptor."""

        closed = False

        def __init__(self) -> None:
            self._keys: list[KeyPress] = []
            self._ready: Callable[[], None] = lambda: None

        @contextmanager
        def attach(self, input_ready_callback: Callable[[], None]) -> Iterator[None]:
            self._ready = input_ready_callback
            yield

        def read_keys(self) -> list[KeyPress]:
            keys, self._keys = self._keys, []
            return keys

        def press(self, keys: str) -> None:
            self._keys += [KeyPress(names.get(key, key), key) for key in keys]
            asyncio.get_running_loop().call_soon(lambda: self._ready())

    console = Console()

    class Shown(Terminal):
        def flush(self) -> None:
            stream.feed(self.getvalue())
            self.truncate(0)
            self.seek(0)
            if rest and rest[0][0] in "".join(screen.display):
                console.press(rest.popleft()[1])

    output = Vt100_Output(Shown(), lambda: Size(30, 100), enable_cpr=False)
    errors = io.StringIO()
    before = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = Terminal(), Terminal()
    try:
        with create_app_session(console, output), redirect_stderr(errors):
            code = _run(words)
    finally:
        sys.stdin, sys.stdout = before
    shown = "\n".join(screen.display)
    return {"code": code, "shown": shown, "errors": errors.getvalue()}


def main(server: str, folder: Path) -> dict[str, Any]:
    record = str(folder / "visit.jsonl")
    ned = ("--handle", "ned21", "--server", server)
    runs: dict[str, Callable[[], Run]] = {
        "help": lambda: Run("--help"),
        "version": lambda: Run("--version"),
        "solo": lambda: Run("--solo"),
        "tables": lambda: Run("--list-tables", "--server", server),
        "plain": lambda: Run(*ned, "--plain", "--rounds", "1", hear=typist),
        "bot": lambda: Run(*ned, "--bot", "basic", "--rounds", "2", "--record", record),
        "json": lambda: Run(*ned, "--json", hear=program()),
        "watch": lambda: Run("--watch", "--server", server, hear=leaver),
        "verify": lambda: Run("verify", record),
        "replay": lambda: Run("replay", "--plain", "--speed", "0", record),
        "interrupt": lambda: Run(*ned, "--plain", hear=signalled(signal.SIGINT)),
        "break": lambda: Run(*ned, "--plain", hear=signalled(signal.SIGUSR1)),
        "term": lambda: Run(*ned, "--plain", hear=signalled(signal.SIGTERM)),
    }
    found = {name: run().result for name, run in runs.items()}
    found["screen"] = on_console(
        *ned, steps=[("Welcome, ned21", "\x1a?"), ("Ctrl-C and", "\x1b"), ("bet", "q")]
    )
    found["line"] = on_console(
        *(*ned, "--line", "--rounds", "1"),
        steps=[("Bet (", "5\r"), ("Insurance (", "n\r"), ("Hit (", "s\r")],
    )
    return found


def keys() -> list[str]:
    """Return where keys are kept, and where another's would be."""
    from bj_client.net.keyring import Keyring

    state = Path(os.environ["XDG_STATE_HOME"])
    other = Keyring("con.example.org:8765", warn=sys.exit).path("lia9")
    return [str(path.relative_to(state)) for path in (*state.rglob("*.key"), other)]


if __name__ == "__main__":
    become_windows()
    report = {"modules": import_all(), "runs": main(sys.argv[1], Path(sys.argv[2]))}
    sys.stdout.write(json.dumps(report | {"keys": keys()}))
