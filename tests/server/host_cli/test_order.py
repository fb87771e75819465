"""The socket at which orders come, and the command that needs it."""

import asyncio
import socket
import stat
from pathlib import Path

import pytest

from bj_server.host_cli.command import Exit, main, read_options
from bj_server.host_cli.order import SOCKET_NAME, listening
from support.office import Office


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
    async with listening(path.parent, office.desk.obey):
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
    async with listening(path.parent, office.desk.obey):
        answer = await ask(path, text)
        assert answer == b"" or b"could not be read" in answer
        assert b'"is_done":true' in await ask(path, b'{"do":"tables"}\n')


async def test_a_long_list_of_the_banned_is_told_to_its_end(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    banned = [f"{number:064}" for number in range(20_000)]
    office.bans.replace(banned)
    order = ["--bank", str(office.folder), "bans"]
    async with listening(office.folder, office.desk.obey):
        assert await asyncio.to_thread(main, order) == Exit.DONE
    assert capsys.readouterr().out.split() == banned


async def test_14_5_what_others_put_in_the_place_of_the_socket_stops_no_stop(
    office: Office, tmp_path: Path
) -> None:
    path = tmp_path / "bank" / SOCKET_NAME
    async with listening(path.parent, office.desk.obey):
        path.unlink()
        path.mkdir()
    assert path.is_dir()


async def test_14_6_a_folder_that_can_hold_no_socket_is_no_reason_not_to_play(
    office: Office,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    async with listening(deep, office.desk.obey):
        pass
    assert "bj-host cannot reach this server" in caplog.text
    assert main(["--bank", str(deep), "tables"]) == Exit.NO_SERVER
    assert "is too long for a socket, so bj-host reaches" in capsys.readouterr().err


def test_without_a_server_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER
    said = capsys.readouterr().err
    assert said.startswith("bj-host: No server listens at the bank in ")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / SOCKET_NAME))
    assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER


def test_a_server_that_does_not_answer_is_said_to_be_stuck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.host_cli.command._SECONDS", 0.01)
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(tmp_path / SOCKET_NAME))
        mute.listen()
        assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER
    assert "does not answer, and may yet do" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["kick"],
        ["say"],
        ["say", " "],
        ["say", "\u3164\u115f"],
        ["notice", "\u2800\u200b"],
        ["say", "x" * 201],
        ["kick", "x" * 65],
        ["kick", "\udcff"],
        ["say", "Cards at \udcff", "--table", "main"],
        ["shuffle", "--table", "\udcff"],
        ["open", "club=\udcff"],
        ["open", "club", "--code", "open \udcff sesame"],
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(arguments)
    assert stopped.value.code == 2
    assert "bj-host" in capsys.readouterr().err
