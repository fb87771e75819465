"""``bj-bank fleet``: folders go in and out, and the audit finds what does not fit."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import FleetFolderError
from bj_server.bank.key import digest_of
from bj_server.bank_cli.fleet import database as host_work
from bj_server.bank_cli.fleet.database import bring_folder
from bj_server.bank_cli.reading import players, read_books
from bj_server.fleet.sql.migration import migrations
from bj_server.fleet.sql.recovery import write_server_off
from support.banks import BankCommand
from support.fleet import Member, at_rest, query
from support.fleet_command import FleetCommand, a_bank, url_of
from support.postgres import new_database


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> BankCommand:
    return FleetCommand(capsys, tmp_path / "url-of-the-fleet")


def sql(url: str, text: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(text.encode())
        return found.fetchall() if found.description else []


def test_a_database_is_brought_up_once(empty: str, ask: BankCommand) -> None:
    status, lines, said = ask("fleet", "migrate", "--fleet", empty, "--json")
    assert (status, said) == (0, "")
    assert json.loads("\n".join(lines))["done"] == [*range(1, len(migrations()) + 1)]
    status, lines, _ = ask("--fleet", empty, "fleet", "migrate")
    assert lines[0].endswith("; now migrated: 0.")


def test_the_url_may_be_in_a_file_or_a_variable(
    database: str, tmp_path: Path, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "url"
    file.write_text(f"{url_of(database)}\n")
    assert ask("fleet", "migrate", "--fleet", file)[0] == 0
    monkeypatch.setenv("BJ_FLEET", str(file))
    assert ask("fleet", "migrate")[0] == 0
    monkeypatch.setenv("BJ_FLEET", url_of(database))
    assert ask("fleet", "migrate")[0] == 0


def test_a_database_without_a_schema_is_named(empty: str, ask: BankCommand) -> None:
    status, _, said = ask("fleet", "audit", "--fleet", empty)
    assert status == 4
    assert "run bj-bank fleet migrate" in said


def test_a_folder_goes_in_and_out_with_equal_balances(
    database: str, tmp_path: Path, ask: BankCommand
) -> None:
    had = a_bank(tmp_path / "old", ned21=900, lia9=0, tess=12345)
    (tmp_path / "old" / "bans.json").write_text('{"handles":["tess"]}')
    (tmp_path / "old" / "invites.json").write_text('{"handles":["rob"]}')
    ask_fleet = ("--fleet", database, "fleet")
    status, lines, said = ask(*ask_fleet, "import", tmp_path / "old")
    assert status == 0
    assert f"copy {tmp_path / 'old' / 'invites.json'} to the folder of each" in said
    assert lines[0].startswith("3 accounts with $132.45 are in the fleet, 2 of them")
    assert sql(database, "SELECT sum(cents) FROM accounts") == [(0,)]
    assert sql(database, "SELECT handle FROM bans") == [("tess",)]
    for _ in range(2):  # whatever ended it in between
        _, lines, _ = ask(*ask_fleet, "import", tmp_path / "old")
        assert ", 0 of them now" in lines[0]
    assert ask(*ask_fleet, "audit")[:2][0] == 0
    (tmp_path / "disk").mkdir()
    (tmp_path / "new").symlink_to(tmp_path / "disk")
    status, lines, said = ask(*ask_fleet, "export", tmp_path / "new")
    assert (status, said) == (0, "")
    old, new = (read_books(tmp_path / name)[0] for name in ("old", "new"))
    assert players(new) == players(old) == had
    assert new.keys == old.keys
    assert ask("--bank", tmp_path / "new", "audit")[0] == 0
    assert "tess" in (tmp_path / "new" / "bans.json").read_text()
    Bank.open(tmp_path / "new").close()


def test_a_folder_that_went_in_is_closed(
    database: str, tmp_path: Path, ask: BankCommand
) -> None:
    a_bank(tmp_path / "old", ned21=900)
    ask("--fleet", database, "fleet", "import", tmp_path / "old")
    with pytest.raises(FleetFolderError, match="were brought into a fleet"):
        Bank.open(tmp_path / "old")
    status, _, said = ask("--bank", tmp_path / "old", "gift", "ned21", "5")
    assert status == 4
    assert "were brought into a fleet" in said


def test_a_kill_between_the_folder_and_the_database_costs_nothing(
    database: str,
    tmp_path: Path,
    ask: BankCommand,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a_bank(tmp_path / "old", ned21=900)

    async def killed(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"{bring_folder.__module__}.bring_in", killed)
        status, _, _ = ask("--fleet", database, "fleet", "import", tmp_path / "old")
        assert status == 130
    assert read_books(tmp_path / "old")[0].fleet is not None
    assert sql(database, "SELECT count(*) FROM players") == [(0,)]
    ask("--fleet", database, "fleet", "import", tmp_path / "old")
    assert sql(database, "SELECT handle, cents FROM players") == [("ned21", 900)]


def test_a_handle_of_somebody_else_is_listed_and_may_be_renamed(
    database: str, tmp_path: Path, ask: BankCommand
) -> None:
    a_bank(tmp_path / "old", ned21=900, lia9=50)
    other = digest_of("another")
    sql(database, f"INSERT INTO players VALUES ('ned21', 7, '{other}')")
    bring = ("--fleet", database, "fleet", "import", tmp_path / "old")
    status, lines, said = ask(*bring)
    assert (status, lines) == (2, [])
    assert "with other keys: ned21. Nothing was brought in" in said
    assert sql(database, "SELECT count(*) FROM players") == [(1,)]
    for wrong in ("tess=tess2", "ned21=lia9"):
        status, _, said = ask(*bring, "--rename", wrong)
        assert status == 2
        assert "is nobody in" in said
    assert read_books(tmp_path / "old")[0].fleet is None
    assert ask(*bring, "--rename", "ned21=ned.west")[0] == 0
    found = sql(database, "SELECT handle, cents FROM players ORDER BY handle")
    assert found == [("lia9", 50), ("ned.west", 900), ("ned21", 7)]


def test_a_handle_with_the_same_key_in_two_folders_has_both_banks(
    database: str, tmp_path: Path, ask: BankCommand
) -> None:
    for name, cents in (("east", 900), ("west", 100)):
        a_bank(tmp_path / name, ned21=cents)
        assert ask("--fleet", database, "fleet", "import", tmp_path / name)[0] == 0
    assert sql(database, "SELECT cents FROM players") == [(1000,)]


def test_what_is_not_over_or_not_ours_does_not_go_in(
    database: str, postgres: str, migrated: str, tmp_path: Path, ask: BankCommand
) -> None:
    bring = ("--fleet", database, "fleet", "import")
    status, _, said = ask(*bring, tmp_path / "nowhere")
    assert status == 4
    assert "There is no bank in" in said
    a_bank(tmp_path / "old", ned21=900)
    bank = Bank.open(tmp_path / "old")
    till = bank.till("main")
    till.stake(till.last_round + 1, "ned21", 5)
    till.seal({"seats": []})
    bank.close()
    status, _, said = ask(*bring, tmp_path / "old")
    assert status == 4
    assert "end it with bj-host drain" in said
    a_bank(tmp_path / "other", lia9=5)
    with new_database(postgres, migrated) as elsewhere:
        sql(elsewhere, "UPDATE fleet SET id = 'another'")
        ask("--fleet", elsewhere, "fleet", "import", tmp_path / "other")
    status, _, said = ask(*bring, tmp_path / "other")
    assert status == 4
    assert "belongs to another fleet" in said


def test_a_damaged_list_of_bans_is_named(
    database: str, tmp_path: Path, ask: BankCommand
) -> None:
    a_bank(tmp_path / "old", ned21=900)
    (tmp_path / "old" / "bans.json").write_text('{"handles":"ned21"}')
    status, _, said = ask("--fleet", database, "fleet", "import", tmp_path / "old")
    assert status == 3
    assert "has no list of handles" in said


async def bought_in(member: Member, *handles: str) -> None:
    await member.start()
    for handle in handles:
        await member.sit(handle)


async def run(ask: BankCommand, *words: object) -> tuple[int, list[str], str]:
    """Run the command in a thread, since it has an event loop of its own."""
    return await asyncio.to_thread(ask, *words)


async def test_nothing_goes_out_while_somebody_plays(
    enrol: Any, database: str, tmp_path: Path, ask: BankCommand
) -> None:
    east = enrol("east")
    await bought_in(east, "ned21")
    take = ("--fleet", database, "fleet", "export", tmp_path / "out")
    status, _, said = await run(ask, *take)
    assert status == 4
    assert "1 visits are open, such as that of ned21 at east" in said
    await east.leave("ned21")
    status, _, said = await run(ask, *take)
    assert status == 4
    assert "Server east has not been stopped in order" in said
    await east.stop()
    await query(database, "UPDATE players SET cents = -1")
    status, _, said = await run(ask, *take)
    assert status == 4
    assert "ned21 has -$0.01 at rest" in said
    assert not list(tmp_path.glob("out*"))  # nor anything beside it
    await query(database, "UPDATE players SET cents = 5")
    await query(database, "INSERT INTO notices (handle, text) VALUES ('ned21', 'Hi.')")
    status, _, said = await run(ask, *take)
    assert status == 0
    assert "What 1 of them were not told yet stays in the database" in said
    status, _, said = await run(ask, *take)
    assert status == 2
    assert "name a folder that is empty or new" in said


async def test_the_audit_knows_both_halves_of_each_visit(
    enrol: Any, database: str, tmp_path: Path, ask: BankCommand
) -> None:
    east, west = enrol("east"), enrol("west")
    await bought_in(east, "ned21", "lia9")
    await bought_in(west, "tess")
    east.win("ned21", 300)
    await east.leave("ned21")
    await east.cage.beat()
    await west.cage.beat()
    audit = ("--fleet", database, "fleet", "audit")
    status, lines, _ = await run(ask, *audit, east.folder, west.folder)
    assert status == 0
    (line,) = lines
    assert line.startswith("All sums are zero: 2 servers with 3 visits, 0 of them on")
    assert line.endswith("; 0 servers were not seen.")
    status, lines, _ = await run(ask, *audit, east.folder)
    assert status == 0
    assert "Server west was not seen." in lines
    status, lines, _ = await run(
        ask, "--fleet", database, "fleet", "statement", "--bank", west.folder
    )
    file = tmp_path / "west.json"
    file.write_text("\n".join(lines))
    await west.sit("kim")
    status, lines, _ = await run(ask, *audit, east.folder, file)
    assert status == 0
    assert lines[0].endswith("of kim at west is on its way there.")
    await west.leave("tess")
    status, lines, _ = await run(ask, *audit, file, "--json")
    told = json.loads("\n".join(lines))
    assert [word for word in told["on_their_way"] if "tess" in word] == [
        word for word in told["on_their_way"] if "is over since" in word
    ]
    assert told["not_seen"] == ["east"]


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        ("UPDATE players SET cents = cents + 1 WHERE handle = 'ned21'", "at rest that"),
        ("UPDATE players SET cents = cents + 1 WHERE handle = 'ned21'", "hold $0.01"),
        ("UPDATE visits SET cents_in = 999 WHERE handle = 'lia9'", "came with $9.99"),
        ("UPDATE visits SET cents_out = 1 WHERE handle = 'ned21'", "went with $0.01"),
        ("DELETE FROM visits WHERE handle = 'lia9'", "is not in the database"),
        ("UPDATE counters SET hash = '00'", "has not the line"),
        ("UPDATE fleet SET id = 'another'", "is of another fleet"),
    ],
)
async def test_the_audit_finds_what_does_not_fit(
    enrol: Any, database: str, ask: BankCommand, spoil: str, fault: str
) -> None:
    east = enrol("east")
    await bought_in(east, "ned21", "lia9")
    await east.leave("ned21")
    await east.cage.beat()
    await query(database, spoil)
    status, lines, _ = await run(
        ask, "--fleet", database, "fleet", "audit", east.folder
    )
    assert status == 3
    assert any(fault in line for line in lines), lines


async def test_a_departure_that_the_database_has_not_heard_of_is_on_its_way(
    enrol: Any, database: str, ask: BankCommand
) -> None:
    east = enrol("east")
    await bought_in(east, "ned21")
    east.stand_up("ned21")
    seq, _ = east.bank.depart("ned21")
    await east.bank.journal.durable(seq)
    status, lines, _ = await run(
        ask, "--fleet", database, "fleet", "audit", east.folder
    )
    assert status == 0
    assert lines[0].endswith("of ned21 at east is on its way home.")


def test_what_is_no_statement_is_named(
    database: str, tmp_path: Path, ask: BankCommand
) -> None:
    audit = ("--fleet", database, "fleet", "audit")
    status, _, said = ask(*audit, tmp_path / "nowhere")
    assert status == 2
    assert "cannot be read" in said
    (tmp_path / "file").write_text("{}")
    status, _, said = ask(*audit, tmp_path / "file")
    assert status == 3
    assert "is no statement" in said
    a_bank(tmp_path / "old", ned21=900)
    status, _, said = ask(*audit, tmp_path / "old")
    assert status == 4
    assert "is of no server of a fleet" in said


async def test_a_server_that_is_gone_is_written_off_by_its_last_word(
    enrol: Any, database: str, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pause_with(monkeypatch, _nothing)
    east = enrol("east")
    await bought_in(east, "ned21", "lia9")
    east.win("ned21", 300)
    await east.cage.beat()
    east.win("ned21", 50)  # of which nobody hears
    await east.kill()
    off = ("--fleet", database, "fleet", "write-off", "east")
    status, lines, said = await run(ask, *off)
    assert (status, said) == (0, "")
    *paid, last = lines
    assert paid == [
        "lia9 came with $10.00, and has $10.00 back.",
        "ned21 came with $10.00, and has $13.00 back.",
    ]
    assert last.startswith("Server east is written off, with 2 open visits")
    assert last.endswith("lost:east keeps the difference of -$3.00.")
    assert await at_rest(database, "ned21") == 1300
    rows = await query(database, "SELECT sum(cents) AS cents FROM accounts")
    assert rows[0].cents == 0
    rows = await query(
        database, "SELECT cents FROM accounts WHERE account = 'lost:east'"
    )
    assert [int(row.cents) for row in rows] == [-300]
    rows = await query(database, "SELECT text FROM notices WHERE handle = 'ned21'")
    assert "you have $13 back" in rows[0].text
    with pytest.raises(Exception, match="was written off"):
        await east.start()
    status, lines, _ = await run(ask, *off)
    assert (status, len(lines)) == (0, 1)  # nothing is paid twice
    assert await at_rest(database, "ned21") == 1300
    await query(database, "SELECT 1")


async def test_a_server_that_lives_or_never_was_is_not_written_off(
    enrol: Any, database: str, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, said = await run(
        ask, "--fleet", database, "fleet", "write-off", "nobody"
    )
    assert status == 4
    assert "The fleet has no server nobody" in said
    east = enrol("east")
    await bought_in(east, "ned21")
    loop = asyncio.get_running_loop()

    async def beat(_: float) -> None:
        beaten = asyncio.run_coroutine_threadsafe(east.cage.beat(), loop)
        await asyncio.wrap_future(beaten)

    _pause_with(monkeypatch, beat)
    status, _, said = await run(ask, "--fleet", database, "fleet", "write-off", "east")
    assert status == 4
    assert "Server east is alive: stop it" in said
    await east.cage.beat()
    assert await at_rest(database, "ned21") == 0


def _pause_with(
    patch: pytest.MonkeyPatch, pause: Callable[[float], Awaitable[None]]
) -> None:
    """Do something else in the time in which a server that lives gives a sign."""
    work = partial(write_server_off, pause=pause)
    patch.setattr(host_work, "write_server_off", work)


async def _nothing(_: float) -> None:
    pass
