"""The plan: all that a seed decides beforehand, as values that can be left out.

A world is played from a plan alone. What happens between its values, as how long a
piece of a message takes, is drawn from streams that are named after what they are for,
so that the rest stays as it is when one value is left out.
"""

import contextlib
import itertools
import random
from dataclasses import dataclass, fields, replace
from typing import Any, get_args, get_type_hints

from bj_game.house import House, HouseError
from bj_server.settings import HOUSES, load_house
from bj_server.table.clock import Pace
from simulation.player import Character

NAMES = ("ned21", "lia9", "ibad", "tess", "kim", "oleg", "pia", "uwe", "zoe")

QUIET = ("cut", "dead", "freeze", "over", "leave", "look", "recall", "chat", "offend")
"""What befalls one guest."""
HOST = ("kick", "ban", "say", "shuffle", "gift", "mute", "notice", "tables", "open")
DISK = ("full", "failing", "slow", "short")
ENDS = ("kill", "kill_at_call", "power", "power_at_call", "stop")
SQL = ("cut", "away", "dead", "slow", "snap", "double", "hold")
ON_THE_ROAD = (*[f"sql_{what}" for what in SQL], "move")
"""What befalls a server's road to PostgreSQL, and players between servers."""


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
    server: str = ""
    """The name of its server; none for one that is alone."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One world."""

    seed: int
    rounds: int
    pace: Pace
    tables: tuple[TableSketch, ...]
    guests: tuple[Character, ...]
    incidents: tuple[Incident, ...]
    has_net: bool = True
    """Whether guests speak bytes to a whole server, or messages to its tables."""
    is_audited: bool = True
    """Whether ``bj-bank audit`` looks at what is left in the end."""

    @property
    def is_of_fleet(self) -> bool:
        """Whether there are several servers, and PostgreSQL."""
        return any(table.server for table in self.tables)

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


@dataclass(frozen=True, slots=True)
class Kind:
    """What the worlds of a kind are like, and how much is in them."""

    has_net: bool
    rounds: int
    """In one world."""
    tables: tuple[int, ...]
    """Each as likely as the others; so are the following."""
    company: tuple[int, ...]
    """Players for a table."""
    slowness: tuple[float, ...]
    checking: tuple[int, ...]
    """How many of the players of a table check the server."""
    gaps: tuple[float, ...]
    """Seconds between two incidents."""
    proven: float
    """How many of the tables prove their rounds."""
    audited: float
    """In how many of the worlds the bank is audited; the reference settles in all."""
    servers: tuple[int, ...] = ()
    """Of one fleet."""


WHOLE = Kind(
    has_net=True,
    rounds=25,
    tables=(1, 1, 1, 2, 3),
    company=(1, 2, 2, 3, 4, 7),
    slowness=(0.3, 2.0, 3.0, 6.0, 20.0),
    checking=(1, 1, 1, 7),
    gaps=(5.0, 20.0, 20.0, 60.0),
    proven=0.9,
    audited=1.0,
)
"""Whole servers."""
BARE = Kind(
    has_net=False,
    rounds=100,
    tables=(1, 1, 2, 3),
    company=(1, 1, 1, 1, 2, 3),
    slowness=(0.3, 1.0, 3.0, 20.0),
    checking=(0, 0, 0, 1, 7),
    gaps=(20.0, 60.0, 200.0),
    proven=0.3,
    audited=0.15,
)
"""Tables without a net."""
FLEET = Kind(
    has_net=True,
    rounds=25,
    tables=(3,),
    company=(1, 2, 3),
    slowness=(0.3, 0.3, 1.0, 2.0),
    checking=(1, 7),
    gaps=(0.5, 1.0, 3.0, 10.0),
    proven=0.5,
    audited=1.0,
    servers=(2, 2, 3),
)
"""Whole servers of one fleet, over one PostgreSQL."""


def plan_of(seed: int, rounds: int, kind: Kind = WHOLE) -> Plan:
    """Return the plan of a seed."""
    chance = random.Random(f"plan {seed}")
    pace = chance.choice((Pace(), Pace(), Pace(bet_seconds=8, turn_seconds=6)))
    tables = []
    for name in ("main", "side", "back")[: chance.choice(kind.tables)]:
        house = any_house(chance)
        seats = chance.randint(1, house.max_seats)
        tables.append(TableSketch(name, house, seats, chance.random() < kind.proven))
    if kind.servers:
        names = itertools.cycle("abc"[: chance.choice(kind.servers)])
        tables = [replace(table, server=next(names)) for table in tables]
    guests = _guests(chance, tables, kind)
    incidents = _incidents(chance, rounds, kind)
    return Plan(
        seed=seed,
        rounds=rounds,
        pace=pace,
        tables=tuple(tables),
        guests=guests,
        incidents=incidents,
        has_net=kind.has_net,
        is_audited=chance.random() < kind.audited,
    )


def _guests(
    chance: random.Random, tables: list[TableSketch], kind: Kind
) -> tuple[Character, ...]:
    names, guests = list(NAMES), []
    checking = chance.choice(kind.checking)
    for table in tables:
        count = min(table.seats, chance.choice(kind.company), len(names))
        count += bool(names) and chance.random() < 0.2  # there may be no seat
        for number in range(min(count, len(names))):
            player = _player(chance, names.pop(0), table, kind)
            guests.append(replace(player, is_checking=number < checking))
        if chance.random() < 0.3:
            name = f"watcher {table.name}"
            is_checking = checking > 1
            guests.append(
                Character(name, table.name, is_watching=True, is_checking=is_checking)
            )
    return tuple(guests)


def _player(
    chance: random.Random, name: str, table: TableSketch, kind: Kind
) -> Character:
    return Character(
        name,
        table.name,
        is_hostile=chance.random() < 0.12,
        slowness=chance.choice(kind.slowness),
        absence=chance.choice((0.0, 0.0, 0.02, 0.2)),
        doubling=chance.choice((0.0, 0.1, 0.5)),
        is_unproven=not table.is_proven or chance.random() < 0.1,
        address=f"10.0.1.{chance.choice((1, 2, 3, 4, 5))}",
    )


def _incidents(chance: random.Random, rounds: int, kind: Kind) -> tuple[Incident, ...]:
    """Draw what happens in the longest time that so many rounds may take."""
    if chance.random() < 0.1:
        return ()
    kinds: tuple[str, ...] = (*QUIET, *HOST, *DISK, *ENDS)
    odds = [*[12] * len(QUIET), *[2] * len(HOST), *[3] * len(DISK), *[3] * len(ENDS)]
    if kind.servers:
        kinds = (*kinds, *ON_THE_ROAD)
        odds += [9, 9, 9, 9, 60, 9, 9, 200]
    gap = chance.choice(kind.gaps)
    at, incidents = 0.0, list[Incident]()
    while at < rounds * 60.0 and len(incidents) < rounds * 20:
        at += chance.expovariate(1 / gap)
        (what,) = chance.choices(kinds, odds)
        incidents.append(Incident(at, what, chance.randrange(1000), chance.random()))
    return tuple(incidents)
