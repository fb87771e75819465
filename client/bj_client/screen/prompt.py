"""The prompt: one row with what is expected of whom, and the clock at its right."""

from prompt_toolkit.utils import get_cwidth

from bj_client.screen.bar import Bar, label
from bj_client.screen.canvas import Canvas
from bj_client.screen.clock import TimeLeft
from bj_client.screen.hint import hint
from bj_client.screen.scene import Scene

_WIDE = 60
"""The columns from which on a table without a clock says so."""
_LEAST, _MOST = 5, 30
"""The cells of a bar; where there are fewer the seconds stand alone."""
_BEFORE = 3
"""The columns before the text: a blank, a mark and a blank."""


def prompt_row(canvas: Canvas, scene: Scene, y: int) -> None:
    """Draw what is expected, and the clock to the right of it."""
    canvas.fill(0, y, canvas.width, 1, _style(scene))
    mark = scene.glyphs.dot
    if scene.question is not None:
        mark = scene.glyphs.arrow if scene.keys_count else scene.glyphs.soon
    canvas.put(1, y, mark)
    canvas.put(_BEFORE, y, _text(scene, canvas.width))
    left, bar = _left(scene), bar_of(scene, canvas.width)
    if left is not None and bar is not None:
        bar.draw(canvas, canvas.width - bar.width, y, left)
    else:
        clock = _no_clock(scene, canvas.width)
        canvas.put(canvas.width - len(clock) - 1, y, clock)


def bar_of(scene: Scene, width: int) -> Bar | None:
    """Return the bar for which the prompt has room; None while no clock runs."""
    left = _left(scene)
    if left is None:
        return None
    taken = _BEFORE + get_cwidth(_text(scene, width)) + 1
    bar = Bar(scene.glyphs, 0, len(label(left)))
    cells = min(_MOST, width - taken - bar.width - 1)
    return bar if cells < _LEAST else Bar(scene.glyphs, cells, bar.label_width)


def _text(scene: Scene, width: int) -> str:
    left = _left(scene)
    clock = _no_clock(scene, width) if left is None else label(left)
    return hint(scene, width - _BEFORE - 1 - (len(clock) + 2 if clock else 0))


def _left(scene: Scene) -> TimeLeft | None:
    """Return the time that is left; None while it is not known, too."""
    return None if scene.is_cut_off() else scene.clock.read()


def _no_clock(scene: Scene, width: int) -> str:
    is_asked = scene.table.turn is not None and not scene.is_telling
    is_known = is_asked and not scene.is_cut_off() and scene.showing is None
    return "no clock" if is_known and width >= _WIDE else ""


def _style(scene: Scene) -> str:
    if scene.is_cut_off():
        return "class:banner"
    if scene.chat is not None or scene.is_leaving:
        return "class:prompt.yours"
    if scene.question is None:
        return "class:prompt"
    return "class:prompt.yours" if scene.keys_count else "class:prompt.soon"
