"""Keys and signals in a pseudo-terminal: the visit ends as documented, in order."""

import asyncio
import os
import signal
import termios
from typing import Any, Protocol

import pexpect
import pytest

from bj_client.net.address import Address
from bj_protocol.action import Action
from bj_protocol.commands import Leave, PlaceBet
from bj_protocol.views import Ask, HouseView
from support.fake_server import fake_server
from support.message import make_ask
from support.nursery import PATIENCE
from support.terminal import Spawned


class Deed(Protocol):
    """Does something to a terminal, or waits for it."""

    def __call__(self, terminal: Any, /) -> object: ...


Step = str | Deed

PROMPTS: dict[str, tuple[tuple[Action, ...], str]] = {
    "bet": ((Action.PLACE_BET, Action.SIT_OUT), "Bet ("),
    "gift": ((Action.ACCEPT_GIFT, Action.SIT_OUT), "You are broke"),
    "insurance": ((Action.INSURE, Action.DECLINE), "Insurance ("),
    "pair": ((Action.SPLIT, Action.DECLINE), "Split your"),
    "play": ((Action.HIT, Action.STAND, Action.DOUBLE), "Hit (h)"),
}
ON_SCREEN = {
    "bet": "Bet $1 to",
    "play": "Hit, stand or double?",
}
BET = {"rich": "Bet (", "plain": "Bet (", "screen": ON_SCREEN["bet"]}
KINDS = [("rich", kind) for kind in PROMPTS] + [("plain", "bet"), ("dumb", "play")]
KINDS += [("screen", kind) for kind in ON_SCREEN]
KEYS = [
    ("screen", "\x03"),
    ("screen", "5\x03"),
    ("rich", "\x03"),
    ("rich", "\x03\x03"),
    ("rich", "5\x03"),
    ("plain", "5\x03"),
]
SIGNALS = [
    ("screen", signal.SIGTERM, 143),
    ("screen", signal.SIGHUP, 129),
    ("rich", signal.SIGTERM, 143),
    ("rich", signal.SIGHUP, 129),
    ("plain", signal.SIGTERM, 143),
]

_ENTER_SCREEN, _LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
_SHOW_CURSOR, _HIDE_CURSOR = "\x1b[?25h", "\x1b[?25l"
_MOUSE_ON, _MOUSE_OFF = "\x1b[?1000h", "\x1b[?1000l"


UNKNOWN = HouseView(name="cpsc386", title="Eight decks", rules=(), minimum_bet=100)
"""A house of which the client does not know when anything is asked."""


class Terminal:
    """The command in a terminal of its own, and a server that asks it one thing."""

    def __init__(self, ask: Ask, mode: str = "rich") -> None:
        self._served = fake_server
        self._ask = ask
        modes = {"plain": ["--plain"], "rich": ["--line"]}
        self._options = ["--table", "main", *modes.get(mode, [])]
        self._name = "dumb" if mode == "dumb" else "xterm-256color"
        self.heard: list[object] = []
        self.shown = ""
        self.status: int | None = None

    async def play(self, prompt: str, *steps: Step, **environment: str) -> None:
        """Wait for the prompt, do the steps, wait for the end."""
        async with self._served(self._serve) as address:
            await asyncio.to_thread(self._play, address, prompt, steps, environment)

    async def _serve(self, server: Any) -> None:
        await server.hello(self._ask, house=UNKNOWN)
        while Leave() not in self.heard:
            self.heard.append(await server.hear())
        await server.socket.close()

    def _play(
        self,
        address: Address,
        prompt: str,
        steps: tuple[Step, ...],
        environment: dict[str, str],
    ) -> None:
        terminal = Spawned(
            "bj_client",
            ("--handle", "ned21", "--server", address.shown, *self._options),
            (80, 24),
            dict(os.environ) | {"TERM": self._name} | environment,
            timeout=PATIENCE,
            encoding="utf-8",
        )
        terminal.expect_exact(prompt)
        self.shown = terminal.before
        for step in steps:
            if callable(step):
                step(terminal)
            else:
                terminal.send(step)
        terminal.expect(pexpect.EOF)
        self.shown += terminal.before
        assert termios.tcgetattr(terminal.child_fd) == terminal.settings
        terminal.close()
        self.status = terminal.exitstatus


def _hear(text: str) -> Step:
    return lambda terminal: terminal.expect_exact(text)


def _signal(number: int) -> Step:
    return lambda terminal: os.kill(terminal.pid, number)


@pytest.mark.parametrize(("mode", "kind"), KINDS)
async def test_c3_ctrl_d_leaves_in_order_at_every_prompt(kind: str, mode: str) -> None:
    actions, prompt = PROMPTS[kind]
    prompt = ON_SCREEN[kind] if mode == "screen" else prompt
    terminal = Terminal(make_ask(1, *actions, gift=1_000_000), mode)
    await terminal.play(prompt, "\x04")
    assert (terminal.status, terminal.heard) == (0, [Leave()])
    assert terminal.shown.count("Good-bye, ned21") == 1
    assert "Traceback" not in terminal.shown


async def test_c3_ctrl_d_after_typing_harms_nothing() -> None:
    terminal = Terminal(make_ask(1))
    await terminal.play("Bet (", "5", "\x04", "\r", _hear("$10,000"), "q\r")
    assert terminal.status == 0
    assert terminal.heard == [PlaceBet(prompt=1, amount=500), Leave()]


@pytest.mark.parametrize(("mode", "keys"), KEYS)
async def test_c4_ctrl_c_gives_the_terminal_back(mode: str, keys: str) -> None:
    terminal = Terminal(make_ask(1), mode)
    await terminal.play(BET[mode], keys)
    assert (terminal.status, terminal.heard) == (130, [Leave()])
    assert terminal.shown.count("Interrupted: ned21 has left") == 1
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(("mode", "number", "status"), SIGNALS)
async def test_c4_signals_leave_in_order(mode: str, number: int, status: int) -> None:
    terminal = Terminal(make_ask(1), mode)
    await terminal.play(BET[mode], _signal(number))
    assert (terminal.status, terminal.heard) == (status, [Leave()])
    assert terminal.shown.count("ned21 has left") == 1


@pytest.mark.parametrize("keys", ["\x03", "\x04", "q"])
async def test_the_screen_is_left_as_it_was_before_the_last_words(keys: str) -> None:
    terminal = Terminal(make_ask(1), "screen")
    await terminal.play(BET["screen"], keys)
    drawn, _, after = terminal.shown.rpartition(_LEAVE_SCREEN)
    assert _ENTER_SCREEN in drawn
    assert (
        drawn.rfind(_SHOW_CURSOR) > drawn.rfind(_HIDE_CURSOR) or _SHOW_CURSOR in after
    )
    assert drawn.rfind(_MOUSE_OFF) > drawn.rfind(_MOUSE_ON) or _MOUSE_OFF in after
    assert "ned21" in after
    assert "has left after" in after or "Good-bye, ned21" in after


@pytest.mark.parametrize("mode", ["plain", "dumb"])
async def test_c9_plain_lines_and_dumb_terminals_get_no_escape_bytes(mode: str) -> None:
    terminal = Terminal(make_ask(1), mode)
    await terminal.play("Bet (", "q\r")
    assert terminal.status == 0
    assert "\x1b" not in terminal.shown


async def test_c9_no_color_shows_no_colours() -> None:
    terminal = Terminal(make_ask(1))
    await terminal.play("Bet (", "x\r", _hear("not an amount"), "q\r", NO_COLOR="1")
    colours = [f"\x1b[0;{code}" for code in range(30, 38)]
    assert not any(colour in terminal.shown for colour in colours)
    assert "38;5" not in terminal.shown


async def test_a_running_clock_and_the_bank_stand_below_the_prompt() -> None:
    terminal = Terminal(make_ask(1))
    await terminal.play("Bet (", _hear("your turn: 30 s"), _hear("29"), "\x04")
    assert terminal.status == 0
