"""The sources of settings: flag, then ``BJ_*`` environment, then file, then default.

An option ``--bet-seconds`` is ``BJ_BET_SECONDS`` in the environment and ``bet_seconds``
in the file. Each is read as the flag would be, and named where it is wrong. An option
that may be repeated is a list of words there, or a list of texts in the file.
"""

import argparse
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, TypeVar

_YES = {"1", "yes", "true", "on"}
_NO = {"0", "no", "false", "off"}
_NOT_SETTINGS = {"help", "version", "list_houses", "show_house", "config"}


class OptionsError(ValueError):
    """Settings that make no sense; the message is a sentence for the host."""


class Parser(argparse.ArgumentParser):
    """A parser that reads the environment and a file, too, and raises what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Refuse what was given.

        Raises:
            OptionsError: with ``message``.
        """
        raise OptionsError(message)

    def read(
        self, arguments: Sequence[str] | None, environment: Mapping[str, str]
    ) -> argparse.Namespace:
        """Return all options, each from the first source that has it.

        Raises:
            OptionsError: if one of them makes no sense.
        """
        lists = self._fill(self._of_file(arguments, environment), environment)
        found = self.parse_args(arguments)
        for name, values in lists.items():
            if getattr(found, name) is None:
                setattr(found, name, values)
        return found

    def _fill(
        self, said: Mapping[str, tuple[str, list[str]]], environment: Mapping[str, str]
    ) -> dict[str, list[Any]]:
        """Set the defaults of all options; return those that may be repeated."""
        lists: dict[str, list[Any]] = {}
        for action in self.settings():
            variable = f"BJ_{action.dest.upper()}"
            source, words = said.get(action.dest, ("", []))
            if environment.get(variable):
                is_list = isinstance(action, argparse._AppendAction)
                text = environment[variable]
                source, words = (
                    variable,
                    re.split(r"[,\s]+", text.strip()) if is_list else [text],
                )
            if not source:
                continue
            values = [self._value(action, source, word) for word in words]
            if isinstance(action, argparse._AppendAction):
                lists[action.dest] = values
            else:
                action.default = values[0]
        return lists

    def settings(self) -> Iterator[argparse.Action]:
        """Give the options that the environment and a file may set, too."""
        return (action for action in self._actions if action.dest not in _NOT_SETTINGS)

    def _value(self, action: argparse.Action, source: str, text: str) -> Any:
        if action.nargs == 0:  # a switch
            if text.lower() not in _YES | _NO:
                self.error(f"{source}: {text!r} is neither yes nor no: say 1 or 0.")
            return text.lower() in _YES
        if not callable(action.type):
            return text
        try:
            return action.type(text)
        except (argparse.ArgumentTypeError, ValueError) as error:
            self.error(f"{source}: {error}")

    def _of_file(
        self, arguments: Sequence[str] | None, environment: Mapping[str, str]
    ) -> dict[str, tuple[str, list[str]]]:
        """Return what the file says, by the names of the options, with its source."""
        glance = Parser(add_help=False, allow_abbrev=False)
        glance.add_argument("--config", type=Path)
        given = glance.parse_known_args(arguments)[0].config
        named = given or environment.get("BJ_CONFIG")
        if not named:
            return {}
        path = Path(named)
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            self.error(f"argument --config: {path} cannot be read: {error.strerror}.")
        except ValueError as error:  # of TOML, or of UTF-8
            self.error(f"argument --config: {path} is not valid TOML: {error}.")
        known = {action.dest for action in self.settings()}
        said = {}
        for key, value in values.items():
            name = key.replace("-", "_")
            if name not in known:
                near = get_close_matches(name, sorted(known), n=1)
                meant = f": is it {near[0]}?" if near else "."
                self.error(f"{path}: {key!a} is no setting{meant}")
            said[name] = (f"{path}: {key}", self._words(path, key, value))
        return said

    def _words(self, path: Path, key: str, value: object) -> list[str]:
        """Return a value of the file as it would be typed."""
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(v, str | int | float) for v in values):
            self.error(f"{path}: {key} is a text, a number, true or false.")
        return [str(int(v)) if isinstance(v, bool) else str(v) for v in values]


_T = TypeVar("_T")


def checked(read: Callable[[str], _T], rule: str) -> Callable[[str], _T]:
    """Return ``read``, with ``rule`` as the sentence for what it cannot read."""

    def reader(text: str) -> _T:
        try:
            return read(text)
        except ValueError:
            shown = text if len(text) <= 40 else text[:40] + "…"
            raise argparse.ArgumentTypeError(f"{shown!r}: {rule}") from None

    return reader


def between(number: int, lowest: int, highest: int) -> int:
    """Return ``number`` if it is in that range.

    Raises:
        ValueError: if it is not.
    """
    if not lowest <= number <= highest:
        raise ValueError
    return number
