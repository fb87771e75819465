"""Changes of a fleet's database that its servers cannot make themselves."""

import functools

from bj_game.money import in_dollars
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.report import Report
from bj_server.fleet.neighbours import LEASE
from bj_server.fleet.office import do, wait
from bj_server.fleet.sql.connections import Connection
from bj_server.fleet.sql.migration import migrate, schema_of
from bj_server.fleet.sql.writing_off import write_server_off


def bring_up(options: Options) -> Report:
    """Carry out the migrations that are missing."""

    async def work(connection: Connection) -> tuple[list[int], int]:
        done = await migrate(connection)
        return done, (await schema_of(connection))[0]

    done, schema = do(options.fleet or "", work, is_new=True)
    line = f"The database of the fleet has schema {schema}; now migrated: {len(done)}."
    return Report.of(options, {"schema": schema, "done": done}, [line])


def write_off(options: Options, seconds: float = LEASE) -> Report:
    """Pay the visits at a server that is gone for ever, and not heard for so long."""
    work = functools.partial(write_server_off, name=options.name, pause=wait(seconds))
    paid = do(options.fleet or "", work)
    fields = {
        "server": options.name,
        "paid": [{"handle": p.handle, "in": p.came, "out": p.goes} for p in paid],
    }
    lines = [
        f"{p.handle} came with {in_dollars(p.came)}, and has {in_dollars(p.goes)} back."
        for p in paid
    ]
    lost = sum(p.came - p.goes for p in paid)
    lines.append(
        f"Server {options.name} is written off, with {len(paid)} open visits; the "
        f"account lost:{options.name} keeps the difference of {in_dollars(lost)}."
    )
    return Report.of(options, fields, lines)
