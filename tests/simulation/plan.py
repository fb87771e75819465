"""The plan: all that a seed decides beforehand, as values that can be left out.

A world is played from a plan alone. What happens between its values, as how long a
piece of a message takes, is drawn from streams that are named after what they are for,
so that the rest stays as it is when one value is left out.
"""

import contextlib
import random
from dataclasses import dataclass, fields, replace
from typing import Any, get_args, get_type_hints

from bj_game.house import House, HouseError
from bj_server.settings import HOUSES, load_house
from bj_server.table.clock import Pace
from simulation.guest import Character

NAMES = ("ned21", "lia9", "ibad", "tess", "kim", "oleg", "pia", "uwe", "zoe")

QUIET = ("cut", "dead", "freeze", "over", "leave", "look", "recall", "chat", "offend")
"""What befalls one guest."""
HOST = ("kick", "ban", "say", "shuffle", "gift", "mute", "notice", "tables", "open")
DISK = ("full", "failing", "slow", "short")
ENDS = ("kill", "kill_at_call", "power", "power_at_call", "stop")


@dataclass(frozen=True, slots=True)
class Incident:
    """One thing that goes wrong, or is done by somebody."""

    at: float
    """Seconds since the world began."""
    kind: str
    who: int
    """Whom it befalls, among those that it can."""
    size: float
    """How much, from 0 to 1."""

    def __str__(self) -> str:
        return f"{self.at:.1f} {self.kind} {self.who} {self.size:.2f}"


@dataclass(frozen=True, slots=True)
class TableSketch:
    """One table."""

    name: str
    house: House
    seats: int
    is_proven: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """One world."""

    seed: int
    rounds: int
    pace: Pace
    tables: tuple[TableSketch, ...]
    guests: tuple[Character, ...]
    incidents: tuple[Incident, ...]

    def __str__(self) -> str:
        tables = ", ".join(f"{t.name} {t.house.name} x{t.seats}" for t in self.tables)
        guests = ", ".join(_words(guest) for guest in self.guests)
        incidents = "; ".join(map(str, self.incidents)) or "nothing"
        return (
            f"seed {self.seed}, {self.rounds} rounds\ntables: {tables}\n"
            f"guests: {guests}\nincidents: {incidents}"
        )


def _words(who: Character) -> str:
    kind = "watches" if who.is_watching else "plays"
    hostile = ", hostile" if who.is_hostile else ""
    return f"{who.name} {kind} at {who.table}{hostile}"


def any_house(chance: random.Random) -> House:
    """Return a shipped house, or one with a few rules of another."""
    house = load_house(chance.choice(HOUSES))
    if chance.random() < 0.5:
        return house
    kinds = get_type_hints(House)
    names = [each.name for each in fields(House) if _values(kinds[each.name])]
    for name in chance.sample(names, 6):
        changed: dict[str, Any] = {name: chance.choice(_values(kinds[name]))}
        with contextlib.suppress(HouseError):
            house = replace(house, **changed)
    decks, spots = chance.choice((1, 2, 6, 8)), chance.choice((1, 2, 3))
    with contextlib.suppress(HouseError):
        house = replace(house, decks=decks)
    with contextlib.suppress(HouseError):
        house = replace(house, max_spots=spots)
    return replace(house, name="mixed")


def _values(kind: Any) -> tuple[Any, ...]:
    return (False, True) if kind is bool else get_args(kind)


def plan_of(seed: int, rounds: int, *, storm: float = 1.0) -> Plan:
    """Return the plan of a seed; ``storm`` is how much goes wrong."""
    chance = random.Random(f"plan {seed}")
    pace = chance.choice((Pace(), Pace(), Pace(bet_seconds=8, turn_seconds=6)))
    tables = []
    for name in ("main", "side", "back")[: chance.choice((1, 1, 1, 2, 3))]:
        house = any_house(chance)
        seats = chance.randint(1, house.max_seats)
        tables.append(TableSketch(name, house, seats, chance.random() < 0.9))
    guests = _guests(chance, tables)
    return Plan(
        seed, rounds, pace, tuple(tables), guests, _incidents(chance, rounds, storm)
    )


def _guests(chance: random.Random, tables: list[TableSketch]) -> tuple[Character, ...]:
    names, guests = list(NAMES), []
    for table in tables:
        count = min(table.seats, chance.choice((1, 2, 2, 3, 4, 7)), len(names))
        for _ in range(count):
            guests.append(_player(chance, names.pop(0), table))
        if names and chance.random() < 0.2:  # there may be no seat
            guests.append(_player(chance, names.pop(0), table))
        if chance.random() < 0.3:
            watcher = f"watcher {table.name}"
            guests.append(Character(watcher, table.name, is_watching=True))
    return tuple(guests)


def _player(chance: random.Random, name: str, table: TableSketch) -> Character:
    return Character(
        name,
        table.name,
        is_hostile=chance.random() < 0.12,
        slowness=chance.choice((0.3, 2.0, 3.0, 6.0, 20.0)),
        absence=chance.choice((0.0, 0.0, 0.02, 0.2)),
        doubling=chance.choice((0.0, 0.1, 0.5)),
        is_unproven=not table.is_proven or chance.random() < 0.1,
        address=f"10.0.1.{chance.choice((1, 2, 3, 4, 5))}",
    )


def _incidents(
    chance: random.Random, rounds: int, storm: float
) -> tuple[Incident, ...]:
    """Draw what happens in the longest time that so many rounds may take."""
    if storm <= 0 or chance.random() < 0.1:
        return ()
    kinds = (*QUIET, *HOST, *DISK, *ENDS)
    odds = [*[12] * len(QUIET), *[2] * len(HOST), *[3] * len(DISK), *[3] * len(ENDS)]
    gap = chance.choice((5.0, 20.0, 20.0, 60.0)) / storm
    at, incidents = 0.0, list[Incident]()
    while at < rounds * 60.0 and len(incidents) < rounds * 20:
        at += chance.expovariate(1 / gap)
        (kind,) = chance.choices(kinds, odds)
        incidents.append(Incident(at, kind, chance.randrange(1000), chance.random()))
    return tuple(incidents)
