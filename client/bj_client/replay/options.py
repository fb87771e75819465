"""The options of ``bj-client replay``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bj_client.options.checked import file, number, seconds
from bj_protocol.handle import canonical_handle
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
    parser = Parser(
        prog="bj-client replay",
        description="Play a record back that bj-client --record has written.",
        epilog=_EXAMPLES,
    )
    parser.add_rows(_ROWS)
    return parser
