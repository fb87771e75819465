"""The command ``bj-odds``: from the command line to the exit status."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum

from bj_server.odds_cli.options import Options, read_options
from bj_server.standard import begin, complain, write_text

_NAME = "bj-odds"


class Exit(IntEnum):
    """The exit statuses of ``bj-odds``."""

    TOLD = 0
    NO_OUTPUT = 1
    WRONG_OPTIONS = 2
    """The options are wrong, or name no house, no cards or no file."""
    INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell what ``arguments`` ask for; return the exit status."""
    begin(_NAME)
    options = read_options(arguments)
    try:
        text = _answer(options)
    except KeyboardInterrupt:
        complain(_NAME, "Interrupted.")
        return Exit.INTERRUPTED
    try:
        write_text(sys.stdout, text)
    except OSError as error:
        complain(_NAME, f"The output cannot be written: {error.strerror}.")
        return Exit.NO_OUTPUT
    return Exit.TOLD


def _answer(options: Options) -> str:
    # Here, since --help needs no figures.
    from bj_server.odds_cli import answer

    if options.simulate is not None:
        with _progress(options.simulate) as step:
            return answer.simulation(options, options.simulate, step)
    if options.hand:
        return answer.hand(options)
    if options.compare:
        return answer.comparison(options)
    return answer.house(options, in_colour=_has_colours())


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[int, str], None]]:
    """Give a function that shows how much is done, if standard error is a terminal."""
    stream = sys.stderr
    is_shown = stream is not None and stream.isatty()

    def step(done: int, said: str) -> None:
        if is_shown:
            full = 30 * done // total
            bar = f"[{'#' * full}{'.' * (30 - full)}] {100 * done // total:>3} %"
            _show(f"\r\x1b[K{bar}  {said}")

    def _show(text: str) -> None:
        with contextlib.suppress(OSError):
            write_text(stream, text)

    try:
        yield step
    finally:
        if is_shown:
            _show("\r\x1b[K")
