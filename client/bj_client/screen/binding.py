"""Bindings: the keys of the terminal, by the names that the console knows them by."""

from collections.abc import Callable

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from bj_client.source import EndOfInput, Interrupted
from bj_client.suspend import suspend

_NAMED = {
    "enter": "enter",
    "c-j": "enter",
    "backspace": "backspace",
    "escape": "escape",
    "up": "up",
    "down": "down",
    "right": "right",
    "pageup": "pageup",
    "pagedown": "pagedown",
}


def bindings(press: Callable[[str], None], paste: Callable[[str], None]) -> KeyBindings:
    """Bind every key to ``press``, by its name or as the character that it is."""
    keys = KeyBindings()
    for key, name in _NAMED.items():
        keys.add(key)(_pressing(press, name))

    @keys.add(Keys.Any)
    def _any(event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            press(event.data)

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        paste(event.data)

    keys.add("c-z")(lambda _: suspend())

    @keys.add("c-c")
    def _interrupt(event: KeyPressEvent) -> None:
        event.app.exit(exception=Interrupted())

    @keys.add("c-d")
    def _end(event: KeyPressEvent) -> None:
        event.app.exit(exception=EndOfInput())

    return keys


def _pressing(
    press: Callable[[str], None], name: str
) -> Callable[[KeyPressEvent], None]:
    def handle(event: KeyPressEvent) -> None:
        press(name)

    return handle
