"""The canvas control: lays a canvas onto the terminal, all of it or some cells.

prompt_toolkit's windows copy every cell through several layers, which on a large
terminal takes ten times as long as drawing the table. So the whole screen is one
container that hands over the canvas's cells as they are, and prompt_toolkit only finds
the changes. A few cells that change by themselves are written alone, and noted in
prompt_toolkit's own copy of the terminal.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.containers import Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Attrs, BaseStyle, Style

from bj_client.play.input import EndOfInputError
from bj_client.play.vt100 import attend
from bj_client.screen.canvas import Canvas, Click
from bj_client.stop import StopError, suspend

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


_BLACK, _WHITE = "bg:ansiblack", "bg:ansiwhite"
_YOURS = "bg:ansiyellow ansiblack bold"
_FELT, _BAR, _LOG = "bg:#0a5528", "bg:#06301f", "bg:#083c28"
_GOLD, _CARD = "#f2cf73", "bg:#f4f1e6"

PALETTE = {
    "felt": (f"{_FELT} #dcebe2", f"{_BLACK} ansigray", ""),
    "title": (f"{_BAR} #b9d3c5", "bg:ansigreen ansiblack", "reverse"),
    "title.name": (f"{_GOLD} bold", "bg:ansigreen ansiblack bold", "reverse bold"),
    "rim": ("#5f9f5f", "ansigreen", ""),
    "rim.turn": (f"{_GOLD} bold", "ansibrightyellow bold", "bold"),
    "rim.mine": ("#9fd0b6", "ansiwhite", ""),
    "name": ("#ffffff bold", "ansiwhite bold", "bold"),
    "name.turn": (f"{_GOLD} bold", "ansibrightyellow bold", "reverse bold"),
    "dim": ("#9fc79f", "ansigray", ""),
    "money": ("#e9dcae", "ansiyellow", ""),
    "total": ("#ffffff bold", "ansiwhite bold", "bold"),
    "win": ("#7ff0a0 bold", "ansibrightgreen bold", "bold"),
    "lose": ("#ff9f92 bold", "ansibrightred bold", "underline"),
    "push": ("#ffe08a bold", "ansibrightyellow bold", ""),
    "card": (f"{_CARD} #22262b bold", f"{_WHITE} ansiblack bold", "bold"),
    "card.red": (f"{_CARD} #c01525 bold", f"{_WHITE} ansired bold", "bold"),
    "card.edge": (f"{_CARD} #a49f8c", f"{_WHITE} ansibrightblack", "nobold"),
    "back": ("bg:#274a7d #8db0e6", "bg:ansiblue ansiwhite", ""),
    "back.edge": ("bg:#274a7d #c9daf5", "bg:ansiblue ansiwhite", ""),
    "ink": ("#ffffff bold", "ansiwhite bold", "bold"),
    "ink.red": ("#ffb3a9 bold", "ansibrightred bold", "bold"),
    "log": (f"{_LOG} #bcd6c8", f"{_BLACK} ansigray", ""),
    "log.title": ("#ffffff bold", "ansiwhite bold", "bold"),
    "log.mine": ("#ffffff", "ansiwhite", "bold"),
    "log.notice": (_GOLD, "ansiyellow", "underline"),
    "log.warning": ("bg:#8f2424 #ffffff bold", "", ""),
    "log.win": ("#7ff0a0", "ansibrightgreen", "bold"),
    "log.lose": ("#ff9f92", "ansibrightred", ""),
    "log.push": ("#ffe08a", "ansibrightyellow", ""),
    "status": (f"{_BAR} #b9d3c5", f"{_BLACK} ansigray", ""),
    "status.value": ("#ffffff bold", "ansiwhite bold", "bold"),
    "prompt": (f"{_BAR} #cfe3d8", f"{_BLACK} ansiwhite", ""),
    "prompt.yours": (f"bg:{_GOLD} #1b1a14 bold", _YOURS, "reverse bold"),
    "prompt.soon": ("bg:#8a7a48 #1b1a14 bold", "bg:ansigray ansiblack", "underline"),
    "clock": (f"{_BAR} #5fb98d", f"{_BLACK} ansibrightgreen", ""),
    "clock.low": (f"{_BAR} #ff8a76 bold", f"{_BLACK} ansibrightred bold", "bold"),
    "clock.rest": (f"{_BAR} #1d5940", f"{_BLACK} ansibrightblack", ""),
    "foot": (f"{_BAR} #cfe3d8", f"{_BLACK} ansigray", ""),
    "button": (f"bg:{_GOLD} #1b1a14 bold", _YOURS, "reverse bold"),
    "button.chosen": (
        "bg:#ffffff #1b1a14 bold",
        "bg:ansiwhite ansiblack bold",
        "reverse underline bold",
    ),
    "button.always": ("bg:#1d5940 #e6f2ec", "bg:ansigray ansiblack", "reverse nobold"),
    "button.off": (
        "bg:#0a3d29 #56866f",
        f"{_BLACK} ansibrightblack nobold",
        "noreverse nobold",
    ),
    "banner": ("bg:#8f2424 #ffffff bold", "bg:ansired ansiwhite bold", "reverse bold"),
    "page": ("bg:#f4f1e6 #22262b", "bg:ansigray ansiblack", "reverse"),
    "page.title": (
        "bg:#f4f1e6 #0a5528 bold",
        "bg:ansigray ansiblack bold",
        "reverse bold",
    ),
}
"""In many colours, in the sixteen of the terminal, and in none."""

STYLE, _SIXTEEN, _NONE = (
    Style.from_dict({name: styles[column] for name, styles in PALETTE.items()})
    for column in range(3)
)


def style_for(colours: ColorDepth) -> Style:
    """Return the palette that so many colours can show."""
    if colours is ColorDepth.DEPTH_1_BIT:
        return _NONE
    return _SIXTEEN if colours is ColorDepth.DEPTH_4_BIT else STYLE


class CanvasControl(Window):
    """A canvas that fills the terminal."""

    def __init__(self, draw: Callable[[int, int], Canvas]) -> None:
        """Lay out the canvas that ``draw`` makes for so many columns and rows."""
        super().__init__()
        self._draw = draw

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Hand over the cells, and the acts of clicks on them."""
        canvas = self._draw(write_position.width, write_position.height)
        screen.width, screen.height = canvas.width, canvas.height
        for y in range(canvas.height):
            screen.data_buffer[y].update(enumerate(canvas.cells(y)))
        for (x, y), click in canvas.clicks.items():
            mouse_handlers.mouse_handlers[y][x] = _on_press(click)


def canvas_app(
    draw: Callable[[int, int], Canvas],
    press: Callable[[str], None],
    paste: Callable[[str], None],
    output: Output,
) -> Application[Any]:
    """Return an application that shows a canvas on all of the terminal of ``output``.

    ``press`` takes each key by its name, or as the character that it is. The canvas is
    drawn anew after every key, paste and click.
    """
    depth = output.get_default_color_depth()
    app = Application[Any](
        layout=Layout(CanvasControl(draw)),
        key_bindings=bindings(press, paste),
        style=style_for(depth),
        output=output,
        color_depth=depth,
        full_screen=True,
        mouse_support=True,
    )
    attend(app)
    return app


def rewrite(app: Application[None], x: int, y: int, cells: Sequence[Char]) -> None:
    """Write cells, from one on, where they differ from those on the terminal.

    The cursor goes back to the corner at which prompt_toolkit believes it, without
    attributes.
    """
    screen, output = app.renderer.last_rendered_screen, app.output
    if screen is None or y >= screen.height:
        return
    row = screen.data_buffer[y]
    changed = [
        (column, cell)
        for column, cell in enumerate(cells, x)
        if cell.char != row[column].char or cell.style != row[column].style
    ]
    style, after = None, -1
    for column, cell in changed:
        if column != after:
            output.cursor_goto(y + 1, column + 1)
        if cell.style != style:
            attributes = _attributes(app.renderer.style, cell.style)
            output.set_attributes(attributes, app.color_depth)
            style = cell.style
        output.write(cell.char)
        row[column] = cell
        after = column + cell.width
    if changed:
        output.reset_attributes()
        output.cursor_goto(1, 1)
        output.flush()


@lru_cache(64)
def _attributes(palette: BaseStyle, style: str) -> Attrs:
    return palette.get_attrs_for_style_str(style)


def _on_press(click: Click) -> "Callable[[MouseEvent], NotImplementedOrNone]":
    """Take the left button as it goes down; where it goes up a drag may end."""
    pressed = (MouseEventType.MOUSE_DOWN, MouseButton.LEFT)

    def handle(event: MouseEvent) -> "NotImplementedOrNone":
        if (event.event_type, event.button) != pressed:
            return NotImplemented
        click()
        return None

    return handle


_NAMED = ("enter", "backspace", "escape", "up", "down", "right", "pageup", "pagedown")


def bindings(press: Callable[[str], None], paste: Callable[[str], None]) -> KeyBindings:
    """Bind every key to ``press``, by its name or as the character that it is."""
    keys = KeyBindings()

    def pressing(name: str) -> Callable[[KeyPressEvent], None]:
        return lambda _: press(name)

    for name in _NAMED:
        keys.add(name)(pressing(name))
    keys.add("c-j")(pressing("enter"))

    @keys.add(Keys.Any)
    def _any(event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            press(event.data)

    keys.add(Keys.BracketedPaste)(lambda event: paste(event.data))
    keys.add("c-z")(lambda _: suspend())
    keys.add("c-c")(lambda event: event.app.exit(exception=StopError()))
    keys.add("c-d")(lambda event: event.app.exit(exception=EndOfInputError()))
    return keys
