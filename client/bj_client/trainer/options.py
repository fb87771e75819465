"""The options of ``bj-client --train``."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from bj_client.bot.drill import HOUSES
from bj_client.options.checked import number
from bj_client.options.options import user_name
from bj_client.trainer.lesson import TITLES
from bj_protocol.handle import canonical_handle
from bj_protocol.option import Option, Parser

_EXAMPLES = """\
examples:
  bj-client --train                       any hand of cpsc386, and those you get wrong
  bj-client --train doubles --house vegas-strip
  bj-client --train deck                  count down a deck, and guess its last card
  bj-client --train shoe                  the running and the true count of a shoe
  bj-client --train index --house downtown

Keys are those of a table; q leaves. Scores are kept for each handle, beside its key.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions:
    """What is drilled, and how it looks."""

    kind: str
    handle: str
    house: str
    seed: int | None
    plain: bool
    ascii: bool


_ROWS = (
    Option(
        "kind KIND",
        f"what is drilled: {', '.join(TITLES)} (default: all)",
        default="all",
        count="?",
        choices=tuple(TITLES),
    ),
    Option("--handle HANDLE", "whose scores are kept (default: you)"),
    Option(
        "--house NAME",
        "the rules (default: cpsc386)",
        default="cpsc386",
        choices=HOUSES,
    ),
    Option(
        "--seed N",
        "deal the same hands each time",
        number("a seed is a whole number, from 1."),
    ),
    Option("--plain", "plain lines only"),
    Option("--ascii", "nothing but ASCII: suits as the letters S, H, D, C"),
)


def read_train(arguments: Sequence[str]) -> TrainOptions:
    """Read the arguments beside ``--train``."""
    parser = make_parser()
    given = parser.parse_args(arguments)
    name = given.handle or os.environ.get("BJ_HANDLE") or user_name()
    handle = canonical_handle(name)
    if handle is None:
        parser.error(f"{name!r} is no handle: name yourself, as in --handle ned21.")
    return TrainOptions(**vars(given) | {"handle": handle})


def make_parser() -> Parser:
    """Return the parser of all options."""
    parser = Parser(
        prog="bj-client --train",
        description="Drill basic strategy and counting, by the rules of a house.",
        epilog=_EXAMPLES,
    )
    parser.add_rows(_ROWS)
    return parser
