"""What terminals have done to others' programs, done to the whole screen."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from support.serving import serving
from whole.ear import LineRecorder, listening
from whole.guest import Guest
from whole.terminal_case import ENVIRONMENTS, PROMPTS, STACKS
from whole.terminal_run import TerminalRun

WON = "Ts 9h 9s 8d"
LEFT_SCREEN = b"\x1b[?1049l"
MARKUP = "<ned21> & friends, {0}, %s, [red], \\n"


def start(
    *options: str, environment: Mapping[str, str] | None = None, **details: Any
) -> TerminalRun:
    """Start a client for ned21; the options come after those that all have."""
    usual = {"TERM": "xterm-256color", "NO_COLOR": ""}
    known = ("--handle", "ned21", "--pace", "0")
    variables = usual | dict(environment or {})
    return TerminalRun(*known, *options, environment=variables, **details)


@asynccontextmanager
async def sitting(
    folder: Path, *options: str, stack: str = WON, **details: Any
) -> AsyncIterator[tuple[TerminalRun, LineRecorder]]:
    """Bring a client to a table without a clock, of which an ear hears."""
    cards = ("--stack", stack, "--no-clock")
    async with serving(folder / "bank", *cards) as uri, listening(uri) as ear:
        run = start("--server", ear.address, *options, **details)
        try:
            await ear.greeted.wait()
            yield run, ear
        finally:
            run.close()


async def see(run: TerminalRun, words: str) -> None:
    await asyncio.to_thread(run.until, words)


async def end(run: TerminalRun) -> int:
    return await asyncio.to_thread(run.end)


@pytest.mark.parametrize("place", ["reads", "writes"])
async def test_c1_c9_a_stream_that_is_no_terminal_gets_lines_and_no_codes(
    tmp_path: Path, place: str
) -> None:
    file = tmp_path / "file"
    file.write_text("50\ns\nn\n" if place == "reads" else "")
    details: dict[str, Any] = {place: file, "draws": False}
    async with sitting(tmp_path, **details) as (run, ear):
        if place == "writes":
            run.type("50\rs\rn\r")
        assert await end(run) == 0
        said = run.said if place == "reads" else file.read_bytes()
        assert b"\x1b" not in run.said + said
        assert b"Good-bye, ned21: 1 round, 1 won" in said
        assert ear.heard == ["list_tables", "hello", "place_bet", "stand", "leave"]


async def test_c1_an_empty_input_leaves_at_the_first_question(tmp_path: Path) -> None:
    async with sitting(tmp_path, reads=Path("/dev/null"), draws=False) as (run, ear):
        assert await end(run) == 0
        assert ear.heard == ["list_tables", "hello", "leave"]
        assert b"Good-bye, ned21: 0 rounds" in run.said


async def test_c6_a_failed_start_says_why_in_a_terminal(tmp_path: Path) -> None:
    async def refuse(line: ServerConnection) -> None:
        refused = {"type": "refused", "prompt": None, "text": "Get a newer client."}
        await line.recv()
        await line.send(json.dumps(refused | {"code": "version_mismatch"}))

    async with (
        serving(tmp_path / "bank") as uri,
        serve(refuse, "127.0.0.1", 0) as other,
    ):
        older = "{}:{}".format(*next(iter(other.sockets)).getsockname())
        starts = [
            (("--server", "127.0.0.1:1"), 3, "There is no blackjack server at"),
            (("--server", uri, "--table", "nowhere"), 4, "no table of that name"),
            (("--server", older), 5, "Get a newer client."),
        ]
        for options, code, words in starts:
            run = start(*options)
            try:
                assert await end(run) == code
                assert words in run.text
                assert b"\x1b[?1049h" not in run.said
            finally:
                run.close()


@pytest.mark.parametrize("environment", ["ascii", "cp1252", "C"])
async def test_c7_the_screen_has_letters_where_symbols_cannot_be_shown(
    tmp_path: Path, environment: str
) -> None:
    more: dict[str, Any] = {"environment": ENVIRONMENTS[environment]}
    async with sitting(tmp_path, anew=environment == "C", **more) as (run, _):
        await see(run, "> Bet $1")
        run.type("5\r")
        await see(run, "> Hit, stand or double?")
        assert all(card in run.text for card in ("10S", "9S", "9H"))
        run.type("\x03")
        assert await end(run) == 130
        assert run.said.isascii()


async def test_c10_a_window_that_shrank_is_the_same_again_once_it_has_grown(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, size=(10, 3)) as (run, ear):
        run.resize(80, 24)
        await see(run, "\u25b6 Bet $1")
        run.type("5\r")
        await see(run, "\u25b6 Hit, stand or double?")
        run.resize(132, 43)
        # The first row, which is put so in a wide window alone, and the last one.
        await see(run, "8 decks \u00b7 412 cards left")
        await see(run, "q Leave")
        await asyncio.to_thread(run.until_still)
        before = run.cells
        for _ in range(10):
            for size in ((80, 24), (20, 6), (5, 2), (200, 60)):
                run.resize(*size)
        run.resize(20, 6)
        await see(run, "too")
        run.resize(132, 43)
        await asyncio.to_thread(run.until_cells, before)
        assert ear.heard == ["list_tables", "list_tables", "hello", "place_bet"]
        run.type("\x04")
        assert await end(run) == 0


async def test_c12_markup_of_others_is_shown_to_the_letter_on_the_screen(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path) as (run, ear):
        await see(run, "\u25b6 Bet $1")
        guest = await Guest.sit(f"ws://{ear.address}", "lia9")
        await guest.line.send(json.dumps({"type": "chat", "text": MARKUP}))
        await see(run, MARKUP)
        run.type("qq")
        assert await end(run) == 0
        await guest.line.close()


@pytest.mark.parametrize(
    ("ending", "code"),
    [("\x03", 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["Ctrl-C", "SIGTERM", "SIGHUP"],
)
async def test_c4_who_is_stopped_is_told_how_the_visit_went(
    tmp_path: Path, ending: str | signal.Signals, code: int
) -> None:
    async with sitting(tmp_path) as (run, _):
        for words, keys in (("Bet $1", "50\r"), ("Hit, stand", "s")):
            await see(run, f"\u25b6 {words}")
            run.type(keys)
        await see(run, f"\u25b6 {PROMPTS['again'][0]}")
        if isinstance(ending, str):
            run.type(ending)
        else:
            run.send_signal(ending)
        assert await end(run) == code
        after = b" ".join(run.said.rpartition(LEFT_SCREEN)[2].split())
        assert (
            b"ned21 has left after 1 round, 1 won, 0 lost, 0 pushed, net $50" in after
        )
        assert (b"ned21 won at most $50.00 with a hand" in after) == (code != 129)


@pytest.mark.parametrize("mode", [(), ("--line",)], ids=["screen", "line"])
async def test_a_warning_about_the_key_never_writes_over_what_is_drawn(
    tmp_path: Path, mode: tuple[str, ...]
) -> None:
    key = tmp_path / "key"
    async with sitting(tmp_path, "--key-file", str(key), *mode, size=(140, 40)) as (
        run,
        ear,
    ):
        bet = "Bet ($1" if mode else "\u25b6 Bet $1"
        await see(run, bet)
        key.chmod(0o644)
        ear.cut()
        await see(run, "The key file")
        assert key.stat().st_mode & 0o777 == 0o600
        drawn = run.said
        run.type("q\r" if mode else "\x04")
        assert await end(run) == 0
        warning = f"bj-client: The key file {key} could".encode()
        rows = run.text.splitlines()
        if mode:
            assert run.said.count(warning) == 1
            assert any(row.startswith("bj-client: The key file") for row in rows)
        else:
            assert warning not in drawn
            assert warning in run.said.rpartition(LEFT_SCREEN)[2]


async def test_a_new_question_of_the_same_hand_is_bright_without_a_clock(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, stack=STACKS["hit"]) as (run, _):
        for words, keys in (("Bet $1", "5\r"), ("Hit, stand or double?", "h")):
            await see(run, f"\u25b6 {words}")
            run.type(keys)
        await see(run, "\u25b6 Hit or stand?")
        run.type("\x04")
        assert await end(run) == 0
