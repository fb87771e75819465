"""The session: a few rounds as a person plays them, recorded with their real times."""

from contextlib import ExitStack
from pathlib import Path

from picture.cast import written_cast
from picture.server import Server
from picture.terminal import Terminal

_SIZE = (100, 30)
_TITLE = "Blackjack: two rounds beside a bot"
_KEY = 0.12
"""Seconds from one key to the next."""
_READING = 2.5
"""Seconds that a person looks at something new."""
# The bot has seat 2. First a pair of eights that is split and doubled on eleven,
# against a dealer who goes bust; then twenty against nineteen.
_CARDS = "8s Ts 6h 8d 9c Th 3c Ks 7d Jc  Kc 9h 9s Qd Td Tc"


def session(folder: Path) -> str:
    """Play and return the recording, as a file of asciicast v2."""
    with ExitStack() as stack:
        server = stack.enter_context(Server(folder, _CARDS, "--bet-seconds", "60"))
        shell = stack.enter_context(server.shell(_SIZE))
        shell.until(r"\$")
        shell.rest(1.0)
        shell.type("bj-client --handle ned21\r", _KEY)
        shell.until(r"Bet \$")
        stack.enter_context(server.client("--handle", "tess", "--bot", "basic"))
        shell.until("tess sits down")
        shell.rest(_READING)
        _split(shell)
        _stand(shell)
        shell.type("q", _KEY)
        shell.until("Good-bye, ned21")
        shell.rest(_READING)
    return written_cast(_SIZE, _TITLE, shell.written)


def _split(shell: Terminal) -> None:
    _bet(shell, "100")
    _act(shell, "p", "Hand 1:")
    _act(shell, "d", "Hand 2:")
    _act(shell, "s", r"New deal\?")
    shell.type("/well played\r", _KEY)
    _act(shell, "y", r"Bet \$")


def _stand(shell: Terminal) -> None:
    _bet(shell, "50")
    _act(shell, "s", r"New deal\?")


def _bet(shell: Terminal, dollars: str) -> None:
    shell.type(dollars, _KEY * 2)
    _act(shell, "\r", r"Hit(,| or)")


def _act(shell: Terminal, key: str, then: str) -> None:
    shell.press(key, then)
    shell.rest(_READING)
