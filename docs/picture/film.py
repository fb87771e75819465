"""The film: a recorded session as an SVG that moves, and needs no other file.

What stays the same from one frame to the next is drawn once. Each piece of the screen
has the times at which it is to be seen, as CSS keyframes; pieces of the same times are
one group. Where nothing may move, as the reader's system says, or nothing can, the
fullest frame is seen.
"""

from collections import defaultdict
from collections.abc import Iterator

import pyte

from picture.cast import Cast
from picture.screen import Screen
from picture.svg import Run, pieces, runs_of, window

_STEP = 0.3
"""Seconds of the session from one frame to the next."""
_SPEED = 1.4
"""How many times as fast as it was."""
_END = 3.0
"""Seconds for which the last frame stays, before the first comes again."""
_STYLE = (
    ".f{{animation-duration:{seconds:g}s;animation-timing-function:step-end;"
    "animation-iteration-count:infinite}}"
)
_STILL = "@media(prefers-reduced-motion:reduce){.f{animation-name:none!important}}"

_Frame = frozenset[Run]


def film(cast: Cast) -> str:
    """Return the session as an SVG document that begins again at its end."""
    frames = list(_frames(cast))
    shown: defaultdict[Run, list[int]] = defaultdict(list)
    for number, frame in enumerate(frames):
        for run in frame:
            shown[run].append(number)
    groups: defaultdict[tuple[int, ...], list[Run]] = defaultdict(list)
    for run in sorted(shown, key=lambda run: (shown[run], run.row, run.column)):
        groups[tuple(shown[run])].append(run)
    fullest = max(range(len(frames)), key=lambda number: len(frames[number]))
    seconds = len(frames) * _STEP / _SPEED + _END
    style, body = [_STYLE.format(seconds=seconds), _STILL], []
    for name, (numbers, group) in enumerate(groups.items()):
        drawn = list(pieces(group))
        if not drawn:
            continue
        if len(numbers) == len(frames):
            body += drawn
            continue
        style.append(
            f"@keyframes k{name}{{{_keyframes(numbers, len(frames), seconds)}}}"
        )
        hidden = "" if fullest in numbers else ' visibility="hidden"'
        body += [
            f'<g class="f" style="animation-name:k{name}"{hidden}>',
            *drawn,
            "</g>",
        ]
    head = window(cast.columns, cast.rows, cast.title)
    style = ["<style>", *style, "</style>"]
    return "\n".join([head[0], *style, *head[1:], *body, "</g>", "</svg>\n"])


def _frames(cast: Cast) -> Iterator[_Frame]:
    """Give what is on the screen, a step after the other, to the end of the session."""
    screen = Screen(cast.columns, cast.rows)
    stream = pyte.Stream(screen)
    rows: dict[int, list[Run]] = {}
    seconds, events = _STEP, list(cast.events)
    while events:
        while events and events[0][0] <= seconds:
            stream.feed(events.pop(0)[1])
        rows |= {row: list(runs_of(screen, row)) for row in screen.dirty}
        screen.dirty.clear()
        yield frozenset(run for row in rows.values() for run in row)
        seconds += _STEP


def _keyframes(numbers: tuple[int, ...], count: int, seconds: float) -> str:
    """Return when a group that is in the frames of those numbers comes and goes."""
    changes = {0: numbers[0] == 0}
    for number in numbers:
        if number - 1 not in numbers:
            changes[number] = True
        if number + 1 not in numbers and number + 1 < count:
            changes[number + 1] = False
    part = 100 * _STEP / _SPEED / seconds
    return "".join(
        f"{number * part:.2f}%{{visibility:{'visible' if is_seen else 'hidden'}}}"
        for number, is_seen in sorted(changes.items())
    )
