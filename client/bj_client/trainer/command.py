"""The command ``bj-client --train``: from its arguments to the end of a lesson."""

import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from bj_client.bot.drill import HOUSES, Drill, indices, shipped_house
from bj_client.error import Exit, OutputClosedError
from bj_client.model.seat import Faces, Judged, faces_in
from bj_client.options.checked import number
from bj_client.options.options import user_name
from bj_client.play.output import PlainOutput
from bj_client.play.play_book import keep_plays, read_book
from bj_client.stop import going_on
from bj_client.trainer.lesson import (
    TITLES,
    CountLesson,
    IndexLesson,
    Lesson,
    PlayLesson,
    Sight,
)
from bj_client.words.text import fail, is_rich, listed, rows
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
    parser = Parser(
        prog="bj-client --train",
        description="Drill basic strategy and counting, by the rules of a house.",
        epilog=_EXAMPLES,
        rows=_ROWS,
    )
    given = parser.parse_args(arguments)
    name = given.handle or os.environ.get("BJ_HANDLE") or user_name()
    handle = canonical_handle(name)
    if handle is None:
        parser.error(f"{name!r} is no handle: name yourself, as in --handle ned21.")
    return TrainOptions(**vars(given) | {"handle": handle})


_COUNTS = "counts"
"""The folder of the scores of counting, beside that of the plays at tables."""
_SHOE = 6
"""The decks of a shoe that is counted, where the house has one alone or none."""


def train(arguments: Sequence[str]) -> int:
    """Drill as the arguments say, and return the exit code."""
    options = read_train(arguments)
    lesson = _lesson(options)
    if lesson is None:
        lacks = "has an index" if options.kind == "index" else "is a choice"
        without = f"No play of {options.house} {lacks}: name another with --house."
        return fail(Exit.USAGE, f"bj-client: {without}")
    output, encoding = PlainOutput(sys.stdout), getattr(sys.stdout, "encoding", None)
    faces = faces_in(encoding, ascii_only=options.ascii)
    try:
        if is_rich(plain=options.plain):
            from bj_client.trainer.view import show  # lines need no screen

            code = asyncio.run(show(lesson, faces))
        else:
            code = _in_lines(lesson, faces, output)
        for line in _summary(lesson, options):
            output.write("".join(f"{row}\n" for row in rows(line, sys.stdout)))
    except OutputClosedError as closed:
        return Exit.LEFT if closed.quiet else fail(closed.exit, str(closed))
    return code


def _shelf(options: TrainOptions) -> str:
    """Return the folder of the scores of hands, one for the rules of each house."""
    return f"drills/{options.house}"


def _lesson(options: TrainOptions) -> Lesson | None:
    # Chance is for surprise here, and for nothing that could be gained.
    house, chance = shipped_house(options.house), Random(options.seed)  # noqa: S311
    if options.kind == "deck":
        return CountLesson(chance, 1)
    if options.kind == "shoe":
        many = house.decks if house.decks > 1 else _SHOE
        return CountLesson(chance, many)
    if options.kind == "index":
        found = indices(house)
        return IndexLesson(chance, house.name, found) if found else None
    if not house.hit:
        return None
    book = read_book(options.handle, _shelf(options))
    wrong = {kind for kind in book.plays if book.right[kind] < 0.8 * book.plays[kind]}
    return PlayLesson(Drill(house, chance), options.kind, wrong)


def _summary(lesson: Lesson, options: TrainOptions) -> list[str]:
    """Return what is said at the end, once the scores are kept."""
    handle, score = options.handle, f"{lesson.sight.score}."
    if isinstance(lesson, PlayLesson):
        if not lesson.judged:
            return []
        book = keep_plays(handle, lesson.judged, _shelf(options))
        return [score, book.summary(f"{handle} in {options.house}", "drills")]
    if not lesson.answers:
        return [score]
    kind = lesson.sight.title
    judged = [Judged(kind, "", "", not right) for right in lesson.answers]
    book = keep_plays(handle, judged, _COUNTS)
    many, right = book.plays[kind], book.right[kind]
    return [score, f"All answers of {handle} to {kind}: {right:,} of {many:,} right."]


_ENTERED = {"Answer": "a whole number", "Next": "Enter"}
"""What is typed in lines for the buttons of Enter."""


def _in_lines(lesson: Lesson, faces: Faces, output: PlainOutput) -> Exit:
    """Ask in plain lines: a key, its word or a number on each, and q to leave."""
    said: Sequence[str] = ()
    while True:
        sight = lesson.sight
        asked = (*said, *_shown(sight, faces), _asked(sight))
        output.write("".join(f"{line}\n" for line in asked))
        try:
            with going_on(partial(output.write, f"{_asked(sight)}\n")):
                text = "" if sys.stdin is None else sys.stdin.readline()
        except KeyboardInterrupt:
            return Exit.INTERRUPTED
        word = text.strip().casefold()
        if not text or word in ("q", "quit"):
            return Exit.LEFT
        is_number = word.lstrip("+-").isdigit()
        keys = {label.casefold(): key for key, label in sight.keys}
        for key in (
            (*word, "enter") if is_number else (keys.get(word, word or "enter"),)
        ):
            lesson.press(key)
        said = lesson.sight.said
        if lesson.sight == sight:
            wanted = [_ENTERED.get(label, key) for key, label in sight.keys]
            said = [f"That is no answer: type {listed(wanted, 'or')}; q leaves."]


def _shown(sight: Sight, faces: Faces) -> list[str]:
    hands = (("Dealer", sight.dealer[:1]), ("Cards", sight.cards))
    return [f"{name}: {faces.cards(cards)}" for name, cards in hands if cards]


def _asked(sight: Sight) -> str:
    keys = ", ".join(f"{key} {label}" for key, label in sight.keys if key != "enter")
    return f"{sight.asked.rstrip('_')} {keys}".rstrip()
