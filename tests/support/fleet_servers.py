"""A fleet of real processes: a PostgreSQL, and servers with a wire to it each.

All of it can be killed, stopped, cut off, copied, and have its folder put back.
"""

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self

from psycopg.conninfo import conninfo_to_dict

from bj_server.bank.signer import FLEET_NAME, Signer
from bj_server.fleet.sql.connections import connect
from bj_server.fleet.sql.migration import migrate
from support.nursery import PATIENCE, Birth
from support.postgres import Postgres, Successor
from support.wire import Wire

_NAMES = ("east", "west", "north")
_OPTIONS = (
    *("--house", "vegas-strip", "--seats", "7", "--hold-seconds", "1"),
    *("--turn-seconds", "5", "--bet-seconds", "5", "--insurance-seconds", "5"),
    *("--max-rate", "0", "--max-new-handles", "0", "--max-wrong-tries", "0"),
    *("--log-level", "warning", "--log-format", "text"),
)


async def until(is_so: Callable[[], object], what: str) -> None:
    """Wait for what other processes do; ``what`` is said if it does not come."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not is_so():  # noqa: ASYNC110 - by others
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"{what} did not come in {PATIENCE:.0f} s") from None


class FleetServer:
    """One ``bj-server --fleet``, which is started and ends many times."""

    def __init__(self, name: str, folder: Path, port: int, wire: Wire) -> None:
        """Serve with the bank in ``folder``, once it is started."""
        self.name = name
        self.folder = folder
        self.port = port
        self.wire = wire
        self.url_file = folder.with_suffix(".url")
        known = conninfo_to_dict(wire.url)
        self.url_file.write_text(
            f"postgresql://{known['user']}@/{known['dbname']}?host={known['host']}"
        )
        self._said = folder.with_suffix(f".said-{port}")
        self._log = folder.with_suffix(".log")
        self._log.touch()
        self._birth: Birth | None = None
        self._is_killed = False

    @property
    def uri(self) -> str:
        """The address that leads to it alone."""
        return f"ws://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """All that its starts have logged."""
        return self._log.read_text()

    @property
    def is_running(self) -> bool:
        """Whether its process is there, perhaps stopped."""
        return self._birth is not None and not self._birth.wait(0)

    @property
    def is_open(self) -> bool:
        """Whether it has said that players may come."""
        return self.is_running and "Blackjack is open" in self._said.read_text()

    def begin(self, *options: str, wrapper: Path | None = None) -> None:
        """Begin to start; ``wrapper`` is a folder whose ``sitecustomize`` is run."""
        assert self._birth is None
        out = os.O_WRONLY | os.O_CREAT
        streams = (
            os.open(os.devnull, os.O_RDONLY),
            os.open(self._said, out | os.O_TRUNC, 0o600),
            os.open(self._log, out | os.O_APPEND, 0o600),
        )
        words = (
            *("--bank", str(self.folder), "--port", str(self.port)),
            *("--fleet", str(self.url_file), *_OPTIONS, *options),
            *("--table", "main", "--table", f"{self.name}-two"),
        )
        environment = dict(os.environ)
        if wrapper is not None:
            environment["PYTHONPATH"] = str(wrapper)
        anew = wrapper is not None
        self._birth = Birth(
            "bj_server", words, streams, environment=environment, anew=anew
        )

    async def start(self, *options: str, wrapper: Path | None = None) -> None:
        """Start, and return once players may come."""
        self.begin(*options, wrapper=wrapper)
        await self.opened()

    async def opened(self) -> None:
        """Return once players may come; it must not end before."""
        await until(lambda: self.is_open or not self.is_running, f"{self.name}'s start")
        assert self.is_running, f"{self.name} has ended at its start:\n{self.log}"

    def send_signal(self, number: int) -> None:
        """Send a signal at once, if it runs."""
        if self._birth is not None:
            self._is_killed |= number == signal.SIGKILL
            self._birth.send_signal(number)

    async def end(self, number: int = signal.SIGKILL) -> int:
        """Send a signal, and return the status with which it ends."""
        self.send_signal(number)
        return await self.status()

    async def status(self) -> int:
        """Return the status with which it ends."""
        birth = self._birth
        assert birth is not None
        await until(lambda: birth.wait(0), f"the end of {self.name}")
        assert birth.returncode is not None
        birth.status.close()
        self._birth, self._is_killed = None, False
        return birth.returncode

    async def mend(self) -> None:
        """Have it run on, or begin a new start."""
        await self.wire.mend()
        self.send_signal(signal.SIGCONT)
        if self._is_killed:
            await self.status()
        if self._birth is None:
            self.begin("--take-over")

    async def remove(self) -> None:
        """End it, and leave nothing open."""
        if self._birth is not None:
            await self.end()


class RealFleet:
    """One PostgreSQL and its servers."""

    def __init__(self, folder: Path, names: Sequence[str] = _NAMES) -> None:
        """Keep all in ``folder``, but the sockets, whose paths have to be short."""
        self.folder = folder
        self.servers: dict[str, FleetServer] = {}
        self._names = names
        self._stack = AsyncExitStack()
        self._key = Signer.after()

    async def __aenter__(self) -> Self:
        self.successor = await asyncio.to_thread(Successor)
        self._stack.callback(self.successor.remove)
        try:
            connection = await connect(self.postgres.url)
            await migrate(connection)
            await connection.close()
            for name in self._names:
                (self.folder / name).mkdir(0o700)
                self.servers[name] = await self._enrol(name, self.folder / name)
            await self.mend()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    def __iter__(self) -> Iterator[FleetServer]:
        return iter(self.servers.values())

    @property
    def postgres(self) -> Postgres:
        """The PostgreSQL that all servers use."""
        return self.successor.server

    async def _enrol(self, name: str, folder: Path) -> FleetServer:
        """Sign the server of a folder, at a port and a wire of its own."""
        sockets = self._stack.enter_context(
            tempfile.TemporaryDirectory(prefix="bj-", ignore_cleanup_errors=True)
        )
        wire = await self._stack.enter_async_context(
            Wire(self.postgres.url, Path(sockets))
        )
        server = FleetServer(name, folder, _free_port(), wire)
        view = self._key.take_in(Signer.open(folder).key, name, server.uri)
        (folder / FLEET_NAME).write_text(view.model_dump_json())
        self._stack.push_async_callback(server.remove)
        return server

    async def copy(self, name: str, folder: str) -> FleetServer:
        """Return a server on a copy of a folder, which may be in use."""
        source, place = self.servers[name].folder, self.folder / folder
        place.mkdir(0o700)
        # What a snapshot of the books says of the journal is in the journal by then.
        for path in sorted(source.iterdir()):
            if path.is_file():
                shutil.copy(path, place)
        return await self._enrol(name, place)

    async def mend(self) -> None:
        """Have PostgreSQL and all servers run, and all wires pass all on."""
        if not self.postgres.is_running:
            await asyncio.to_thread(self.postgres.start)
        for server in self:
            await server.mend()
        for server in self:
            await server.opened()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
