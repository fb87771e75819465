"""The desk: what each order does, and the socket at which it comes."""

import asyncio
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_protocol.close import CloseCode
from bj_server.desk.command import Exit, main
from bj_server.desk.desk import Desk
from bj_server.desk.listener import listening
from bj_server.desk.options import read_options
from bj_server.desk.order import SOCKET_NAME, Reply
from bj_server.net.bans import Bans
from bj_server.net.lobby import Lobby, Place
from bj_server.net.room import Room
from bj_server.table.inbox import TimeUp
from rig import Rig


class Office:
    """A host, before a table that acts on what it is told at once."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig = rig
        self.bans = Bans(folder)
        lobby = Lobby([Place(rig.dealer, Room())], self.bans)
        self.desk = Desk(lobby, self.bans)

    async def order(self, *words: str) -> Reply:
        reply = self.desk.obey(read_options(words).order)
        self.rig.dealer.submit(TimeUp())  # so that there is something to take
        self.rig.send(*await self.rig.dealer._inbox.take())
        return reply


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Rig(tmp_path / "bank") as rig:
        yield Office(rig, tmp_path / "bank")


async def test_the_host_sees_who_sits_where(office: Office) -> None:
    office.rig.join("ned21")
    assert (await office.order("tables")).lines == (
        "main: cpsc386, 1 of 4 seats, betting, 0 watching; ned21",
    )


async def test_the_host_speaks_to_one_table_or_to_all(office: Office) -> None:
    assert (await office.order("say", "hello")).lines == ("Said at main.",)
    assert (await office.order("say", "--table", "main", "again")).is_done
    reply = await office.order("say", "--table", "high", "hello")
    assert reply.lines == ("There is no table of that name here; there is main.",)
    assert not reply.is_done
    said = [event.text for event in office.rig.events if event.type == "proclaimed"]
    assert said == ["hello", "again"]


async def test_a_player_is_kicked_and_may_come_again(office: Office) -> None:
    line = office.rig.join("eve")
    reply = await office.order("kick", "EVE")
    assert reply.lines == ("eve is sent away from table main.",)
    assert office.rig.outlet.dismissed[line][0] is CloseCode.SENT_AWAY
    reply = await office.order("kick", "eve")
    assert (reply.is_done, reply.lines[0][:22]) == (False, "eve sits at no table; ")
    assert office.rig.join("eve") not in office.rig.outlet.dismissed


async def test_a_player_is_banned_and_sent_away(office: Office) -> None:
    line = office.rig.join("eve")
    reply = await office.order("ban", "eve")
    assert reply.lines[0].startswith("eve is banned from this server. eve is sent away")
    assert office.rig.outlet.dismissed[line][0] is CloseCode.SENT_AWAY
    assert (await office.order("ban", "mallory")).is_done
    assert (await office.order("bans")).lines == ("eve", "mallory")
    assert (await office.order("unban", "eve")).lines == ("eve may join again.",)
    assert (await office.order("unban", "eve")).lines == ("eve is not banned.",)
    assert "eve" not in office.bans


async def test_nobody_may_be_banned(office: Office) -> None:
    assert (await office.order("bans")).lines == ("Nobody is banned.",)


async def test_a_player_is_muted_and_heard_again(office: Office) -> None:
    assert (await office.order("mute", "eve")).lines == ("eve can chat no more.",)
    assert office.rig.table.felt.muted == {"eve"}
    assert (await office.order("unmute", "eve")).lines == ("eve can chat again.",)
    assert office.rig.table.felt.muted == set()


async def test_what_is_no_handle_is_refused_in_a_sentence(office: Office) -> None:
    for order in ("kick", "ban", "mute"):
        reply = await office.order(order, "../../etc")
        assert (reply.is_done, reply.lines[0][:18]) == (False, "No player has such")


async def test_a_ban_that_cannot_be_written_down_is_none(
    office: Office, tmp_path: Path
) -> None:
    (tmp_path / "bank" / "bans.json.new").mkdir()
    reply = await office.order("ban", "eve")
    assert not reply.is_done
    assert "bans.json" in reply.lines[0]
    assert list(office.bans) == []


async def ask(path: Path, text: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(text)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_the_socket_is_the_hosts_alone_and_gone_with_the_server(
    office: Office, tmp_path: Path
) -> None:
    path = tmp_path / "bank" / SOCKET_NAME
    path.write_text("of a server that was killed")
    async with listening(path.parent, office.desk):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b'"is_done":true' in await ask(path, b'{"do":"tables"}\n')
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    [b"null\n", b"{\n", b'{"do":"open"}\n', b'{"do":"kick"}\n', b"\xff\n", b"x" * 9000],
)
async def test_N1_what_is_no_order_harms_nothing(
    office: Office, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "bank" / SOCKET_NAME
    async with listening(path.parent, office.desk):
        answer = await ask(path, text)
        assert answer == b"" or b"could not be read" in answer
        assert b'"is_done":true' in await ask(path, b'{"do":"tables"}\n')


async def test_a_folder_that_can_hold_no_socket_is_no_reason_not_to_play(
    office: Office, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    async with listening(deep, office.desk):
        pass
    assert "bj-host cannot reach this server" in caplog.text


def test_without_a_server_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER
    said = capsys.readouterr().err
    assert said.startswith("bj-host: No server listens at the bank in ")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / SOCKET_NAME))
    assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["kick"],
        ["say"],
        ["say", " "],
        ["say", "x" * 201],
        ["kick", "x" * 65],
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(arguments)
    assert stopped.value.code == 2
    assert "bj-host" in capsys.readouterr().err
