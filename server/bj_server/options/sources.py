"""The sources of settings: flag, then ``BJ_*`` environment, then file, then default.

An option ``--bet-seconds`` is ``BJ_BET_SECONDS`` in the environment and ``bet_seconds``
in the file. Each is read as the flag would be, and named where it is wrong. An option
that may be repeated is a list of words there, or a list of texts in the file.
"""

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from bj_protocol.option import Parser, Said
from bj_server.bank.disk import read_named


class OptionsError(ValueError):
    """Settings that make no sense; the message is a sentence for the host."""


class ServerParser(Parser):
    """A parser that reads the environment and a file, too, and raises what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Refuse what was given."""
        raise OptionsError(message)

    def read(
        self, arguments: Sequence[str] | None, environment: Mapping[str, str]
    ) -> argparse.Namespace:
        """Return all options, each from the first source that has it."""
        said = self._in_file(arguments, environment) | self.in_environment(environment)
        for setting in self.settings:
            self.value(setting, said)
        return self.complete(self.parse_args(arguments), said)

    def _in_file(
        self, arguments: Sequence[str] | None, environment: Mapping[str, str]
    ) -> Said:
        glance = ServerParser(add_help=False)
        glance.add_argument("--config", type=Path)
        given = glance.parse_known_args(arguments)[0].config
        named = given or environment.get("BJ_CONFIG")
        if not named:
            return {}
        path = Path(named)
        try:
            values = tomllib.loads(read_named(path).decode("utf-8-sig"))
        except OSError as error:
            self.error(f"argument --config: {path} cannot be read: {error.strerror}.")
        except (ValueError, RecursionError) as error:  # of TOML, or of UTF-8
            self.error(f"argument --config: {path} is not valid TOML: {error}.")
        known = {setting.key: setting for setting in self.settings}
        said: Said = {}
        for key, value in values.items():
            name = key.replace("-", "_")
            if name not in known:
                near = get_close_matches(name, sorted(known), n=1)
                meant = f": is it {near[0]}?" if near else "."
                self.error(f"{path}: {key!a} is no setting{meant}")
            setting, texts = known[name], self._texts(path, key, value)
            if len(texts) > 1 and setting.apart is None:
                self.error(f"{path}: {key} is one value, and no list.")
            said[setting.name] = (f"{path}: {key}", texts)
        return said

    def _texts(self, path: Path, key: str, value: object) -> list[str]:
        """Return a value of the file as it would be typed."""
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(v, str | int | float) for v in values):
            self.error(f"{path}: {key} is a text, a number, true or false.")
        return [str(int(v)) if isinstance(v, bool) else str(v) for v in values]
