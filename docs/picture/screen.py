"""The screen: pyte's terminal, with the two things that it leaves out.

Programs that fill the window draw on an alternate screen, and what was there before
comes back when they leave. And text may be dim: a dim character has ``DIM`` before the
name of its colour.
"""

from copy import copy
from typing import Any

import pyte

DIM = "dim "
_ALTERNATE = 1049
_EXTENDED = (38, 48)
_LENGTHS = {5: 2, 2: 4}
"""How many numbers tell an extended colour, by the first of them."""


class Screen(pyte.Screen):
    """A terminal's screen that knows dim text and the alternate screen."""

    _kept: tuple[dict[int, Any], Any] | None = None
    """The lines and the cursor that come back."""

    def set_mode(self, *modes: int, **how: Any) -> None:
        """Switch modes on; the alternate screen starts empty."""
        super().set_mode(*modes, **how)
        if how.get("private") and _ALTERNATE in modes and self._kept is None:
            lines = {row: copy(line) for row, line in self.buffer.items()}
            self._kept = lines, copy(self.cursor)
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **how: Any) -> None:
        """Switch modes off; the alternate screen gives way to what was before it."""
        super().reset_mode(*modes, **how)
        if how.get("private") and _ALTERNATE in modes and self._kept is not None:
            lines, self.cursor = self._kept
            self.erase_in_display(2)
            self.buffer.update(lines)
            self._kept = None

    def select_graphic_rendition(self, *attributes: int) -> None:
        """Set how the next characters look, dim included."""
        was = self.cursor.attrs
        is_dim = _dim_after(attributes, was.fg.startswith(DIM))
        self.cursor.attrs = was._replace(fg=was.fg.removeprefix(DIM))
        super().select_graphic_rendition(*attributes)
        if is_dim:
            now = self.cursor.attrs
            self.cursor.attrs = now._replace(fg=DIM + now.fg)


def _dim_after(attributes: tuple[int, ...], is_dim: bool) -> bool:
    rest = list(attributes or (0,))
    while rest:
        match rest.pop(0):
            case 2:
                is_dim = True
            case 0 | 22:
                is_dim = False
            case code if code in _EXTENDED and rest:
                del rest[: _LENGTHS.get(rest[0], 1)]
    return is_dim
