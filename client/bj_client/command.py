"""The command: from the command line to the exit code.

If the command line names nobody, the client asks in plain lines, before it joins
anything: how many play, and then for each handle, until all of it is right. Every run
ends here: in one closing line for each player, at most one last sentence on
standard error, and a documented exit code; never in a traceback.
"""

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, TextIO

from bj_client.error import ClientError, Exit, OutputClosedError
from bj_client.options import Options, read_options
from bj_client.stop import going_on, run_until, stop_signals
from bj_client.words.text import complain, fail, rows
from bj_protocol.handle import HANDLE_RULE, canonical_handle
from bj_protocol.option import unknown_variables

if TYPE_CHECKING:
    from bj_client.app import App
    from bj_client.model.table import Table


def run(arguments: Sequence[str] | None = None) -> int:
    """Play as the command line says, and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for odd in unknown_variables(os.environ):
        complain(odd)
    try:
        if words[:1] == ["verify"]:
            from bj_client.verify import verify

            return verify(words[1:])
        if words[:1] == ["replay"]:
            from bj_client.frontend import open_replay
            from bj_client.replay.command import replay

            return replay(words[1:], open_replay)
        if "--train" in words:
            from bj_client.trainer.command import train

            words.remove("--train")
            return train(words)
        options = read_options(words)
        if options.most_players:
            with contextlib.suppress(EOFError):
                asked = ask_players(options.most_players, sys.stdin.buffer, sys.stdout)
                options = replace(options, handles=asked)
            if not options.handles:
                return Exit.LEFT
        return asyncio.run(_play(options))
    except KeyboardInterrupt:
        return fail(Exit.INTERRUPTED, _stopped(Exit.INTERRUPTED, None))
    except Exception as error:
        if os.environ.get("BJ_DEBUG"):
            raise
        return fail(
            Exit.FAULT,
            f"bj-client itself has failed ({type(error).__name__}: {error}): please "
            "report it, with the output of BJ_DEBUG=1.",
        )


def ask_players(most: int, typed: BinaryIO, shown: TextIO) -> tuple[str, ...]:
    """Ask on a terminal how many play here, at most ``most``, and for their handles.

    Raises:
        EOFError: if nothing more is typed, or ``q`` for the number.
    """

    def say(sentence: str) -> None:
        shown.write("".join(f"{row}\n" for row in rows(sentence, shown)))

    def ask(question: str) -> str:
        def pose() -> None:
            shown.write(f"{question} ")
            shown.flush()

        pose()
        line = b""
        try:
            with going_on(pose):
                line = typed.readline()
        finally:
            if not line:  # what follows has a line of its own
                shown.write("\n")
                shown.flush()
        if not line:
            raise EOFError
        return line.decode("utf-8", "replace").strip()

    count = _ask_number(ask, say, most) if most > 1 else 1
    handles: list[str] = []
    while len(handles) < count:
        whose = f"Handle of player {len(handles) + 1}" if count > 1 else "Your handle"
        handle = canonical_handle(ask(f"{whose}?"))
        if handle is None:
            say(HANDLE_RULE)
        elif handle in handles:
            say("That one plays already: each player needs a handle.")
        else:
            handles.append(handle)
    return tuple(handles)


def _ask_number(
    ask: Callable[[str], str], say: Callable[[str], None], most: int
) -> int:
    while True:
        text = ask(f"How many players (1 to {most})?")
        if text.casefold() in {"q", "quit", "leave"}:
            raise EOFError
        if text in map(str, range(1, most + 1)):
            return int(text)
        say(
            f"Type a number from 1 to {most}, for those who share this keyboard, or q "
            "to leave."
        )


async def _play(options: Options) -> int:
    asyncio.get_running_loop().set_exception_handler(_unheard)
    gc.disable()  # what is loaded stays, and there is much of it
    try:
        from bj_client.app import App  # all that plays; --help does without

        app = App(options)
    except ClientError as ending:
        return fail(ending.exit, str(ending))
    finally:
        gc.freeze()
        gc.enable()
    try:
        code = await _visit(app)
    finally:
        app.witness.close()
    if app.witness.findings:
        return fail(Exit.UNFAIR, app.witness.verdict)
    return code


async def _visit(app: "App") -> int:
    with stop_signals(app.front.plain.ask_again) as stopped:
        try:
            code = await run_until(stopped, app.play())
        except OutputClosedError as closed:
            return Exit.LEFT if closed.quiet else fail(closed.exit, str(closed))
        except ClientError as ending:
            with contextlib.suppress(OutputClosedError):
                await app.farewell()
            return fail(ending.exit, str(ending))
        if code is not None:
            with contextlib.suppress(OutputClosedError):
                app.front.output.end_line()
                if code is not Exit.HANGUP:  # when nobody is there to read it
                    await app.sum_up()
            return fail(code, _stopped(code, app.table))
        with contextlib.suppress(OutputClosedError):
            await app.farewell()
        return app.exit


def _stopped(code: Exit, table: "Table | None") -> str:
    why = {
        Exit.TERMINATED: "Stopped by SIGTERM",
        Exit.HANGUP: "The terminal was closed",
    }.get(code, "Interrupted")
    if table is None:  # the server's acts by then are not known here
        return f"{why} before play began: run bj-client again."
    if not table.ours:
        return f"{why}: run bj-client again to look on."
    from bj_client.words.board import score

    seats = table.ours.values()
    left = [f"{own.handle} has left after {score(own, table)}" for own in seats]
    return f"{why}: {'; '.join(left)}; run bj-client again to play on."


def _unheard(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Keep quiet about a terminal that is gone; tell the rest only to debuggers."""
    if os.environ.get("BJ_DEBUG"):
        loop.default_exception_handler(context)
