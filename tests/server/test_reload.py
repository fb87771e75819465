"""The reload: what a SIGHUP changes, and what it names as in need of a restart."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.floor import Floor
from bj_server.host import set_table
from bj_server.net.app import App
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.options import reread_options
from bj_server.reload import Reload
from bj_server.settings import Settings, TablePlan
from bj_server.table.clock import LoopClock
from bj_server.table.inbox import ChangePace, Drain
from support.certificates import Certificates, Pair


class Server:
    """All of a server that a reload touches, without its sockets."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.options = ["--bank", str(folder / "bank"), "--port", "0", *options]
        settings = reread_options(self.options)
        self.bank = Bank.open(settings.bank)
        self.lobby = Lobby([self.make(settings, plan) for plan in settings.tables])
        self.app = App(self.lobby, settings.limits, encryption=settings.encryption)
        self.floor = Floor(
            settings, self.lobby, self.app, lambda p: self.make(settings, p), print
        )
        self.reload = Reload(self.floor, self.app, self.reread)

    def make(self, settings: Settings, plan: TablePlan) -> HostedTable:
        table = set_table(settings, plan, self.bank, LoopClock())
        return HostedTable.of(table, plan.code)

    def reread(self) -> Settings:
        return reread_options(self.options)

    @property
    def names(self) -> list[str]:
        return [each.dealer.name for each in self.lobby]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    file = tmp_path / "tables.toml"
    file.write_text('[main]\n[high]\nhouse = "vegas-strip"\n')
    return file


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    before = logging.getLogger().level
    with caplog.at_level("INFO"):
        yield caplog
    logging.getLogger().setLevel(before)


async def test_14_8_nothing_new_changes_nothing(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture
) -> None:
    server = Server(tmp_path, "--tables", str(tables))
    server.reload.run()
    assert said.messages[-1] == "the settings are read again: nothing has changed"
    assert all(record.levelname == "INFO" for record in said.records)
    server.bank.close()


async def test_14_8_tables_of_the_file_are_opened_closed_and_changed(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture
) -> None:
    server = Server(tmp_path, "--tables", str(tables))
    tables.write_text('[main]\ncode = "letmein"\nturn_seconds = 5\n[low]\n')
    server.reload.run()
    assert server.names == ["main", "high", "low"]
    assert server.lobby["main"].code == "letmein"
    (pace,) = await server.lobby["main"].dealer._inbox.take()
    assert isinstance(pace, ChangePace)
    assert pace.pace.turn_seconds == 5
    (drain,) = await server.lobby["high"].dealer._inbox.take()
    assert isinstance(drain, Drain)
    drain.rested()
    assert server.names == ["main", "low"]
    server.reload.run()
    assert said.messages[-1].endswith("nothing has changed")
    server.bank.close()


async def test_14_8_the_last_table_is_kept_whatever_the_file_says(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture
) -> None:
    tables.write_text("[main]\n")
    server = Server(tmp_path, "--tables", str(tables))
    server.floor._is_draining = True
    tables.write_text("[other]\n")
    server.reload.run()
    assert "This server closes" in said.text
    assert "main is the last table" in said.text
    said.clear()
    server.reload.run()
    assert "main is the last table" in said.text
    server.bank.close()


async def test_14_8_what_needs_a_restart_is_named_each_time(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture
) -> None:
    config = tmp_path / "server.toml"
    config.write_text("")
    server = Server(tmp_path, "--tables", str(tables), "--config", str(config))
    tables.write_text('[main]\nhouse = "cs220"\n[high]\nhouse = "vegas-strip"\n')
    config.write_text(
        "admin_port = 0\nseed = 7\nlog_level = 'warning'\nmax_rate = 9\n"
        "max_new_handles = 3\nmax_wrong_tries = 4\n"
        "allow_origin = 'https://cards.example'\n"
    )
    for _ in range(2):
        said.clear()
        server.reload.run()
        warned = [r.message for r in said.records if r.levelname == "WARNING"]
        assert warned == [
            "--allow-origin has changed, which needs a restart",
            "the house, seats, clock or proof have changed, which needs a restart",
            "--seed has changed, which needs a restart",
            "--admin-port has changed, which needs a restart",
        ]
        logging.getLogger().setLevel("INFO")
    limits = server.floor.settings.limits
    assert (limits.rate, limits.new_handles, limits.wrong_tries) == (9, 3, 4)
    assert server.floor.settings.log_level == "warning"
    server.bank.close()


@pytest.mark.parametrize("line", ["clock = false", 'proof = "none"'])
async def test_14_8_a_clock_and_a_proof_stay_as_long_as_their_table_is_open(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture, line: str
) -> None:
    server = Server(tmp_path, "--tables", str(tables))
    before = tables.read_text()
    tables.write_text(f"{before}turn_seconds = 5\n{line}\n")
    server.reload.run()
    assert "proof have changed, which needs a restart" in said.text
    (change,) = await server.lobby["high"].dealer._inbox.take()
    assert isinstance(change, ChangePace)
    assert (change.pace.turn_seconds, change.pace.has_clock) == (5, True)
    said.clear()
    tables.write_text(f"{before}turn_seconds = 5\n")
    server.reload.run()
    assert said.messages == ["the settings are read again: nothing has changed"]
    server.bank.close()


async def test_14_8_a_table_that_is_back_while_it_closes_is_opened_later(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture
) -> None:
    server = Server(tmp_path, "--tables", str(tables))
    before = tables.read_text()
    tables.write_text("[main]\n")
    server.reload.run()
    (drain,) = await server.lobby["high"].dealer._inbox.take()
    assert isinstance(drain, Drain)
    tables.write_text(before)
    server.reload.run()
    assert "Table high is just closing: open it in a moment." in said.text
    high = server.lobby["high"].dealer
    drain.rested()
    high.is_gone = True
    assert server.names == ["main"]
    server.reload.run()
    assert server.names == ["main", "high"]
    server.bank.close()


@pytest.mark.parametrize(
    "content",
    [
        "[main",
        "[main]\nhouse = 7\n",
        "\x00",
        f"main = {'[' * 20_000}{']' * 20_000}",
        f"[main]\nseats = {'9' * 5000}",
        pytest.param("x" * 2**21, id="long"),
    ],
    ids=lambda content: content[:8],
)
async def test_14_8_a_bad_file_keeps_what_there_was_and_says_so(
    tmp_path: Path, tables: Path, said: pytest.LogCaptureFixture, content: str
) -> None:
    server = Server(tmp_path, "--tables", str(tables))
    tables.write_text(content)
    server.reload.run()
    (record,) = said.records
    assert record.levelname == "ERROR"
    assert "nothing changes" in record.message
    assert str(tables) in record.message
    assert server.names == ["main", "high"]
    server.bank.close()


async def test_14_8_a_fault_of_ours_in_a_reload_ends_nothing(
    tmp_path: Path, said: pytest.LogCaptureFixture
) -> None:
    server = Server(tmp_path)

    def fail() -> Settings:
        raise ZeroDivisionError

    Reload(server.floor, server.app, fail).run()
    assert "the settings are not read again" in said.text
    server.bank.close()


async def test_14_8_new_connections_have_the_new_certificate(
    tmp_path: Path,
    said: pytest.LogCaptureFixture,
    certificates: Certificates,
) -> None:
    files = [tmp_path / name for name in ("cert.pem", "key.pem")]

    def install(pair: Pair) -> None:
        files[0].write_bytes(pair.certificate.read_bytes())
        files[1].write_bytes(pair.key.read_bytes())

    install(certificates.here)
    named = ("--tls-cert", str(files[0]), "--tls-key", str(files[1]))
    server = Server(tmp_path, *named)
    before = server.app.accepting.encryption
    install(certificates.elsewhere())
    server.reload.run()
    after = server.app.accepting.encryption
    assert before is not None
    assert after is not None
    assert after.fingerprint != before.fingerprint
    assert f"new connections have the certificate {after.fingerprint}" in said.text
    files[1].write_text("no key")
    server.reload.run()
    assert server.app.accepting.encryption is after
    assert "no private key" in said.text
    plain = replace(server.floor.settings, encryption=None)
    Reload(server.floor, server.app, lambda: plain).run()
    assert "--tls-cert has changed, which needs a restart" in said.text
    assert server.app.accepting.encryption is after
    server.bank.close()
