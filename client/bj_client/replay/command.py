"""The command ``bj-client replay``: from its arguments to the end of a record."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from bj_client.error import OutputClosedError
from bj_client.exits import Exit
from bj_client.model.table import Table
from bj_client.play.input import EndOfInputError
from bj_client.play.output import Tone
from bj_client.play.suspend import terminal_kept
from bj_client.replay.options import ReplayOptions, read_replay
from bj_client.replay.player import HELP, Player, ReplayView
from bj_client.replay.tape import (
    Frame,
    Recording,
    RecordingError,
    cut_tape,
    read_recording,
)
from bj_client.stop import run_until, stop_signals
from bj_client.words.text import complain
from bj_protocol.messages import Snapshot

_OpenView = Callable[[ReplayOptions, Table], ReplayView]


def replay(arguments: Sequence[str], open_view: _OpenView) -> int:
    """Play a record back as the arguments say, and return the exit code."""
    options = read_replay(arguments)
    try:
        visits = read_recording(options.file)
        number = options.visit or len(visits)
        if number > len(visits):
            raise RecordingError(
                f"There is no visit {number} in {options.file}: the last is "
                f"{len(visits)}."
            )
        recording = visits[number - 1]
        first, tape = _thread(recording, options)
    except RecordingError as bad:
        return _fail(Exit.USAGE, str(bad))
    return asyncio.run(_show(options, recording, first, tape, open_view))


def _thread(
    recording: Recording, options: ReplayOptions
) -> tuple[Snapshot, list[Frame]]:
    """Return the first picture that somebody saw, and what comes after it.

    Raises:
        RecordingError: if that is nobody's, or there is no picture.
    """
    handles = recording.handles
    handle = handles[0] if options.handle is None and handles else options.handle
    if handle not in handles and handles:
        known = ", ".join(each or "somebody who watched" for each in handles)
        raise RecordingError(
            f"{handle} was not there; these are in the record: {known}."
        )
    tape = cut_tape(recording, handle)
    for number, frame in enumerate(tape):
        if isinstance(frame.heard, Snapshot):
            return frame.heard, tape[number + 1 :]
    raise RecordingError(
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

    with terminal_kept(), stop_signals() as stopped:
        try:
            code = await run_until(stopped, tell())
        except OutputClosedError as closed:
            return Exit.LEFT if closed.quiet else _fail(closed.exit, str(closed))
        if code is None:
            return Exit.LEFT
        with contextlib.suppress(OutputClosedError):
            narrator.output.end_line()
        return _fail(code, "The replay was stopped before its end.")


def _fail(code: Exit, sentence: str) -> Exit:
    complain(sentence)
    return code
