"""Scenes: what is played so that a picture can be taken of it.

A scene starts a server with stacked cards, has people play until there is something to
see, and draws what one of them sees. It waits for words, never for places, so that it
goes on working when the table looks different.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from picture.server import Server
from picture.svg import drawing
from picture.terminal import Terminal

_BET = r"Bet \(?\$\d"
_PLAY = r"Hit(,| or| \(h\))"
_OVER = r"New deal\?"
_PATIENT = ("--bet-seconds", "120")
_WIDE = (100, 30)
_WIDER = (120, 32)
_USUAL = (80, 24)
_SMALLEST = (40, 16)
_KINDS = (
    *("--table", "main", "--table", "high=vegas-strip"),
    *("--table", "deal=iipp6", "--table", "class=cs1114"),
)
"""Tables at which different games are played."""
_MOMENT = 1.2
"""Seconds from a question to a picture of it."""

Scene = Callable[[Path], str]
"""Plays in a folder that is not there yet, and returns a drawing."""


class _Party:
    """A server, and the people who have sat down at its first table."""

    def __init__(
        self, stack: ExitStack, folder: Path, cards: str, *options: str
    ) -> None:
        self._stack = stack
        self.server = stack.enter_context(Server(folder, cards, *_PATIENT, *options))

    def sit(self, handle: str, *options: str, size: tuple[int, int]) -> Terminal:
        """Seat a player, and return their terminal once they may bet."""
        known = ("--handle", handle, "--table", "main", *options)
        player = self._stack.enter_context(self.server.client(*known, size=size))
        player.until(_BET)
        return player

    def look(self, *options: str, size: tuple[int, int]) -> Terminal:
        """Return a terminal in which a client runs that takes no seat."""
        return self._stack.enter_context(self.server.client(*options, size=size))


def _bet(player: Terminal, dollars: int) -> None:
    player.press(str(dollars), rf"\${dollars}")
    player.press("\r", "")


def table(folder: Path) -> str:
    """Return a round of four, in which it is the third one's turn."""
    with ExitStack() as stack:
        hotseat = _Party(stack, folder, "Ts 5c Ah Kd 6h 9d 6s 7s 3c Tc Jd")
        lia, tess, ned, omar = (
            hotseat.sit(handle, size=_WIDE)
            for handle in ("lia9", "tess", "ned21", "omar")
        )
        for player, dollars in ((lia, 100), (tess, 50), (ned, 25), (omar, 500)):
            _bet(player, dollars)
        lia.until(_PLAY)
        lia.press("s", "lia9 stands")
        tess.until(_PLAY)
        tess.press("d", "tess doubles")
        ned.until(_PLAY)
        return _seen(ned, "bj-client --handle ned21")


def split(folder: Path) -> str:
    """Return two hands that were a pair of eights, the first of them doubled."""
    with ExitStack() as stack:
        cards = "Ah 8s Tc 5d Ks 8h 9c Tc 3c Td Qh"
        hotseat = _Party(stack, folder, cards, "--table", "main=vegas-strip")
        tess, ned, lia = (
            hotseat.sit(handle, size=_WIDER) for handle in ("tess", "ned21", "lia9")
        )
        for player, dollars in ((tess, 40), (ned, 100), (lia, 60)):
            _bet(player, dollars)
        ned.until(_PLAY)
        ned.press("p", "Hand 1:")
        ned.press("d", "Hand 2:")
        return _seen(ned, "bj-client --handle ned21")


def small(folder: Path) -> str:
    """Return a hand in the smallest window that there may be."""
    with ExitStack() as stack:
        hotseat = _Party(stack, folder, "9s Qh 7d 3h 5c Tc")
        ned = hotseat.sit("ned21", size=_SMALLEST)
        lia = hotseat.sit("lia9", size=_SMALLEST)
        _bet(ned, 50)
        _bet(lia, 20)
        ned.until(_PLAY)
        return _seen(ned, "bj-client --handle ned21")


def ascii_only(folder: Path) -> str:
    """Return a round that is over, in characters of ASCII."""
    with ExitStack() as stack:
        hotseat = _Party(stack, folder, "Ts 9c 9h 9s 8c 7d Td")
        ned = hotseat.sit("ned21", "--ascii", size=_USUAL)
        lia = hotseat.sit("lia9", size=_USUAL)
        _bet(ned, 50)
        _bet(lia, 20)
        ned.until(_PLAY)
        ned.press("s", "ned21 stands")
        lia.until(_PLAY)
        lia.press("s", _OVER)
        ned.until(_OVER)
        return _seen(ned, "bj-client --handle ned21 --ascii")


def plain(folder: Path) -> str:
    """Return a round in plain lines."""
    with ExitStack() as stack:
        hotseat = _Party(stack, folder, "9s 6h 4d Th 8c 9c")
        ned = hotseat.sit("ned21", "--plain", size=(80, 40))
        ned.press("50\r", _PLAY)
        ned.press("h\r", r"Play again|New deal")
        return _cut(ned, "bj-client --plain --handle ned21")


def rules(folder: Path) -> str:
    """Return the rules of a house, on the table."""
    return _page(folder, "r", "The rules of")


def keys(folder: Path) -> str:
    """Return the list of the keys, on the table."""
    return _page(folder, "?", "Ctrl-C and")


def tables(folder: Path) -> str:
    """Return the list of the tables of a server."""
    with ExitStack() as stack:
        hotseat = _Party(stack, folder, "Ts", *_KINDS)
        for handle in ("ned21", "lia9"):
            hotseat.sit(handle, size=_USUAL)
        onlooker = hotseat.look("--list-tables", size=_USUAL)
        onlooker.end()
        return _cut(onlooker, "bj-client --list-tables")


def lobby(folder: Path) -> str:
    """Return the tables of a server, for a player who may sit down at one."""
    with ExitStack() as stack:
        hotseat = _Party(stack, folder, "9s Qh 7d 3h", *_KINDS)
        for handle in ("tess", "lia9"):
            hotseat.sit(handle, size=_USUAL)
        known = hotseat.server.address.replace("127.0.0.1", "localhost")
        ned = hotseat.look("--handle", "ned21", "--server", known, size=_WIDE)
        ned.until("Which table")
        ned.press("\x1b[B", "▶ 2")
        return _seen(ned, "bj-client --handle ned21")


def _page(folder: Path, key: str, words: str) -> str:
    with ExitStack() as stack:
        cards = "8s 6h 8d Th"
        hotseat = _Party(stack, folder, cards, "--table", "main=atlantic-city")
        ned = hotseat.sit("ned21", size=_WIDE)
        _bet(ned, 25)
        ned.until(_PLAY)
        ned.press(key, words)
        return _seen(ned, "bj-client --handle ned21")


def _seen(terminal: Terminal, title: str) -> str:
    """Draw the whole screen, once its buttons have come to life."""
    terminal.rest(_MOMENT)
    return drawing(terminal.screen, title)


def _cut(terminal: Terminal, title: str) -> str:
    """Draw the rows down to the last that has something in it."""
    rows = len(terminal.text.splitlines())
    return drawing(terminal.screen, title, rows=rows)


SCENES: dict[str, Scene] = {
    "table": table,
    "split": split,
    "small": small,
    "ascii": ascii_only,
    "plain": plain,
    "rules": rules,
    "keys": keys,
    "lobby": lobby,
    "tables": tables,
}
"""Every picture, by the name of its file."""
