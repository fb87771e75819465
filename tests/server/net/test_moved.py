"""A server of a fleet: says whose it is, and sends a hello on to the right server."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bj_protocol.codec import decode_message
from bj_protocol.commands import Hello, Watch
from bj_protocol.messages import Moved, MovedWhy, TableList
from bj_protocol.proof import run_in_fleet
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import TableView
from bj_server.bank.disk import make_folder
from bj_server.bank.key import digest_of
from bj_server.bank.signer import FLEET_NAME, Signer
from bj_server.net.lobby import MOST_LISTED, HostedTable, Lobby, MovedError
from bj_server.net.newcomers import Origin
from bj_server.table.refusal import RefusalError
from bj_server.table.story import Story
from support.door import Door, refused
from support.rig import Rig
from support.serving import hello, key_of

ASK = '{"type":"list_tables","version":2}'
ADDRESS = "wss://cards.example/s/n2"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Rig(tmp_path / "bank") as rig:
        yield Door(rig)


async def test_a_session_sends_a_hello_on_and_ends(door: Door) -> None:
    session, transport = door.connect()
    why = MovedWhy.SEAT
    moved = Moved(version=2, address=ADDRESS, table="attic", why=why)
    session.move_on(MovedError(ADDRESS, "attic", why).moved)
    (text,) = transport.sent
    assert decode_message(text) == moved
    assert transport.closed == (CloseCode.MOVED, f"Join at {ADDRESS}.")
    session.received(hello("ned21"))
    assert transport.sent == [text]


async def test_a_server_alone_has_no_field_of_a_fleet(door: Door) -> None:
    session, transport = door.connect()
    session.received(ASK)
    session.received(hello("ned21"))
    await door.work()
    tables, picture = map(json.loads, transport.sent[:2])
    assert "fleet" not in tables
    assert "fleet" not in (picture["story"] or {})


async def test_a_server_shows_the_word_of_its_fleet_once_it_serves_there(
    door: Door, tmp_path: Path
) -> None:
    folder = tmp_path / "fleet"
    make_folder(folder)
    word = Signer.after().take_in(Signer.open(folder).key, "n2", ADDRESS)
    (folder / FLEET_NAME).write_text(word.model_dump_json())
    signer, salt = Signer.open(folder), ""
    for is_serving in (False, True):
        if is_serving:
            salt = signer.run
            signer.name_run("n2", "5e7", 7)
        door.lobby = Lobby(door.lobby, signer=signer)
        session, transport = door.connect()
        session.received(ASK)
        (tables,) = map(decode_message, transport.sent)
        assert isinstance(tables, TableList)
        story = Story(signer, "main").view
        assert tables.fleet == story.fleet == (word if is_serving else None)
    assert story.start is not None
    assert (story.start.journal, story.start.epoch, story.start.salt) == (
        *("5e7", 7),
        salt,
    )
    assert story.run == run_in_fleet(name="n2", journal="5e7", epoch=7, salt=salt)


@pytest.mark.parametrize(("count", "listed"), [(3, 4), (5000, MOST_LISTED)])
async def test_the_tables_of_a_large_fleet_are_listed_as_far_as_clients_read(
    door: Door, count: int, listed: int
) -> None:
    own = door.lobby.own_tables()[0]
    long = {"handles": ("h" * 64,) * 7, "title": "t" * 100, "house": "h" * 20}
    others = tuple(
        own.model_copy(update={"name": f"{number:064}", **long})
        for number in range(count)
    )
    reception: Any = SimpleNamespace(tables=lambda: (own, *others))
    door.lobby.reception = reception
    session, transport = door.connect()
    session.received(ASK)
    (text,) = transport.sent
    tables = decode_message(text)
    assert isinstance(tables, TableList)
    assert len(tables.tables) == listed
    assert tables.tables[0] == own  # once, though the fleet has one of that name
    assert len(text) < 2**20


class FakeReception:
    """Lets everyone in who shows the key of the handle's player."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.given_up: list[str] = []

    def is_here(self, handle: str, sha256: str) -> bool:
        return False

    async def receive(
        self, hello: Hello, handle: str, sha256: str, origin: Origin
    ) -> HostedTable:
        if sha256 != digest_of(key_of(handle)):
            raise RefusalError(RefusalCode.WRONG_KEY)
        return next(iter(self.door.lobby))

    def give_up(self, handle: str, place: HostedTable) -> None:
        self.given_up.append(handle)

    def check_watch(self, watch: Watch) -> None:
        raise AssertionError

    def tables(self) -> tuple[TableView, ...]:
        return ()


async def test_a_stranger_in_a_fleet_spends_nothing_of_anothers_handle(
    door: Door,
) -> None:
    reception = door.lobby.reception = FakeReception(door)
    for line in range(40):
        session, transport = door.connect(line)
        session.received(hello("ned21", key=key_of("stranger")))
        await session.settled()
        assert refused(transport).code is RefusalCode.WRONG_KEY
    for line in range(40, 60):
        session, transport = door.connect(line)
        session.received(hello("ned21"))
        await session.settled()
        assert not transport.sent
    session, transport = door.connect(60)
    session.received(hello("ned21"))
    await session.settled()
    assert refused(transport).code is RefusalCode.TOO_FAST
    assert reception.given_up == ["ned21"]
