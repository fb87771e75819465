"""The command ``bj-odds``: from the command line to the exit status."""

import os
import sys
from collections.abc import Sequence
from enum import IntEnum

from bj_server.odds_cli.options import Options, read_options
from bj_server.standard import begin, complain, passing_line, write_text

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
        with passing_line() as show:
            return answer.simulation(options, options.simulate, show)
    if options.hand:
        return answer.hand(options)
    if options.compare:
        return answer.comparison(options)
    return answer.house(options, in_colour=_has_colours())


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
