"""Programs: the protocol on standard streams, and what does not go with it."""

import argparse
from collections.abc import Sequence


def add_program(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("for programs")
    group.add_argument(
        "--json",
        action="store_true",
        help="speak the protocol on standard input and output, a line of JSON for each "
        "message: for bots in any language",
    )


def check_program(
    parser: argparse.ArgumentParser, given: argparse.Namespace, handles: Sequence[str]
) -> None:
    """See that with ``--json`` a program plays alone.

    Raises:
        SystemExit: with 2 and a sentence, if somebody else is to play.
    """
    if not given.json:
        return
    for name, why in _INSTEAD.items():
        if getattr(given, name):
            option = f"--{name.replace('_', '-')}"
            parser.error(f"with --json {why}: leave {option} out.")
    if len(handles) > 1:
        parser.error(
            "--json is for one player: name one handle, and start another bj-client "
            "for each of the others."
        )


_INSTEAD = {
    "bot": "a program of yours plays",
    "style": "nothing but JSON is printed",
    "rounds": "the program leaves when it likes, by the end of its commands",
    "list_tables": "the program asks for the tables, by list_tables",
}
