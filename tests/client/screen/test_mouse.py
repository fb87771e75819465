"""The mouse: what of all that a terminal reports of it is a click."""

import pytest
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from bj_client.screen.canvas import Canvas
from bj_client.screen.canvas_control import CanvasControl

DOWN, UP, MOVE = (
    MouseEventType.MOUSE_DOWN,
    MouseEventType.MOUSE_UP,
    MouseEventType.MOUSE_MOVE,
)
LEFT, MIDDLE, RIGHT = MouseButton.LEFT, MouseButton.MIDDLE, MouseButton.RIGHT


@pytest.mark.parametrize(
    ("reports", "clicks"),
    [
        ([(DOWN, LEFT), (UP, LEFT)], 1),
        ([(DOWN, LEFT), (UP, MouseButton.UNKNOWN)], 1),  # as older terminals tell it
        ([(MOVE, LEFT), (UP, LEFT)], 0),  # a drag from elsewhere ends here
        ([(DOWN, RIGHT), (UP, RIGHT)], 0),
        ([(DOWN, MIDDLE), (UP, MIDDLE)], 0),
        ([(MouseEventType.SCROLL_DOWN, MouseButton.NONE)], 0),
    ],
)
def test_a_click_is_the_left_button_that_goes_down_on_it(
    reports: list[tuple[MouseEventType, MouseButton]], clicks: int
) -> None:
    clicked = []

    def draw(width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        canvas.put(3, 1, "Hit", "", lambda: clicked.append("Hit"))
        return canvas

    handlers = MouseHandlers()
    place = WritePosition(xpos=0, ypos=0, width=20, height=3)
    CanvasControl(draw).write_to_screen(Screen(), handlers, place, "", True, None)
    for kind, button in reports:
        event = MouseEvent(Point(3, 1), kind, button, frozenset())
        handlers.mouse_handlers[1][3](event)
    assert len(clicked) == clicks
