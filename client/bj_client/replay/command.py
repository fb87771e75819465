"""The command ``bj-client replay``: from its arguments to the end of a record."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bj_client.error import Exit, OutputClosedError
from bj_client.fair.record import RecordError
from bj_client.model.table import Table
from bj_client.options.checked import file, number, seconds
from bj_client.play.input import EndOfInputError
from bj_client.play.output import Tone
from bj_client.replay.player import HELP, Player, ReplayView
from bj_client.replay.tape import Frame, Recording, cut_tape, read_recording
from bj_client.stop import run_until, stop_signals
from bj_client.words.text import fail
from bj_protocol.handle import canonical_handle
from bj_protocol.messages import Snapshot
from bj_protocol.option import Option, Parser

_EXAMPLES = """\
examples:
  bj-client replay evening.jsonl              on the whole screen
  bj-client replay evening.jsonl --speed 4    four times as fast
  bj-client replay evening.jsonl --plain --speed 0 > evening.txt

On the screen: space pauses and goes on, n or the arrow to the right shows the next
event, q quits. In lines: p, n or Enter, and q.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions:
    """The record to play, and how."""

    file: Path
    visit: int | None
    """The visit of the file, from 1; None for the last."""
    handle: str | None
    """The handle whose view is shown; None for the first one there."""
    speed: float
    """How many times as fast as it was; 0 for without any waiting."""
    line: bool
    plain: bool
    ascii: bool


def _handle(text: str) -> str:
    handle = canonical_handle(text)
    if handle is None:
        raise ValueError("nobody can be called so.")
    return handle


_ROWS = (
    Option("file FILE", "the record", file),
    Option(
        "--visit N",
        "the visit of the file to play, from 1; by default the last",
        number("a visit is a whole number, from 1."),
    ),
    Option(
        "--handle HANDLE",
        "whose view to play; by default that of the first player",
        _handle,
    ),
    Option(
        "--speed N",
        "how many times as fast as it was; 0 waits for nothing (default 1)",
        seconds(1000, "the speed is a number, 0 to 1000."),
        1.0,
    ),
    Option("--line", "lines and a prompt"),
    Option("--plain", "plain lines only"),
    Option("--ascii", "nothing but ASCII: suits as the letters S, H, D, C"),
)


def read_replay(arguments: Sequence[str]) -> ReplayOptions:
    """Read the arguments after ``replay``."""
    return ReplayOptions(**vars(make_parser().parse_args(arguments)))


def make_parser() -> Parser:
    """Return the parser of all options."""
    return Parser(
        prog="bj-client replay",
        description="Play a record back that bj-client --record has written.",
        epilog=_EXAMPLES,
        rows=_ROWS,
    )


_OpenView = Callable[[ReplayOptions, Table], ReplayView]


def replay(arguments: Sequence[str], open_view: _OpenView) -> int:
    """Play a record back as the arguments say, and return the exit code."""
    options = read_replay(arguments)
    try:
        visits = read_recording(options.file)
        visit = options.visit or len(visits)
        if visit > len(visits):
            raise RecordError(
                f"There is no visit {visit} in {options.file}: the last is "
                f"{len(visits)}."
            )
        recording = visits[visit - 1]
        first, tape = _thread(recording, options)
    except RecordError as bad:
        return fail(Exit.USAGE, str(bad))
    return asyncio.run(_show(options, recording, first, tape, open_view))


def _thread(
    recording: Recording, options: ReplayOptions
) -> tuple[Snapshot, list[Frame]]:
    """Return the first picture that somebody saw, and what comes after it.

    Raises:
        RecordError: if that is nobody's, or there is no picture.
    """
    handles = recording.handles
    handle = handles[0] if options.handle is None and handles else options.handle
    if handle not in handles and handles:
        known = ", ".join(each or "somebody who watched" for each in handles)
        raise RecordError(f"{handle} was not there; these are in the record: {known}.")
    tape = cut_tape(recording, handle)
    for at, (_, entry) in enumerate(tape, 1):
        if isinstance(entry.heard, Snapshot):
            return entry.heard, tape[at:]
    raise RecordError(
        f"There is no picture of the table in it, so {options.file} cannot be shown; "
        "take a whole copy of the record."
    )


async def _show(
    options: ReplayOptions,
    recording: Recording,
    first: Snapshot,
    tape: list[Frame],
    open_view: _OpenView,
) -> int:
    table = Table(first)
    view = open_view(options, table)
    player = Player(table, tape, view, options.speed)
    keys = f": {HELP}" if view.input.is_live and view.show is None else ""
    title = f"A record of table {table.name} at {recording.header.server}{keys}."
    narrator = view.narrator

    async def tell() -> None:
        await narrator.output.line(title, Tone.NOTICE)
        await narrator.welcome(table, first.notices)
        with contextlib.suppress(EndOfInputError):
            await player.run()
        await narrator.summary(table)
        await narrator.farewell(table)

    with stop_signals() as stopped:
        try:
            code = await run_until(stopped, tell())
        except OutputClosedError as closed:
            return Exit.LEFT if closed.quiet else fail(closed.exit, str(closed))
        if code is None:
            return Exit.LEFT
        with contextlib.suppress(OutputClosedError):
            narrator.output.end_line()
        return fail(code, "The replay was stopped before its end.")
