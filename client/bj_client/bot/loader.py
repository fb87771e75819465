"""The loader: finds somebody's own strategy, ``module:Class``, and makes one."""

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import cast

from bj_client.bot.adviser import STRATEGY_FAULTS, fault_of
from bj_client.words.text import listed
from bj_game.strategies import Player
from bj_game.strategies.player import REQUIRED_METHODS

_name = re.compile(r"(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<cls>[^\W\d]\w*)")


class BotError(ValueError):
    """A bot that cannot be had; the first argument is a sentence."""


def load_class(name: str) -> type:
    """Return the class that is named as ``module:Class``.

    The module is looked for in the current folder first, then among those installed.

    Raises:
        BotError: if there is none, or the module cannot be imported.
    """
    match = _name.fullmatch(name)
    if match is None:
        raise BotError(f"{name!r} is no module:Class, as in mymodule:MyPlayer.")
    module = _import(match["module"])
    found = getattr(module, match["cls"], None)
    if not isinstance(found, type):
        raise BotError(
            f"There is no class {match['cls']} in the module {match['module']} "
            f"({getattr(module, '__file__', None) or 'built in'}): "
            f"{_classes_of(module)}."
        )
    return found


def make_strategy(cls: type) -> Player:
    """Return a new strategy of a class.

    Raises:
        BotError: if the class cannot be made, or lacks a method of ``Player``.
    """
    try:
        strategy = cls()
        methods = {name: getattr(strategy, name, None) for name in REQUIRED_METHODS}
    except STRATEGY_FAULTS as error:
        raise BotError(
            f"{cls.__name__}() raised {fault_of(error)}: a strategy is made without "
            "arguments."
        ) from None
    for name, method in methods.items():
        if not callable(method):
            raise BotError(
                f"{cls.__name__} has no method {name}: a strategy has "
                f"{listed(REQUIRED_METHODS)}."
            )
    return cast("Player", strategy)


def _import(name: str) -> ModuleType:
    try:
        with _current_folder_first():
            return importlib.import_module(name)
    except STRATEGY_FAULTS as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        why = f"The module {name} cannot be imported: it raised {fault_of(error)}."
        if missing is not None and f"{name}.".startswith(f"{missing}."):
            hint = "; leave .py out" if name.endswith(".py") else ""
            why = (
                f"There is no module {missing}, neither in this folder nor "
                f"installed{hint}."
            )
        raise BotError(why) from None


@contextlib.contextmanager
def _current_folder_first() -> Iterator[None]:
    """Import from the current folder, before all others only for as long as needed.

    It stays on the path, as the last: later imports of a strategy are still found, and
    a file there cannot get in the way of later imports of the client.
    """
    here = os.getcwd()
    sys.path.insert(0, here)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(here)
        if here not in sys.path:
            sys.path.append(here)


def _classes_of(module: ModuleType) -> str:
    names = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    return f"its classes are {', '.join(sorted(names)[:9])}" if names else "it has none"
