"""The view of a lesson: drawn on the whole terminal for the room there is."""

import contextlib
from typing import TYPE_CHECKING, Any

from prompt_toolkit.utils import get_cwidth

from bj_client.error import Exit
from bj_client.model.seat import Faces
from bj_client.play.input import EndOfInputError
from bj_client.play.terminal import TerminalOutput
from bj_client.screen.canvas import Canvas, Press, cut, fitting, glyphs_for, wrap
from bj_client.screen.canvas_control import canvas_app
from bj_client.screen.picture import BIG, COMPACT, SMALL, CardArtist, Size
from bj_client.stop import run_until, stop_signals
from bj_client.trainer.lesson import Lesson, Sight

if TYPE_CHECKING:
    from prompt_toolkit.application import Application

_ROOMY = 22
"""The rows beyond which the cards move down."""
_MOST_SAID = 160
"""The letters of the longest verdict on a play, nearly."""


async def show(lesson: Lesson, faces: Faces) -> Exit:
    """Show a lesson and take its keys, until the player leaves."""
    artist = CardArtist(faces, glyphs_for(faces))
    app: Application[Any]

    def press(key: str) -> None:
        if key in ("q", "escape"):
            if not app.is_done:
                app.exit()
            return
        lesson.press(key)

    app = canvas_app(
        lambda width, height: draw(lesson.sight, width, height, artist, press),
        press,
        lambda _: None,
        TerminalOutput().terminal,
    )

    async def run() -> None:
        with contextlib.suppress(EndOfInputError, EOFError):
            await app.run_async(set_exception_handler=False, handle_sigint=False)

    with stop_signals() as stopped:
        return await run_until(stopped, run()) or Exit.LEFT


def draw(
    sight: Sight, width: int, height: int, artist: CardArtist, press: Press
) -> Canvas:
    """Draw what a lesson shows; ``press`` is called by the buttons."""
    canvas = Canvas(width, height)
    canvas.fill(0, 0, width, 1, "class:title")
    x = canvas.put(1, 0, "Trainer", "class:title.name")
    score = fitting([sight.score, sight.score.split(",")[0]], width - x - 16)
    room = width - x - get_cwidth(score) - 4
    canvas.put(x + 2, 0, cut(sight.title, room, artist.glyphs.more))
    canvas.put(width - get_cwidth(score) - 1, 0, score)
    size = _size(width, height)
    y = max(2, (height - _ROOMY) // 3)
    for name, cards in (("Dealer", sight.dealer), ("You", sight.cards)):
        if cards:
            y = _hand(canvas, artist, y, name, cards, size)
    tone = {None: "", True: "class:win", False: "class:lose"}[sight.is_right]
    for number, said in enumerate(sight.said):
        for row in wrap(said, max(1, width - 4)):
            if y < height - 3:
                left = max(2, (width - get_cwidth(row)) // 2)
                canvas.put(left, y, row, "class:dim" if number else tone)
                y += 1
    canvas.fill(0, height - 3, width, 1, "class:prompt.yours")
    canvas.put(1, height - 3, artist.glyphs.arrow)
    canvas.put(3, height - 3, cut(sight.asked, width - 4, artist.glyphs.more))
    canvas.fill(0, height - 2, width, 2, "class:foot")
    buttons = [
        (key, f" {'Enter' if key == 'enter' else key} {label} ", "class:button")
        for key, label in (*sight.keys, ("q", "Leave"))
    ]
    canvas.buttons(height - 2, buttons, press)
    return canvas


def _size(width: int, height: int) -> Size:
    """Return the size of cards that leaves room for all that is said of a play."""
    said = 2 + _MOST_SAID // max(1, width - 4)
    rows = height - said - 5
    return next((each for each in (BIG, SMALL) if 2 * each.height + 4 <= rows), COMPACT)


def _hand(
    canvas: Canvas,
    artist: CardArtist,
    y: int,
    name: str,
    cards: tuple[str, ...],
    size: Size,
) -> int:
    """Draw the cards of someone in the middle, and return the row below."""
    room = canvas.width - 4
    if size is COMPACT:
        x = canvas.put(2, y, name, "class:name") + 2
        artist.draw(canvas, x, y, [*cards], size, room - x)
        return y + 1
    left = (canvas.width - min(room, artist.width([*cards], size))) // 2
    canvas.put(max(1, (canvas.width - len(name)) // 2), y, name, "class:name")
    artist.draw(canvas, left, y + 1, [*cards], size, room)
    return y + size.height + 2
