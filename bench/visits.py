"""What visits to a server of a fleet cost: its own time, and what PostgreSQL does.

    python bench/visits.py            # one server, 1, 4 and 16 players at once

Players buy in and are paid out, one visit after the other, and play nothing. A visit
is two transactions with a sync each, and two lines of the journal with one each. Then
there are checkpoints, before each of which the chips of all visits have changed. The
database and the bank are on the disk of the folder for temporary files. Processor time
is that of all processes of PostgreSQL, as the kernel counts it.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import psycopg

from bj_server.bank.signer import Signer
from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.fleet import Member, Seconds, sign
from support.postgres import Postgres, new_database

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What so many visits took."""

    visits: int
    seconds: float
    own: float
    """Processor seconds of this process."""
    sql: float
    """Processor seconds of PostgreSQL."""
    log: int
    """Bytes of its write-ahead log."""
    transactions: int

    def row(self, players: int) -> str:
        """Return a row of the table in results.md."""
        visits = self.visits
        cells = (
            players,
            f"{visits / self.seconds * 60:,.0f}",
            f"{self.own / visits * 1000:.2f}",
            f"{self.sql / visits * 1000:.2f}",
            f"{self.log / visits:,.0f}",
            f"{self.transactions / visits:.2f}",
        )
        return f"| {' | '.join(map(str, cells))} |"


def processor_seconds() -> float:
    """Return those of all processes of PostgreSQL that belong to this one."""
    ours, ticks = {os.getpid()}, 0
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) in ours:
            ours.add(int(entry.name))
            # Of those that are gone, their parent has the time.
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICK


async def measure(folder: Path, url: str, players: int, seconds: float) -> Cost:
    """Have so many players come and go for a while."""
    sign(folder, folder.name, Signer.after())
    member = Member(folder.name, folder, url, Seconds())
    await member.start()
    paid = asyncio.Condition()
    work = asyncio.create_task(_settle(member, paid))
    handles = [f"player{number}" for number in range(players)]
    for handle in handles:
        await _visit(member, handle, paid)
    counted, before = 0, await asyncio.to_thread(_counters, url)
    own, sql, began = time.process_time(), processor_seconds(), time.monotonic()
    ends = began + seconds

    async def come_and_go(handle: str) -> int:
        count = 0
        while time.monotonic() < ends:
            await _visit(member, handle, paid)
            count += 1
        return count

    counted = sum(await asyncio.gather(*map(come_and_go, handles)))
    took = time.monotonic() - began
    own, sql = time.process_time() - own, processor_seconds() - sql
    after = await asyncio.to_thread(_counters, url)
    work.cancel()
    await member.stop()
    return Cost(
        visits=counted,
        seconds=took,
        own=own,
        sql=sql,
        log=after[0] - before[0],
        transactions=after[1] - before[1],
    )


async def measure_checkpoints(folder: Path, url: str, visits: int, count: int) -> str:
    """Have the chips of so many visits change before each of ``count`` checkpoints."""
    sign(folder, folder.name, Signer.after())
    member = Member(folder.name, folder, url, Seconds())
    await member.start()
    handles = [f"player{number}" for number in range(visits)]
    for handle in handles:
        await member.sit(handle)
    await member.cage.beat()
    sql, log, began, took = 0.0, 0, _counters(url)[0], 0.0
    for _ in range(count):
        for handle in handles:
            member.win(handle, 5)
        member.bank.journal.sync()
        before, at = processor_seconds(), time.monotonic()
        await member.cage.beat()
        took += time.monotonic() - at
        sql += processor_seconds() - before
    log = _counters(url)[0] - began
    await member.stop()
    changed = visits * count
    return (
        f"| {visits} | {took / count * 1000:.0f} | {sql / changed * 1e6:.0f} | "
        f"{log / changed:,.0f} |"
    )


async def _settle(member: Member, paid: asyncio.Condition) -> None:
    while True:
        await member.cage.work.wait()
        member.cage.work.clear()
        await member.cage.settle()
        async with paid:
            paid.notify_all()


async def _visit(member: Member, handle: str, paid: asyncio.Condition) -> None:
    await member.sit(handle)
    member.stand_up(handle)
    async with paid:
        await paid.wait_for(lambda: handle not in member.cage.unpaid)


def _counters(url: str) -> tuple[int, int]:
    with psycopg.connect(url, autocommit=True) as connection:
        found: Any = connection.execute(
            "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, "
            "xact_commit FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    return int(found[0]), int(found[1])


async def _migrate(url: str) -> None:
    connection = await connect(url)
    await migrate(connection)
    await connection.close()


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds: float = parser.parse_args().seconds
    server = Postgres(place=Path(tempfile.gettempdir()))
    server.start()
    print(
        "| players at once | visits a minute | CPU ms | of PostgreSQL | log | commits |"
    )
    print("|---|---|---|---|---|---|")
    try:
        for players in (1, 4, 16):
            with (
                new_database(server.url) as url,
                tempfile.TemporaryDirectory() as folder,
            ):
                asyncio.run(_migrate(url))
                place = Path(folder) / "n1"
                print(asyncio.run(measure(place, url, players, seconds)).row(players))
        print("| visits | ms a checkpoint | of PostgreSQL, us a visit | log a visit |")
        print("|---|---|---|---|")
        for visits in (10, 100, 1000):
            with (
                new_database(server.url) as url,
                tempfile.TemporaryDirectory() as folder,
            ):
                asyncio.run(_migrate(url))
                place = Path(folder) / "n1"
                print(asyncio.run(measure_checkpoints(place, url, visits, 20)))
    finally:
        server.remove()


if __name__ == "__main__":
    main()
