"""The settings file: options that a player would otherwise type each time.

Its keys are named like the long options. Its values take the place of the ``BJ_*``
variables that are not set, so that one reader reads both. Each value is read here
already, so that an error names the file and the key.
"""

import argparse
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from bj_client.keymap import KeymapError, keymap_of
from bj_client.net.keyring import config_folder
from bj_client.options.checked import file
from bj_client.options.players import PlayersError, read_players

_TEXTS = ("server", "server-key", "table", "code", "tls-ca", "tls-pin")
_NUMBERS = ("pace", "reconnect", "bet")
_SWITCHES = ("insecure", "unproven", "plain", "ascii", "hints")
_OWN = ("key-file", "record")
KEYS = ("handle", *_TEXTS, *_OWN, *_NUMBERS, *_SWITCHES, "colours", "keys")
"""The keys that a settings file may have."""
_FILES = ("tls-ca", *_OWN)
_TLS = ("tls-ca", "tls-pin")
_PLACE = ("table", "code", "server-key", *_TLS)
"""The keys that are about the server that the file names, and about no other."""


class SettingsError(ValueError):
    """A settings file that cannot be used; the message is a sentence."""


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the option to ``parser``."""
    parser.add_argument(
        "--settings",
        type=file,
        metavar="FILE",
        help="options that are not given here, from this TOML file (BJ_SETTINGS; "
        "default ~/.config/blackjack/client.toml)",
    )


def read_settings(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    environment: Mapping[str, str],
) -> dict[str, str]:
    """Return the environment, with the values of the settings file where it has none.

    ``parser`` knows how each value is read. With ``--solo`` the table is left out,
    which is that of a server elsewhere.

    Raises:
        SystemExit: with 2 and a sentence, if the file cannot be used.
    """
    glance = _glance(arguments)
    said = {name: text for name, text in environment.items() if text}
    found: dict[str, str] = {}
    if not glance.is_about:
        try:
            named = glance.settings or said.get("BJ_SETTINGS")
            found = _read(parser, named)
        except (SettingsError, argparse.ArgumentTypeError) as bad:
            parser.error(str(bad))
    if "server" in found and (glance.server or "BJ_SERVER" in said):
        found = {key: text for key, text in found.items() if key not in _PLACE}
    if any(_variable(key) in said for key in _TLS) or glance.tls_ca or glance.tls_pin:
        found = {key: text for key, text in found.items() if key not in _TLS}
    settings = {_variable(key): text for key, text in found.items()} | said
    if glance.solo:
        for key in _PLACE:
            settings.pop(_variable(key), None)
    return settings


def _glance(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Look for the few options that decide which keys of the file count."""
    parser = argparse.ArgumentParser("bj-client", add_help=False, allow_abbrev=False)
    for name in ("--settings", "--server", "--tls-ca", "--tls-pin"):
        parser.add_argument(name, nargs="?")
    parser.add_argument("--solo", action="store_true")
    parser.add_argument(
        *("-h", "--help", "--version"), action="store_true", dest="is_about"
    )
    return parser.parse_known_args(arguments)[0]


def _variable(key: str) -> str:
    return f"BJ_{key.upper().replace('-', '_')}"


def _read(parser: argparse.ArgumentParser, named: str | None) -> dict[str, str]:
    """Return the values of the file as texts; none if the default file is missing."""
    path = file(named) if named else _default()
    if path is None:
        return {}
    try:
        values = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        if not named:
            return {}
        raise SettingsError(
            f"There is no settings file {path}: name another with --settings "
            "(BJ_SETTINGS), or leave it out."
        ) from None
    except OSError as error:
        raise SettingsError(
            f"The settings file {path} cannot be read ({error.strerror}): make it "
            "yours to read, or name another with --settings."
        ) from None
    except ValueError as error:  # of TOML, or of UTF-8
        raise SettingsError(
            f"The settings file {path} is no TOML ({error}): mend it there."
        ) from None
    return {key: _text(parser, path, key, value) for key, value in values.items()}


def _default() -> Path | None:
    folder = config_folder()
    return folder and folder / "client.toml"


def _text(parser: argparse.ArgumentParser, path: Path, key: str, value: object) -> str:
    """Return a value as it would stand in the environment."""
    if key not in KEYS:
        raise SettingsError(
            f"The settings file {path} has {key!r}, which is no setting: there are "
            f"{', '.join(KEYS)}; the other options are for the command line."
        )
    try:
        text = _READERS.get(key, partial(_plain, key))(value)
        if key in _FILES:
            text = str(path.parent / file(text))
        _check(parser, key, text)
    except (argparse.ArgumentTypeError, KeymapError, PlayersError) as wrong:
        raise SettingsError(
            f"The settings file {path} has a wrong {key}: {wrong}"
        ) from None
    return text


def _handles(value: object) -> str:
    listed = [value] if isinstance(value, str) else value
    if isinstance(listed, list) and all(isinstance(part, str) for part in listed):
        text = ",".join(listed)
        read_players(None, text)
        if text.strip():
            return text
    raise PlayersError("write a text, or a list of texts for several players.")


def _keys(value: object) -> str:
    """Return a table of keys as one would type them, once they are known to do."""
    if not isinstance(value, dict):
        raise KeymapError('write a table, as in keys.hit = "j".')
    if not all(isinstance(key, str) for key in value.values()):
        raise KeymapError("write each key as a text in quotes.")
    keymap_of(value)
    return " ".join(f"{name}={key}" for name, key in value.items())


_READERS: dict[str, Callable[[object], str]] = {"handle": _handles, "keys": _keys}
"""Readers of the values that are more than one text, number or switch."""


def _plain(key: str, value: object) -> str:
    is_right, what = isinstance(value, str), "a text in quotes"
    if key == "colours":
        is_right, what = value in (16, 256) or is_right, '"none", 16, 256 or "true"'
    if key in _SWITCHES:
        is_right, what = isinstance(value, bool), "true or false"
    if key in _NUMBERS:
        is_right = isinstance(value, int | float) and not isinstance(value, bool)
        what = "a number, without quotes"
    if not is_right:
        raise argparse.ArgumentTypeError(f"write {what}.")
    return str(int(value)) if isinstance(value, bool) else str(value)


def _check(parser: argparse.ArgumentParser, key: str, text: str) -> None:
    """Read a text as its option would be read."""
    option = next(a for a in parser._actions if f"--{key}" in a.option_strings)
    if callable(option.type):
        option.type(text)
