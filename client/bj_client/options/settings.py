"""The settings file: options that a player would otherwise type each time.

Its keys are named like the long options. A variable of the environment that is set goes
before a value of the file. Each value is read here already, so that an error names the
file and the key.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

from bj_client.keymap import keymap_of
from bj_client.net.keyring import config_folder
from bj_client.options.checked import check_players, file
from bj_client.system import read_written
from bj_protocol.option import Option, Parser, Said, Setting

_TEXTS = ("server", "server-key", "table", "code", "tls-ca", "tls-pin")
_NUMBERS = ("pace", "reconnect", "bet")
_SWITCHES = ("insecure", "unproven", "plain", "ascii", "hints")
_OWN = ("key-file", "record")
KEYS = ("handle", *_TEXTS, *_OWN, *_NUMBERS, *_SWITCHES, "colours", "keys")
_FILES = {"tls-ca", *_OWN}
_TLS = {"tls-ca", "tls-pin"}
_PLACE = {"table", "code", "server-key", *_TLS}
"""The keys that are about the server that the file names, and about no other."""

SETTINGS = Option(
    "--settings FILE",
    "options that are not given here, from this TOML file (BJ_SETTINGS; default "
    "~/.config/blackjack/client.toml)",
    file,
)


def read_settings(
    parser: Parser, typed: argparse.Namespace, environment: Mapping[str, str]
) -> Said:
    """Return the environment, with the values of the settings file where it has none.

    With ``--solo`` the table is left out, which is that of a server elsewhere.

    Raises:
        SystemExit: with 2 and a sentence, if the file cannot be used.
    """
    said = parser.in_environment(environment)
    try:
        found = _read(parser, typed.settings, environment.get("BJ_SETTINGS"))
    except ValueError as bad:
        parser.error(str(bad))
    silent = set()
    if "server" in found and (typed.server or "server" in said):
        silent |= _PLACE
    if _TLS & said.keys() or typed.tls_ca or typed.tls_pin:
        silent |= _TLS
    said = {key: found[key] for key in found.keys() - silent} | said
    return {key: said[key] for key in said.keys() - (_PLACE if typed.solo else ())}


def _read(parser: Parser, typed: Path | None, variable: str | None) -> Said:
    """Return the values of the file; none if the default file is missing."""
    import tomllib  # here, since a help reads no file

    named = typed or (file(variable) if variable else None)
    folder = config_folder()
    path = named or (folder and folder / "client.toml")
    if path is None:
        return {}
    try:
        values = tomllib.loads(read_written(path))
    except FileNotFoundError:
        if not named:
            return {}
        raise ValueError(
            f"There is no settings file {path}: name another with --settings "
            "(BJ_SETTINGS), or leave it out."
        ) from None
    except OSError as error:
        raise ValueError(
            f"The settings file {path} cannot be read ({error.strerror}): make it "
            "yours to read, or name another with --settings."
        ) from None
    except (ValueError, RecursionError) as error:  # of TOML, or of UTF-8
        raise ValueError(
            f"The settings file {path} is no TOML ({error}): mend it there."
        ) from None
    readers = {setting.name: setting for setting in parser.settings}
    for key, value in values.items():
        if key not in KEYS:
            raise ValueError(
                f"The settings file {path} has {key!r}, which is no setting: there are "
                f"{', '.join(KEYS)}; the other options are for the command line."
            )
        try:
            values[key] = _texts(readers[key], path.parent, value)
        except ValueError as wrong:
            sentence = f"The settings file {path} has a wrong {key}: {wrong}"
            raise ValueError(sentence) from None
    return {key: (str(path), texts) for key, texts in values.items()}


def _texts(setting: Setting, folder: Path, value: object) -> list[str]:
    """Return a value as it would be typed, once it is known to make sense.

    Raises:
        ValueError: with a sentence, if it makes none.
    """
    key = setting.name
    texts = [str(int(value)) if isinstance(value, bool) else str(value)]
    is_right, what = isinstance(value, str), "a text in quotes"
    if key == "handle":
        return _handles(setting, value)
    if key == "keys":
        return [_keys(value)]
    if key == "colours":
        is_right, what = value in (16, 256) or is_right, '"none", 16, 256 or "true"'
    elif setting.is_switch:
        is_right, what = isinstance(value, bool), "true or false"
    elif key in _NUMBERS:
        is_right = isinstance(value, int | float) and not isinstance(value, bool)
        what = "a number, without quotes"
    if not is_right:
        raise ValueError(f"write {what}.")
    if key in _FILES:
        texts = [str(folder / file(text)) for text in texts]
    setting.value(texts)
    return texts


def _handles(setting: Setting, value: object) -> list[str]:
    listed = [value] if isinstance(value, str) else value
    if isinstance(listed, list) and all(isinstance(part, str) for part in listed):
        handles = check_players(setting.texts(",".join(listed)))
        if handles:
            return list(handles)
    raise ValueError("write a text, or a list of texts for several players.")


def _keys(value: object) -> str:
    """Return a table of keys as one would type them, once they are known to do."""
    what = 'a table, as in keys.hit = "j".'
    if isinstance(value, dict):
        what = "each key as a text in quotes."
        if all(isinstance(key, str) for key in value.values()):
            keymap_of(value)
            return " ".join(f"{name}={key}" for name, key in value.items())
    raise ValueError(f"write {what}")
