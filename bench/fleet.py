"""Rounds of a server in a fleet beside those of one alone, and of two beside one.

    PYTHONPATH=tests python bench/fleet.py            # both, about two minutes
    PYTHONPATH=tests python bench/fleet.py rounds     # a part: rounds or two

What a visit costs is for ``visits.py``.

PostgreSQL comes from a wheel of the extra ``dev``, with its files in memory, or is the
one that ``BJ_TEST_POSTGRES`` names. Kinds take turns, and figures are medians. Rounds
are told by the second of the server's processor, too, since the players run beside it.
"""

import argparse
import asyncio
import contextlib
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import uvloop
from psycopg.conninfo import conninfo_to_dict
from seat import Load, Seat
from served import real, spent, started

from bj_server.bank.signer import Signer
from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.fleet import sign
from support.postgres import Postgres, new_database

_TABLES, _SEATS = 20, 5


@contextlib.contextmanager
def _database() -> Iterator[str]:
    """Give the URL of a fresh database of a fleet."""
    with contextlib.ExitStack() as stack:
        url = os.environ.get("BJ_TEST_POSTGRES")
        if url is None:
            server = Postgres(max_wal_size="2GB")
            stack.callback(server.remove)
            server.start()
            url = server.url
        made = conninfo_to_dict(stack.enter_context(new_database(url)))
        database = urlsplit(url)._replace(path=f"/{made['dbname']}").geturl()
        asyncio.run(_migrate(database))
        yield database


async def _migrate(url: str) -> None:
    connection = await connect(url)
    await migrate(connection)
    await connection.close()


async def _play(ports: list[tuple[int, int]], secs: float) -> tuple[float, float]:
    """Return the rounds a second of all servers together, and CPU us a round."""
    load = Load()
    loop = asyncio.get_running_loop()
    seats = []
    for at, (port, _) in enumerate(ports):
        for table in range(_TABLES):
            for number in range(_SEATS):
                seat = Seat(load, f"s{at}t{table}", number)
                await loop.create_connection(partial(_same, seat), "127.0.0.1", port)
                seats.append(seat)
    await asyncio.gather(*(seat.ready for seat in seats))
    load.go()
    await asyncio.sleep(min(1, secs / 2))
    began, rounds = time.perf_counter(), load.rounds
    cpu = sum(spent(process) for _, process in ports)
    await asyncio.sleep(secs)
    rounds, seconds = load.rounds - rounds, time.perf_counter() - began
    cpu = sum(spent(process) for _, process in ports) - cpu
    for seat in seats:
        seat.leave()
    return rounds / seconds, cpu / max(1, rounds) * 1e6


def _same(seat: Seat) -> Seat:
    return seat


def _run(count: int, url: str | None, secs: float) -> tuple[float, float]:
    """Return the figures of so many servers, in the fleet at ``url`` or alone."""
    with contextlib.ExitStack() as stack:
        place, key = Path(stack.enter_context(tempfile.TemporaryDirectory())), None
        ports = []
        for at in range(count):
            folder = place / f"bank{at}"
            command = real(str(folder), 0, _SEATS)
            tables = [w for n in range(_TABLES) for w in ("--table", f"s{at}t{n}")]
            if url is not None:
                key = key or Signer.after()
                sign(folder, f"bench-{secrets.token_hex(4)}", key)
                folder.chmod(0o700)
                (place / "url").write_text(url)
                tables += ["--fleet", str(place / "url")]
            ports.append(stack.enter_context(started([*command, *tables])))
        runner = stack.enter_context(asyncio.Runner(loop_factory=uvloop.new_event_loop))
        return runner.run(_play(ports, secs))


def rounds(times: int = 5, secs: float = 4.0) -> None:
    """Compare rounds at a server of a fleet with those at one alone."""
    alone, within = [], []
    for _ in range(times):
        alone.append(_run(1, None, secs))
        with _database() as url:
            within.append(_run(1, url, secs))
    _tell("alone", alone)
    _tell("in a fleet", within)
    part = median(cpu for _, cpu in alone) / median(cpu for _, cpu in within)
    print(f"rounds a second of the processor, of those alone: {part:.3f}")


def two(times: int = 3, secs: float = 4.0) -> None:
    """Compare two servers of a fleet with one."""
    one, both = [], []
    for _ in range(times):
        with _database() as url:
            one.append(_run(1, url, secs))
        with _database() as url:
            both.append(_run(2, url, secs))
    _tell("one", one)
    _tell("two", both)
    part = median(cpu for _, cpu in one) / median(cpu for _, cpu in both)
    print(f"rounds of two with a core each, of those of one: {2 * part:.2f}")


def _tell(name: str, found: list[tuple[float, float]]) -> None:
    per_second = median(rounds for rounds, _ in found)
    cpu = median(cpu for _, cpu in found)
    print(f"{name}: {per_second:.0f} rounds/s, {cpu:.1f} us of the servers a round")


_PARTS = {"rounds": rounds, "two": two}


def main() -> None:
    """Measure what is named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *_PARTS], default=[])
    for name in parser.parse_args().parts or _PARTS:
        _PARTS[name]()


if __name__ == "__main__":
    main()
