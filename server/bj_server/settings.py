"""Settings: how a server is set up, from flags, the environment, a file and defaults.

An option ``--bet-seconds`` is ``BJ_BET_SECONDS`` in the environment and ``bet_seconds``
in the file. Each is read as the flag would be, and named where it is wrong. An option
that may be repeated is a list of words there, or a list of texts in the file.
"""

import argparse
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

import platformdirs

from bj_game.card import Card
from bj_game.house import House, HouseError, parse_house
from bj_game.shoe import new_shoe
from bj_protocol.option import Parser, Said, Setting
from bj_server.bank.disk import read_named
from bj_server.net.limits import Limits
from bj_server.table.clock import Pace
from bj_server.tls import Encryption

_SHIPPED = files("bj_game") / "houses"

HOUSES = tuple(sorted(file.name[:-5] for file in _SHIPPED.iterdir()))
"""The houses that come with the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """How one table is set up."""

    name: str
    house: House
    seats: int
    pace: Pace
    is_proven: bool = True
    """Whether players have a part in the draw, and can prove each round."""
    code: str | None = field(default=None, repr=False)
    """The code of a private table; None for one that is open to all."""

    def housed(self, house: House | None, seats: int | None) -> "TablePlan":
        """Return it with a house of its own, if there is one, and with its seats.

        None stands for as many seats as the house has.
        """
        house = house or self.house
        return replace(self, house=house, seats=seats or house.max_seats)

    def check(self, stack: Sequence[Card]) -> None:
        """See that its decks have cards for its seats, and those of a ``stack``.

        Raises:
            OptionsError: if they have not.
        """
        try:
            replace(self.house, max_seats=self.seats)
        except HouseError as error:
            seats = f"table {self.name} cannot have {seats_of(self.seats)}"
            raise OptionsError(f"argument --seats: {seats}: {error}") from None
        try:
            new_shoe(self.house, stack)
        except ValueError as error:
            raise OptionsError(f"argument --stack: {error}.") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that a host may choose."""

    hosts: tuple[str, ...]
    """The addresses to listen on, at least one."""
    port: int
    bank: Path
    tables: tuple[TablePlan, ...]
    """At least one; the first is for those who name none."""
    seed: int | None
    stack: tuple[Card, ...]
    encryption: Encryption | None = None
    """The certificate and key that encrypt the lines; None for plain ones."""
    is_insecure: bool = False
    """Whether plain lines may be open to other machines."""
    stops_on_eof: bool = False
    """Whether the end of standard input stops the server."""
    code: str | None = field(default=None, repr=False)
    """The code that newcomers must give; None for none."""
    is_invite_only: bool = False
    """Whether only those whom the host has invited open an account."""
    standard: TablePlan | None = None
    """A table that says nothing of itself; None for one like the first."""
    seats: int | None = None
    """The seats of tables that say nothing of them; None for as the house says."""
    limits: Limits = field(default_factory=Limits)
    """The limits for each stranger, and for all of them together."""
    admin_port: int | None = None
    """The loopback port for health and metrics; 0 for any, None for none."""
    low_space: int = 512
    """The MiB of the bank's disk below which the log warns; 0 for never."""
    fleet: str | None = field(default=None, repr=False)
    """The URL of the PostgreSQL of the fleet; None for a server that is alone."""
    takes_over: bool = False
    """Whether an earlier start of the server is not waited for."""
    log_level: str | None = None
    """The least level that is logged; None for what suits standard error."""
    log_format: str = "text"
    """``text`` or ``json``."""
    logs_addresses: bool = True
    """Whether the log has the addresses of connections."""

    @property
    def table_names(self) -> tuple[str, ...]:
        """The names of the tables, in order."""
        return tuple(plan.name for plan in self.tables)

    def plan(self, name: str, house: House | None) -> TablePlan:
        """Return a table that is set up as all are that say no more of themselves."""
        plan = replace(self.standard or self.tables[0], name=name, code=None)
        return plan.housed(house, self.seats)


def bank_row(what: str) -> Setting:
    """Return the row of the folder that keeps the money; ``bank_of`` reads it."""
    try:
        usual = str(_default_bank())
    except RuntimeError:
        usual = "none, since there is no home directory"
    told = f"{what} (BJ_BANK; default: {usual})".replace("%", "%%")
    return Setting("--bank FOLDER", told, read_folder)


def read_folder(text: str) -> Path:
    """Read the name of a folder, which no empty text is."""
    if not text:  # which would be the folder that we are in
        raise ValueError("a folder has a name, and the one that we are in is . (a dot)")
    return Path(text)


def bank_of(parser: argparse.ArgumentParser, named: Path | None) -> Path:
    """Return the folder that was named, or the one that is used without a name.

    Raises:
        SystemExit: with status 2 and a sentence, if there is neither.
    """
    if named is not None:
        return named
    try:
        return _default_bank()
    except RuntimeError:
        parser.error(
            "there is no home directory to keep the bank in: name a folder with --bank "
            "(BJ_BANK)."
        )


def _default_bank() -> Path:
    return Path(platformdirs.user_data_dir("blackjack-table")) / "bank"


def fleet_row(what: str) -> Setting:
    """Return the row of the fleet's PostgreSQL; ``fleet_of`` reads it."""
    return Setting("--fleet FILE", f"{what} (BJ_FLEET: the FILE, or the URL itself)")


def fleet_of(parser: argparse.ArgumentParser, named: str | None) -> str | None:
    """Return the URL of the fleet's PostgreSQL, from a file or the environment.

    Raises:
        SystemExit: with status 2 and a sentence, if there is none where it should be.
    """
    if named is None:
        return None
    if "://" in named:
        if named == os.environ.get("BJ_FLEET"):
            return named
        parser.error(
            "argument --fleet: others on this machine see what stands on a command "
            "line: write the URL into a file and name that, or set BJ_FLEET."
        )
    try:
        url = read_named(Path(named)).decode().strip()
    except (OSError, UnicodeDecodeError):
        parser.error(f"argument --fleet: {named} cannot be read as a file.")
    if not url.startswith(("postgresql://", "postgres://")):
        parser.error(
            f"argument --fleet: {named} has no URL, as in "
            "postgresql://blackjack:password@db.example/blackjack"
        )
    return url


def seats_of(count: int) -> str:
    """Return a number of seats for people."""
    return f"{count} seat{'s' * (count != 1)}"


def load_house(name: str) -> House:
    """Return a shipped house by its name, or one from a TOML file by its path."""
    if name in HOUSES:
        text = (_SHIPPED / f"{name}.toml").read_text(encoding="utf-8")
        return parse_house(text)
    try:
        text = read_named(Path(name)).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise HouseError(
            f"There is no house {name!r}: name one of {', '.join(HOUSES)}, or a TOML "
            "file that can be read."
        ) from None
    try:
        return parse_house(text)
    except HouseError as error:
        raise HouseError(f"{name}: {error}") from None


class OptionsError(ValueError):
    """Settings that make no sense; the message is a sentence for the host."""


class ServerParser(Parser):
    """A parser that reads the environment and a file, too, and raises what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Refuse what was given."""
        raise OptionsError(message)

    def read(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """Return all options, each from the first source that has it."""
        said = self._in_file(arguments) | self.in_environment(os.environ)
        for setting in self.settings:
            self.value(setting, said)
        return self.complete(self.parse_args(arguments), said)

    def _in_file(self, arguments: Sequence[str] | None) -> Said:
        glance = ServerParser(add_help=False)
        glance.add_argument("--config", type=Path)
        given = glance.parse_known_args(arguments)[0].config
        named = given or os.environ.get("BJ_CONFIG")
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
            if setting.name in said:
                self.error(f"{path}: {name} stands there twice, with - and with _.")
            if len(texts) > 1 and setting.apart is None:
                self.error(f"{path}: {key} is one value, and no list.")
            said[setting.name] = (f"{path}: {key}", texts)
        return said

    def _texts(self, path: Path, key: str, value: object) -> list[str]:
        """Return a value of the file as it would be typed."""
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(v, str | int | float) for v in values):
            self.error(f"{path}: {key} is a text, a number, true or false.")
        return [str(v).lower() if isinstance(v, bool) else str(v) for v in values]
