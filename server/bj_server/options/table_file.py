"""The file of tables: TOML, with a part for each table and all that it sets itself."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bj_game.house import House, HouseError
from bj_protocol.handle import canonical_handle
from bj_server.bank.disk import read_named
from bj_server.settings import HOUSES, TablePlan, load_house
from bj_server.table.clock import LONGEST, SHORTEST

_Seconds = Field(default=None, ge=SHORTEST, le=LONGEST)


class _Entry(BaseModel):
    """One table of the file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    house: str | None = None
    seats: int | None = Field(default=None, ge=1, le=7)
    code: str | None = Field(default=None, min_length=6, max_length=64)
    clock: bool = True
    proof: Literal["rounds", "none"] = "rounds"
    hints: bool = True
    bet_seconds: float | None = _Seconds
    insurance_seconds: float | None = _Seconds
    turn_seconds: float | None = _Seconds
    hold_seconds: float | None = _Seconds


_WAITS = {name for name in _Entry.model_fields if name.endswith("_seconds")}


def tables_of(
    standard: TablePlan, seats: int | None, file: Path
) -> Iterable[TablePlan]:
    """Return the tables of a file; one that is wrong raises ``ValueError``.

    ``standard`` is a table that says nothing of itself; ``seats`` are those of every
    table that says nothing of them, None for as many as its house has.
    """
    found = _read(file)
    if not found:
        raise ValueError(f"{file} has no tables: write [main] for one called main.")
    for name, fields in found.items():
        if not isinstance(fields, dict):
            raise ValueError(  # noqa: TRY004 - of the file, as all here
                f"{file}: {name} is no table: write a name such as [main] above what "
                "each one sets."
            )
        if canonical_handle(name) != name:
            raise ValueError(f"{file}: a table's name is written like a handle.")
        try:
            entry = _Entry.model_validate(fields)
            house = _house(entry.house, file)
        except ValidationError as error:
            raise ValueError(f"{file}: table {name}: {_what(error)}") from None
        except HouseError as error:
            raise ValueError(f"{file}: table {name}: {error}") from None
        plan = replace(standard, name=name).housed(house, entry.seats or seats)
        if not entry.hints:
            plan = replace(plan, house=replace(plan.house, hints=False))
        is_proven = plan.is_proven and entry.proof == "rounds"
        has_clock = plan.pace.has_clock and entry.clock
        seconds = entry.model_dump(include=_WAITS, exclude_none=True)
        pace = replace(plan.pace, has_clock=has_clock, **seconds)
        yield replace(plan, pace=pace, code=entry.code, is_proven=is_proven)


def _read(file: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(read_named(file).decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        raise ValueError(
            f"{file} cannot be read: name a TOML file of tables."
        ) from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file} is not valid TOML: {error}.") from None


def _house(name: str | None, file: Path) -> House | None:
    """Return a house of the file; a path in it is relative to the file."""
    if name is None:
        return None
    return load_house(name if name in HOUSES else str(file.parent / name))


def _what(error: ValidationError) -> str:
    first = error.errors(include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        known = ", ".join(_Entry.model_fields)
        return f"there is no setting {where}; there are {known}."
    return f"{where} is not valid: {first['msg']}."
