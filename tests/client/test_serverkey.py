"""The key of a server: kept at first use, and another one stops the client."""

import os
from pathlib import Path
from typing import Any

import pytest

from bj_client.error import KeyUnusableError
from bj_client.net.server_key import ServerKey
from bj_client.net.tls import OtherKeyError
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Hello, ListTables
from bj_protocol.messages import Snapshot, TableList
from bj_protocol.views import Ask, StoryView
from support.fake_server import fake_server
from support.message import make_ask
from support.visit import run_command

OLD, NEW = "0a" * 32, "0b" * 32


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "blackjack" / "keys" / "example.org:8765" / "server.pub"


def known(named: str | None = None, warn: Any = pytest.fail) -> ServerKey:
    return ServerKey("example.org:8765", "example.org", warn, named)


def story(key: str) -> StoryView:
    return StoryView(key=key, run="01" * 32, head="02" * 32)


def test_the_first_key_is_kept_for_its_owner_alone(state: Path) -> None:
    assert known().known is None
    known().check(OLD)
    known().keep(OLD)
    assert known().known == OLD
    assert state.read_text() == f"{OLD}\n"
    assert state.stat().st_mode & 0o077 == 0
    known().check(OLD)


@pytest.mark.parametrize("told", [NEW, None])
def test_another_key_names_the_file_both_keys_and_the_remedy(
    state: Path, told: str | None
) -> None:
    known().keep(OLD)
    with pytest.raises(OtherKeyError) as raised:
        known().check(told)
    sentence = str(raised.value)
    assert str(state) in sentence
    assert OLD in sentence
    assert (f"--server-key {NEW}" in sentence) is (told is not None)
    assert ("it has none" in sentence) is (told is None)


def test_a_key_that_is_named_counts_and_is_kept_in_the_place_of_the_old_one(
    state: Path,
) -> None:
    known().keep(OLD)
    named = known(NEW)
    named.check(NEW)
    named.keep(NEW)
    assert state.read_text() == f"{NEW}\n"
    with pytest.raises(OtherKeyError, match="as --server-key names it"):
        known(OLD).check(NEW)


def test_a_file_that_holds_no_key_is_not_taken_for_none(state: Path) -> None:
    state.parent.mkdir(parents=True)
    state.write_text("nonsense\n")
    with pytest.raises(
        KeyUnusableError, match="name the server's key with --server-key"
    ):
        known().check(OLD)
    known(OLD).keep(OLD)
    assert known().known == OLD


def test_a_key_that_cannot_be_kept_is_told_once(state: Path) -> None:
    state.parent.parent.mkdir(parents=True)
    state.parent.touch()  # where a folder should be
    told: list[str] = []
    key = known(warn=told.append)
    key.keep(OLD)
    key.keep(OLD)
    (sentence,) = told
    assert f"name it with --server-key {OLD}" in sentence


def server_of(key: str, said: list[object], ask: Ask) -> Any:
    async def script(server: Any) -> None:
        said.append(first := await server.hear())
        if isinstance(first, ListTables):
            tables = TableList(version=PROTOCOL_VERSION, tables=(), key=key)
            await server.say(tables)
            said.append(await server.hear())
        picture: Snapshot = server.picture(ask)
        await server.say(picture.model_copy(update={"story": story(key)}))
        await server.part()

    return script


async def test_the_client_keeps_the_key_and_asks_for_it_before_each_hello(
    state: Path,
) -> None:
    said: list[object] = []
    options = ("--plain", "--handle", "ned21", "--server")
    async with fake_server(server_of(OLD, said, make_ask(1))) as address:
        for _ in range(2):
            assert (await run_command(*options, address.shown)).code == 0
    assert [type(each) for each in said] == [ListTables, Hello] * 2


async def test_a_server_with_another_key_hears_no_hello(state: Path) -> None:
    said: list[object] = []

    async def script(server: Any) -> None:
        said.append(await server.hear())
        tables = TableList(version=PROTOCOL_VERSION, tables=(), key=NEW)
        await server.say(tables)
        await server.socket.wait_closed()

    async with fake_server(script) as address:
        kept = state.parents[1] / address.name / "server.pub"
        kept.parent.mkdir(parents=True)
        kept.write_text(f"{OLD}\n")
        options = ("--plain", "--handle", "ned21", "--server", address.shown)
        ended = await run_command(*options)
    assert (ended.code, [type(each) for each in said]) == (9, [ListTables])
    assert f"its key was {OLD}" in ended.errors
    assert f"--server-key {NEW}" in ended.errors


async def test_a_server_that_tells_another_key_in_its_picture_is_left(
    state: Path,
) -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(TableList(version=PROTOCOL_VERSION, tables=(), key=OLD))
        await server.hear()
        picture: Snapshot = server.picture()
        await server.say(picture.model_copy(update={"story": story(NEW)}))
        await server.socket.wait_closed()

    options = ("--plain", "--handle", "ned21", "--server-key", OLD.upper(), "--server")
    async with fake_server(script) as address:
        ended = await run_command(*options, address.shown)
    assert ended.code == 9
    assert f"its key was {OLD}, as --server-key names it" in ended.errors


async def test_at_a_table_without_proof_players_are_told_and_bots_leave() -> None:
    said: list[object] = []

    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        try:
            while True:
                said.append(await server.hear())
        except Exception:  # noqa: BLE001 - the client has hung up
            pass

    options = ("--plain", "--handle", "ned21", "--server")
    async with fake_server(script) as address:
        typed = {"typed": "50\nq\n", "BJ_UNPROVEN": "0"}
        person = await run_command(*options, address.shown, **typed)
        bot = await run_command(
            *options, address.shown, "--bot", "basic", BJ_UNPROVEN="0"
        )
    assert person.code == 0
    assert "No round is proven at this table" in person.output
    assert "start bj-client with --unproven" in person.output
    assert bot.code == 4
    assert "--unproven" in bot.errors
    assert {type(each).__name__ for each in said} == {"Leave"}
    assert os.environ["BJ_UNPROVEN"] == "1"
