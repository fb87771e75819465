"""Buttons: the controls in rows, bright where they count and dim where they do not."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from bj_client.question.question import Kind
from bj_client.screen.canvas import Canvas
from bj_client.screen.control import (
    PRESETS,
    Control,
    answers,
    chips,
    services,
    shown_key,
)
from bj_client.screen.scene import Scene

Press = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Button:
    """A control with the words on its button."""

    control: Control
    text: str
    is_service: bool = False


def button_rows(scene: Scene, width: int, most: int) -> list[list[Button]]:
    """Return the buttons in as many rows as they take, at most ``most`` if possible.

    With enough room every button has its place, so that nothing moves. With little room
    only the buttons of the open question are shown, then without the services, and
    then with shorter words.
    """
    rows: list[list[Button]] = []
    for grouped in (_everything, _relevant, _fewer, _brief):
        rows = _packed(grouped(scene), width - 1)
        if len(rows) <= most:
            break
    return rows


def _everything(scene: Scene) -> list[list[Button]]:
    plays = [_button(scene, control) for control in answers(scene)]
    money = [_button(scene, control) for control in chips(scene)]
    always = [_button(scene, each, is_service=True) for each in services(scene)]
    return [plays, money, always]


def _relevant(scene: Scene) -> list[list[Button]]:
    plays, money, always = _everything(scene)
    groups = [plays, money, always] if scene.kind is Kind.BET else [plays, always]
    return [[each for each in group if _is_asked(scene, each)] for group in groups]


def _is_asked(scene: Scene, button: Button) -> bool:
    control = button.control
    if button.is_service or control.can(scene) or scene.showing is not None:
        return True
    if scene.question is None:
        return control.key in PRESETS
    return control.action is None or control.action in scene.asked


def _fewer(scene: Scene) -> list[list[Button]]:
    *groups, always = _relevant(scene)
    return [*groups, [each for each in always if each.control.key != "m"]]


def _brief(scene: Scene) -> list[list[Button]]:
    *groups, always = _relevant(scene)
    keys = [scene.keymap.shown(each.control.key) for each in always]
    brief = [replace(b, text=f" {key} ") for b, key in zip(always, keys, strict=True)]
    return [*groups, brief]


def _packed(groups: list[list[Button]], width: int) -> list[list[Button]]:
    rows: list[list[Button]] = []
    for group in groups:
        if rows and _length([*rows[-1], *group]) <= width:
            rows[-1] += group
            continue
        row: list[Button] = []
        for button in group:
            if _length([*row, button]) > width:
                rows.append(row)
                row = []
            row.append(button)
        if row:
            rows.append(row)
    return rows


def _length(row: list[Button]) -> int:
    return sum(len(button.text) + 1 for button in row)


def _button(scene: Scene, control: Control, *, is_service: bool = False) -> Button:
    key = shown_key(control, scene.glyphs.enter, scene.keymap)
    return Button(control, f" {key} {control.label} ", is_service)


def draw_buttons(
    canvas: Canvas, scene: Scene, y: int, rows: list[list[Button]], press: Press
) -> None:
    """Draw the rows; a click presses the key, whether it counts or not."""
    canvas.fill(0, y, canvas.width, len(rows), "class:foot")
    for number, row in enumerate(rows):
        x = 1
        for button in row:
            click = partial(press, button.control.key)
            style = _style(scene, button)
            x = canvas.put(x, y + number, button.text, style, click) + 1


def _style(scene: Scene, button: Button) -> str:
    control = button.control
    if scene.preset is not None and PRESETS.get(control.key) is scene.preset:
        return "class:button.chosen"
    if not control.can(scene):
        return "class:button.off"
    return "class:button.always" if button.is_service else "class:button"
