"""The frame: the whole screen, composed for the room there is.

From the top: the title, the dealer, the seats, the log (at the right where it is wide),
the money, what is expected of whom, and the buttons.
"""

from collections.abc import Callable

from bj_client.screen.box import Boxes
from bj_client.screen.button import Button, button_rows, draw_buttons
from bj_client.screen.canvas import Canvas
from bj_client.screen.dealer import draw_dealer
from bj_client.screen.pane import draw_log, draw_page
from bj_client.screen.picture import BIG, COMPACT, SMALL
from bj_client.screen.prompt import prompt_row
from bj_client.screen.roster import Roster
from bj_client.screen.scene import Scene
from bj_client.screen.title import status_row, title_row
from bj_client.screen.wrap import wrap

LEAST_COLUMNS, LEAST_ROWS = 40, 16
_SIDE_LOG = 38
_WIDE = 116
_LOW = 14
"""The rows between title and money below which the log may have a single one."""
_PICTURED = SMALL.height + 2
"""The rows of a dealer with cards as pictures, and a gap."""

Press = Callable[[str], None]


def frame(scene: Scene, width: int, height: int, press: Press) -> Canvas:
    """Draw the scene on so many cells; ``press`` is what buttons do."""
    canvas = Canvas(width, height)
    if width < LEAST_COLUMNS or height < LEAST_ROWS:
        _too_small(canvas)
        return canvas
    title_row(canvas, scene, 0)
    buttons = _buttons(scene, width, height)
    foot = height - len(buttons) - 2
    status_row(canvas, scene, foot)
    prompt_row(canvas, scene, foot + 1)
    draw_buttons(canvas, scene, foot + 2, buttons, press)
    if width >= _WIDE:
        side = width - _SIDE_LOG
        draw_log(canvas, scene, side, 1, _SIDE_LOG, foot - 1)
        _table(canvas, scene, side, 1, foot - 1)
    else:
        log = _log_height(scene, width, foot - 1)
        draw_log(canvas, scene, 0, foot - log, width, log)
        _table(canvas, scene, width, 1, foot - 1 - log)
    if scene.page is not None:
        draw_page(canvas, scene.page, 1, foot - 1, scene.glyphs)
    return canvas


def prompt_place(scene: Scene, width: int, height: int) -> int | None:
    """Return the row in which ``frame`` draws the prompt; None without one."""
    if width < LEAST_COLUMNS or height < LEAST_ROWS:
        return None
    return height - len(_buttons(scene, width, height)) - 1


def _buttons(scene: Scene, width: int, height: int) -> list[list[Button]]:
    most = 4 if height >= 28 else 3 if height >= 20 else 2
    return button_rows(scene, width, most)


def _log_height(scene: Scene, width: int, rows: int) -> int:
    """Return the rows of the log: what the best form of the table leaves, and 2."""
    most = 12 if rows >= 40 else 8
    for size in (BIG, SMALL):
        plan = Boxes(scene, size).plan(width)
        need = None if plan is None else plan[2] + size.height + 2
        if need is not None and need + 2 <= rows:
            return min(most, rows - need)
    least = 1 if rows < _LOW else 2
    roster = _roster(scene, width, rows - least)
    for need in (roster.wish + _PICTURED, roster.height + 2):
        if need + 2 <= rows:
            return min(most, rows - need)
    return max(least, min(most, rows - roster.height - 2))


def _roster(scene: Scene, width: int, rows: int) -> Roster:
    """Return the roster, a tight one if it is too high below the dealer."""
    roster = Roster(scene, width - 2)
    is_high = roster.height + 1 > rows
    return Roster(scene, width - 2, is_tight=True) if is_high else roster


def _table(canvas: Canvas, scene: Scene, width: int, y: int, rows: int) -> None:
    for size in (BIG, SMALL):
        boxes = Boxes(scene, size)
        plan = boxes.plan(width - 2)
        need = None if plan is None else plan[2] + size.height + 1
        if need is not None and need <= rows:
            spare = rows - need
            top = draw_dealer(canvas, scene, y + min(3, spare // 4), width, size)
            boxes.draw(canvas, 1, top + min(4, -(-spare // 3)), width - 2)
            return
    roster = _roster(scene, width, rows)
    is_roomy = roster.height + _PICTURED <= rows
    top = draw_dealer(canvas, scene, y, width, SMALL if is_roomy else COMPACT)
    gap = 1 if roster.height + (top - y) < rows else 0
    roster.draw(canvas, 1, top + gap, rows - (top - y) - gap)


def _too_small(canvas: Canvas) -> None:
    text = (
        f"This window is too small for the table: make it at least {LEAST_COLUMNS} "
        f"columns by {LEAST_ROWS} rows, or run bj-client with --line."
    )
    rows = wrap(text, max(1, canvas.width - 2))
    top = max(0, (canvas.height - len(rows)) // 2)
    for number, row in enumerate(rows):
        canvas.put(1, top + number, row)
