"""Tables: the tables of a server, from ``--table`` and a TOML file.

A table takes all that it does not set itself from the other options, such as
``--house``, ``--seats`` and the seconds.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from bj_game.house import House
from bj_protocol.handle import canonical_handle
from bj_protocol.option import COMMAS, Option, Setting, between, checked, wrong
from bj_server.settings import HOUSES, TablePlan, load_house


class TablesError(ValueError):
    """Tables that cannot be set; the message is a sentence for the host."""


def named_table(text: str) -> tuple[str, House | None]:
    """Read ``NAME`` or ``NAME=HOUSE``."""
    name, is_housed, house = text.partition("=")
    if canonical_handle(name) != name:
        raise wrong(text, "a table is NAME or NAME=HOUSE, NAME like a handle")
    return name, load_house(house) if is_housed else None


def plan_tables(
    standard: TablePlan,
    seats: int | None,
    named: Iterable[tuple[str, House | None]],
    file: Path | None,
) -> tuple[TablePlan, ...]:
    """Return the tables of the file, then those that are ``named``, once each.

    ``standard`` is a table that says nothing of itself; ``seats`` are those of every
    table that says nothing of them, None for as many as its house has.

    A file that is wrong, or a name with two houses, raises ``TablesError``.
    """
    plans: dict[str, TablePlan] = {}
    if file is not None:
        # Here, since its models take long to import.
        from bj_server.options.table_file import tables_of

        plans = {plan.name: plan for plan in tables_of(standard, seats, file)}
    for name, house in named:
        plan = housed(replace(standard, name=name), house, seats)
        if plans.setdefault(plan.name, plan) != plan:
            raise TablesError(
                f"The table {plan.name} is named twice, in different ways."
            )
    return tuple(plans.values()) or (standard,)


def housed(plan: TablePlan, house: House | None, seats: int | None) -> TablePlan:
    """Return a table with a house of its own, if it has one, and with its seats."""
    house = house or plan.house
    return replace(plan, house=house, seats=seats or house.max_seats)


GAME = (
    Setting(
        "--house NAME|FILE",
        f"rules to play: {', '.join(HOUSES)}, or a TOML file (default: cpsc386)",
        load_house,
        load_house("cpsc386"),
    ),
    Option("--list-houses", "list the houses, and exit"),
    Option("--show-house NAME|FILE", "show the rules of a house, and exit", load_house),
    Setting(
        "--seats N",
        "seats at each table, 1 to 7 (default: as many as the house's rules say)",
        checked(lambda text: between(int(text), 1, 7), "a table has 1 to 7 seats"),
    ),
    Setting(
        "--table NAME[=HOUSE]",
        "a table, and its house; may be repeated (default: main)",
        named_table,
        apart=COMMAS,
    ),
    Setting(
        "--tables FILE",
        "tables from a TOML file, each with a house, seats, seconds and a join code of "
        "its own",
        Path,
    ),
)
