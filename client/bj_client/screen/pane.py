"""Panes of text: the log, and a page that lies over the table."""

from bj_client.screen.canvas import Canvas
from bj_client.screen.glyph import Glyphs
from bj_client.screen.page import Page
from bj_client.screen.scene import Scene
from bj_client.text import printable

_WIDEST = 78


def draw_log(
    canvas: Canvas, scene: Scene, x: int, y: int, width: int, height: int
) -> None:
    """Draw the newest lines, the last one at the bottom."""
    canvas.fill(x, y, width, height, "class:log")
    rows = scene.log.rows(width - 2, height)
    for number, (text, tone) in enumerate(rows, height - len(rows)):
        canvas.put(x + 1, y + number, text, f"class:log.{tone}")


def draw_page(canvas: Canvas, page: Page, y: int, height: int, glyphs: Glyphs) -> None:
    """Draw a page in the middle, from row ``y`` on; its scroll is kept in bounds."""
    width = min(_WIDEST, canvas.width - 2)
    rows = page.rows(width - 4)
    shown = min(len(rows), height - 3)
    page.top = max(0, min(page.top, len(rows) - shown))
    x = (canvas.width - width) // 2
    top = y + (height - shown - 3) // 2
    canvas.fill(x, top, width, shown + 3, "class:page")
    canvas.put(x + 2, top, printable(page.title), "class:page.title")
    for number, row in enumerate(rows[page.top : page.top + shown]):
        canvas.put(x + 2, top + 2 + number, row, "class:page")
    if shown < len(rows):
        mark = f"{page.top + 1}-{page.top + shown} of {len(rows)}"
        canvas.put(x + width - len(mark) - 2, top, mark, "class:page.title")
