"""The options of ``bj-client replay``."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bj_client.options.checked import file, number, seconds
from bj_protocol.handle import canonical_handle

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


def read_replay(arguments: Sequence[str]) -> ReplayOptions:
    """Read the arguments after ``replay``.

    Raises:
        SystemExit: with 2 and a sentence on standard error if they are wrong, and
            with 0 for ``--help``.
    """
    return ReplayOptions(**vars(make_parser().parse_args(arguments)))


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    parser = argparse.ArgumentParser(
        prog="bj-client replay",
        description="Play a record back that bj-client --record has written.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", type=file, metavar="FILE", help="the record")
    parser.add_argument(
        "--visit",
        type=_visit,
        metavar="N",
        help="the visit of the file to play, from 1; by default the last",
    )
    parser.add_argument(
        "--handle",
        type=_handle,
        help="whose view to play; by default that of the first player",
    )
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="N",
        help="how many times as fast as it was; 0 waits for nothing (default 1)",
    )
    parser.add_argument("--line", action="store_true", help="lines and a prompt")
    parser.add_argument("--plain", action="store_true", help="plain lines only")
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="nothing but ASCII: suits as the letters S, H, D, C",
    )
    return parser


def _visit(text: str) -> int:
    return number(text, "a visit is a whole number, from 1.")


def _speed(text: str) -> float:
    return seconds(text, 1000, "the speed is a number, 0 to 1000.")


def _handle(text: str) -> str:
    handle = canonical_handle(text)
    if handle is None:
        raise argparse.ArgumentTypeError("nobody can be called so.")
    return handle
