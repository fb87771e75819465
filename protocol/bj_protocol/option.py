"""Options: the rows of every command, and the one reader of all their sources.

An option is a row: how it is typed, its help, its reader, its default. A setting is an
option that has a variable of the environment, too, and may stand in a file. The texts
of a variable and of a file are read like that of the flag, and named where they are
wrong. Each command knows the variables of the others.

The commands of the server and of the client share this module. It stands in this
package since both know this package alone.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias, TypeVar

Said: TypeAlias = dict[str, tuple[str, Sequence[str]]]
"""By the name of a setting: a source, such as its variable, and the texts there."""

COMMAS = r"[,\s]+"
"""The usual pattern between the texts of a variable that may have several."""

_YES = {"1", "yes", "true", "on"}
_NO = {"0", "no", "false", "off"}
_T = TypeVar("_T")
_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class Option:
    """A row: an option of the command line, a switch, or an argument."""

    typed: str
    """As in ``--pace SECONDS``; a switch has no value, and an argument no dashes."""
    help: str | None = None
    read: Callable[[str], Any] = str
    """Raises ``ValueError`` with a sentence for a text that makes no sense."""
    default: Any = None
    _: KW_ONLY
    apart: str | None = None
    """The pattern between several, in a variable; None if there is just one."""
    count: str | None = None
    """The number of arguments, as ``?``, ``*`` or ``+``; None for just one."""
    choices: Sequence[str] | None = None
    required: bool = False
    dest: str = ""
    """The attribute for its value; empty for one like the name."""

    @property
    def name(self) -> str:
        """The name without dashes.

        >>> Option("--[no-]log-addresses").name, Option("files FILE").name
        ('log-addresses', 'files')
        """
        return self.typed.split()[0].removeprefix("--").removeprefix("[no-]")

    @property
    def key(self) -> str:
        """The attribute for its value."""
        return self.dest or self.name.replace("-", "_")

    @property
    def is_switch(self) -> bool:
        """Whether it is yes or no."""
        return " " not in self.typed and self.choices is None

    @property
    def unsaid(self) -> Any:
        """Its value if no source has one."""
        return False if self.is_switch and self.default is None else self.default

    def add(self, group: argparse._ActionsContainer) -> None:
        """Have the parser of ``group`` know it."""
        word, _, value = self.typed.partition(" ")
        default = None if isinstance(self, Setting) else self.unsaid
        shape: dict[str, Any] = {"help": self.help, "default": default}
        if word.startswith("--"):
            shape |= {"dest": self.key, "required": self.required}
        if word.startswith("--[no-]"):
            shape["action"] = argparse.BooleanOptionalAction
        elif self.is_switch:
            shape["action"] = "store_true"
        else:
            shape |= {"type": self._flag, "choices": self.choices}
            shape |= {"metavar": value or None}
            shape |= {"action": "append"} if self.apart else {"nargs": self.count}
        group.add_argument(word.replace("[no-]", ""), **shape)

    def value(self, texts: Iterable[str]) -> Any:
        """Return the value of the texts of a variable or a file.

        Raises:
            ValueError: with a sentence, if they make no sense.
        """
        values = [_yes(text) if self.is_switch else self.read(text) for text in texts]
        return values if self.apart else values[0]

    def _flag(self, text: str) -> Any:
        try:
            return self.read(text)
        except ValueError as wrong:
            raise argparse.ArgumentTypeError(str(wrong)) from None


class Setting(Option):
    """A row that the environment and a file may set, too."""

    __slots__ = ()

    @property
    def variable(self) -> str:
        """The variable of the environment.

        >>> Setting("--bet-seconds S").variable
        'BJ_BET_SECONDS'
        """
        return f"BJ_{self.name.upper().replace('-', '_')}"

    def texts(self, said: str) -> list[str]:
        """Return the texts of its variable: one, or several, or none if it is empty.

        >>> Setting("--host HOST", apart=COMMAS).texts(" ::1, localhost")
        ['::1', 'localhost']
        """
        if self.apart is None:
            return [said] if said else []
        return re.split(self.apart, said.strip()) if said.strip() else []


@dataclass(frozen=True, slots=True)
class OneOf:
    """Rows that exclude each other."""

    options: tuple[Option, ...]
    required: bool = True


Rows: TypeAlias = Sequence[Option | OneOf]

Orders: TypeAlias = "Mapping[str, tuple[str, Rows | Orders]]"
"""The orders of a command: help, and rows or orders below it, of each."""


def told_by(command: str) -> str:
    """Return the sentence about where the options of a command are told."""
    return f"{command} --help tells all options."


class Parser(argparse.ArgumentParser):
    """A parser that is made of rows, and reads variables and files like flags.

    The parser of a command has an ``epilog``, and prints its texts as they are.
    """

    def __init__(
        self, *, epilog: str | None = None, rows: Rows = (), **more: Any
    ) -> None:
        """Start with some rows; all other arguments are those of argparse."""
        raw, filled = argparse.RawDescriptionHelpFormatter, argparse.HelpFormatter
        more = {"formatter_class": raw if epilog else filled, **more}
        super().__init__(epilog=epilog, **more | {"allow_abbrev": False})
        self.settings: list[Setting] = []
        self.add_rows(rows)

    def error(self, message: str) -> NoReturn:
        """End with what is wrong, and with where the options are told."""
        self.exit(2, f"{self.prog}: error: {message}\n{told_by(self.prog)}\n")

    def add_version(self) -> None:
        """Add ``--version``."""
        self.add_argument("--version", action=_Version)

    def add_rows(self, rows: Rows, title: str | None = None) -> None:
        """Add rows, in a group of their own if it has a title."""
        group = self.add_argument_group(title) if title else self
        for row in rows:
            inner: argparse._ActionsContainer = group
            if isinstance(row, OneOf):
                inner = group.add_mutually_exclusive_group(required=row.required)
            for option in row.options if isinstance(row, OneOf) else (row,):
                option.add(inner)
                if isinstance(option, Setting):
                    self.settings.append(option)

    def add_orders(
        self,
        noun: str,
        orders: Orders,
        told: Callable[[str], str] = str,
    ) -> None:
        """Add the orders of a command, of which one is typed.

        ``told`` makes the description of an order of its help.
        """
        every = self.add_subparsers(
            dest=noun.replace(" ", "_"),
            metavar=noun.split()[-1].upper(),
            required=True,
            title=f"{noun}s",
        )
        for name, (what, below) in orders.items():
            parser = every.add_parser(name, help=what, description=told(what))
            if isinstance(below, Mapping):
                parser.add_orders(f"{name} {noun}", below, told)
            else:
                parser.add_rows(below)

    def in_environment(self, variables: Mapping[str, str]) -> Said:
        """Return the texts of the environment; an empty variable has none."""
        found = ((s, s.texts(variables.get(s.variable, ""))) for s in self.settings)
        return {s.name: (s.variable, texts) for s, texts in found if texts}

    def value(self, setting: Setting, said: Said) -> Any:
        """Return the value of a setting by ``said``, or its default.

        Raises:
            SystemExit: with a sentence that names the source, if it makes no sense.
        """
        source, texts = said.get(setting.name, ("", None))
        if texts is None:
            return setting.unsaid
        try:
            return setting.value(texts)
        except ValueError as wrong:
            self.error(f"{source}: {wrong}")

    def complete(self, typed: argparse.Namespace, said: Said) -> argparse.Namespace:
        """Return ``typed``, with the value of each setting that was not typed.

        Raises:
            SystemExit: with a sentence, if one of them makes no sense.
        """
        for setting in self.settings:
            if getattr(typed, setting.key) is None:
                setattr(typed, setting.key, self.value(setting, said))
        return typed


def checked(read: Callable[[str], _T], rule: str) -> Callable[[str], _T]:
    """Return ``read``, with ``rule`` as the sentence for text that it cannot read."""

    def reader(text: str) -> _T:
        try:
            return read(text)
        except ValueError:
            raise wrong(text, rule) from None

    return reader


def wrong(text: str, rule: str) -> ValueError:
    """Return the error for a text that breaks a rule.

    >>> wrong("x" * 50, "a port is a number")
    ValueError("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…': a port is a number")
    """
    shown = text if len(text) <= 40 else f"{text[:40]}…"
    return ValueError(f"{shown!r}: {rule}")


def between(number: _Number, lowest: _Number, highest: _Number) -> _Number:
    """Return ``number`` if it is in that range.

    Raises:
        ValueError: if it is not.
    """
    if not lowest <= number <= highest:
        raise ValueError
    return number


def _yes(text: str) -> bool:
    if text.lower() not in _YES | _NO:
        raise ValueError(f"{text!r} is neither yes nor no: say 1 or 0.")
    return text.lower() in _YES


class _Version(argparse.Action):
    """Tells the release and ends the command, as argparse does with a known text."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        told = "show program's version number and exit"
        nothing = argparse.SUPPRESS
        super().__init__(option_strings, dest, nargs=0, default=nothing, help=told)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        # Here, since it reads what is installed, by way of mails and archives.
        from importlib.metadata import PackageNotFoundError, version

        try:
            release = version("blackjack-table")
        except PackageNotFoundError:
            release = "(not installed)"
        parser._print_message(f"{parser.prog} {release}\n", sys.stdout)
        parser.exit()


_OF_SERVERS = (
    "ADMIN_PORT ALLOW_ORIGIN BANK BET_SECONDS CODE CONFIG FLEET HOLD_SECONDS HOST "
    "HOUSE INSECURE INSURANCE_SECONDS INVITE_ONLY LOG_ADDRESSES LOG_FORMAT LOG_LEVEL "
    "LOW_SPACE MAX_CONNECTIONS MAX_NEW_HANDLES MAX_PER_ADDRESS MAX_RATE "
    "MAX_WRONG_TRIES NO_CLOCK NO_PROOF PORT PROXY_PROTOCOL SEATS SEED STACK "
    "STOP_ON_EOF TABLE TABLES TAKE_OVER TLS_CERT TLS_KEY TRUSTED_PROXY TURN_SECONDS"
)
_OF_CLIENTS = (
    "ASCII BET CODE COLOURS DEBUG HANDLE HINTS INSECURE KEYS KEY_FILE PACE PLAIN "
    "RECONNECT RECORD SERVER SERVER_KEY SETTINGS TABLE TLS_CA TLS_PIN UNPROVEN"
)
_OF_IMAGES = "PUBLISH"

VARIABLES = frozenset(
    f"BJ_{name}" for name in f"{_OF_SERVERS} {_OF_CLIENTS} {_OF_IMAGES}".split()
)
"""All that any command, or the compose file, reads."""


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a sentence for each name that begins like one of ours and is none.

    >>> unknown_variables(["BJ_PROT", "PATH"])
    ['BJ_PROT is no variable of these commands, so it has no effect: is it BJ_PORT?']
    >>> unknown_variables(["BJ_FOO"])[0].endswith(": docs/operations.md has a list.")
    True
    """
    odd = sorted(name for name in names if name.startswith("BJ_"))
    return [_sentence(name) for name in odd if name not in VARIABLES]


def _sentence(name: str) -> str:
    known = sorted(variable.removeprefix("BJ_") for variable in VARIABLES)
    near = get_close_matches(name[3:64], known, n=1)
    meant = f"is it BJ_{near[0]}?" if near else "docs/operations.md has a list."
    shown = ascii(name[:64])[1:-1]
    return f"{shown} is no variable of these commands, so it has no effect: {meant}"
