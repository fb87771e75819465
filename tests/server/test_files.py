"""Every file of a bank folder, damaged in every way: status 4 and one sentence."""

import asyncio
import errno
import fcntl
import gzip
import os
import shutil
import socket
from pathlib import Path
from typing import Protocol

import pytest

from bj_server.bank import disk
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankUnusableError
from bj_server.bank.handles import Bans, Invites
from bj_server.bank_cli.command import main as bank_command
from bj_server.command import Exit, main
from bj_server.host_cli.desk import Board


class Damage(Protocol):
    """Puts something else in the place of a file."""

    def __call__(self, path: Path, /) -> None: ...


OPEN, PACKED = "journal-000003.jsonl", "journal-000002.jsonl.gz"


def text(content: bytes) -> Damage:
    """Return a damage that puts some bytes in the place of a file."""

    def damage(path: Path) -> None:
        path.unlink()
        path.write_bytes(content)

    return damage


def cut(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        home = Path.cwd()
        os.chdir(path.parent)  # the path of a socket is short
        listener.bind(path.name)
        os.chdir(home)


def loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    path.unlink()
    path.touch()
    os.truncate(path, 2**40)


WORDS: dict[str, Damage] = {
    "empty": text(b""),
    "cut": cut,
    "a list": text(b"[]"),
    "a number": text(b"7"),
    "a huge number": text(b'{"format":' + b"9" * 5000 + b"}"),
    "a huge format": text(b'{"format":' + b"9" * 4000 + b"}"),
    "nested": text(b'{"handles":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "nested a little": text(b'{"handles":' + b"[" * 200 + b"]" * 200 + b"}"),
    "a fraction": text(b'{"handles":[1.5]}'),
    "no UTF-8": text(b'{"handles":["\xff"]}'),
    "a name twice": text(b'{"handles":[],"handles":[]}'),
    "zeros": text(bytes(4096)),
}
KINDS: dict[str, Damage] = {
    "a folder": folder_in_its_place,
    "a pipe": pipe,
    "a socket": unix_socket,
    "a loop": loop,
    "a device": device,
    "a sparse file": sparse,
}
RIGHT = {
    "bank.json": "move bank.json away",
    "bans.json": 'mend it, as in {"handles":["eve"]}',
    "invites.json": "or delete it to have nobody invited",
    "notice.json": 'mend it, as in {"notice":"Cards at 8."}',
    "statement.json": "put it back from a good copy, or move it away",
    OPEN: "put the bank folder back from a good copy",
    PACKED: "put the bank folder back from a good copy",
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bank with a file of every kind."""
    folder = tmp_path_factory.mktemp("files") / "bank"
    fill(folder, "ned21")
    old = str(folder.with_name("old"))
    assert bank_command(["--bank", str(folder), "archive", old, "--json"]) == 0
    fill(folder, "lia9")
    for handles in (Bans(folder), Invites(folder)):
        handles.add("eve")
    Board(folder).post("Hello.")
    assert {*RIGHT, "lock"} == {path.name for path in folder.iterdir()}
    return folder


def fill(folder: Path, handle: str) -> None:
    """Open an account, and close the segment that has it."""
    bank = Bank.open(folder, segment_bytes=0)

    async def play() -> None:
        till = bank.till("main")
        till.open(handle, 1000_00)
        till.seal({})
        await till.commit()

    asyncio.run(play())
    bank.close()


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "bank")


def start(folder: Path) -> int:
    """Start where no server can listen: a bank that is sound gives status 3."""
    return main(["--bank", str(folder), "--host", "203.0.113.1", "--insecure"])


def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert start(folder) == Exit.NO_BANK
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.endswith(".\n")
    assert len(said.err) < 600
    return said.err


def test_14_4_a_sound_folder_starts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(folder) == Exit.NO_ADDRESS
    assert "Cannot listen" in capsys.readouterr().err


@pytest.mark.parametrize("damage", WORDS)
@pytest.mark.parametrize("name", RIGHT)
def test_14_4_every_damage_of_every_file_is_one_sentence_with_its_remedy(
    folder: Path, name: str, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / name
    WORDS[damage](path)
    if name == PACKED:  # whose lines are read then
        (folder / "bank.json").unlink()
    before = path.read_bytes()
    said = refused(folder, capsys)
    assert str(path) in said
    assert RIGHT[name] in said
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", KINDS)
@pytest.mark.parametrize("name", [*RIGHT, "lock"])
def test_14_4_what_is_no_file_is_named_and_moved_away(
    folder: Path, name: str, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if (name, damage) == ("lock", "a sparse file"):
        return  # nobody reads it
    KINDS[damage](folder / name)
    said = refused(folder, capsys)
    assert str(folder / name) in said
    assert "Move that away" in said


@pytest.mark.parametrize("name", ["bank.json.new", f"{OPEN}.new"])
def test_14_4_a_pipe_or_a_link_that_is_left_over_is_replaced_and_not_written_through(
    folder: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (folder / name).symlink_to(victim)
    assert start(folder) == Exit.NO_ADDRESS
    os.mkfifo(folder / "bank.json.new")
    assert start(folder) == Exit.NO_ADDRESS
    assert victim.read_text() == "mine"


def test_14_4_the_banned_are_read_with_a_byte_order_mark(folder: Path) -> None:
    (folder / "bans.json").write_text('{"handles":["eve"]}', encoding="utf-8-sig")
    assert start(folder) == Exit.NO_ADDRESS


@pytest.mark.parametrize("handles", ['{"eve":1}', '["Eve!"]', "[7]", '"eve"'])
def test_14_4_bans_of_another_shape_are_refused(
    folder: Path, handles: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bans.json").write_text(f'{{"handles":{handles}}}')
    assert RIGHT["bans.json"] in refused(folder, capsys)


def test_14_4_a_packed_segment_of_a_newer_format_needs_the_newer_server(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from bj_server.bank.line import decode
    from support.banks import encode

    (folder / "bank.json").unlink()
    lines = gzip.decompress((folder / PACKED).read_bytes()).splitlines()
    (first,) = decode(lines[0])
    newer = type(first)(
        seq=first.seq,
        kind="journal",
        time=first.time,
        synced=0,
        prev=first.prev,
        data={"format": 4},
    )
    content = gzip.compress(b"\n".join([encode(newer), *lines[1:], b""]))
    (folder / PACKED).write_bytes(content)
    said = refused(folder, capsys)
    assert "of format 4" in said
    assert "a newer server has written it: use that one." in said
    assert "copy" not in said


def test_14_4_a_file_of_root_needs_chown_and_not_removal(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = folder / "bank.json"
    really = os.open

    def refusing(name: str | Path, *rest: int) -> int:
        if Path(name) == path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(name))
        return really(name, *rest)

    monkeypatch.setattr(os, "open", refusing)
    monkeypatch.setattr(os, "access", lambda each, mode: each != path)
    owner = path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 4242)
    said = refused(folder, capsys)
    assert "Permission denied. It belongs to " in said
    assert f"sudo chown -R {owner + 4242} {path}." in said
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    assert f"chmod u+rwX {path}." in refused(folder, capsys)


def test_14_4_the_nearest_thing_that_may_not_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda each, mode: each != tmp_path)
    said = disk.remedy(errno.EACCES, tmp_path / "bank" / "lock")
    assert said.endswith(f" {tmp_path}")
    # Nobody is told to take over what may be the whole machine's.
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 4242)
    said = disk.remedy(errno.EACCES, tmp_path / "bank" / "lock")
    assert ": choose another bank folder or, if that is a bank, give it back" in said
    monkeypatch.setattr(os, "access", lambda each, mode: True)
    assert disk.remedy(errno.EPERM, tmp_path) == ""


def test_14_4_a_folder_that_others_can_read_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.chmod(0o755)
    start(folder)
    first, _ = capsys.readouterr().err.splitlines()
    assert first == (
        f"bj-server: The bank folder {folder} can be read by others, who may learn the "
        f"cards that are to come: close it with: chmod 700 {folder}"
    )
    folder.chmod(0o700)
    start(folder)
    assert "can be read" not in capsys.readouterr().err


def test_a_new_key_in_the_place_of_one_that_is_missing_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start(folder)
    bank = Bank.open(folder)
    bank.till("main").claim("ned21", "5e" * 32)
    bank.till("main").seal({})
    bank.close()
    start(folder)
    capsys.readouterr()
    (folder / "server.key").unlink()
    for is_told in (True, False):
        start(folder)
        said = capsys.readouterr().err
        assert (f"{folder / 'server.key'}, is missing, so it has" in said) is is_told


@pytest.mark.parametrize(
    ("module", "call", "operation"),
    [
        (fcntl, "flock", "flock"),
        (os, "fsync", "fsync of a f"),
        (os, "replace", "rename over a file"),
    ],
)
def test_14_6_an_operation_that_a_file_system_lacks_is_named(
    tmp_path: Path,
    module: object,
    call: str,
    operation: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def lacking(*arguments: object, **options: object) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    (tmp_path / "bank").mkdir(mode=0o700)
    monkeypatch.setattr(module, call, lacking)
    said = refused(tmp_path / "bank", capsys)
    assert f"its file system has no {operation}" in said
    assert "Keep the bank on a local disk that has it." in said


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO, errno.EMFILE])
def test_14_4_each_refusal_of_the_system_has_its_own_remedy(
    folder: Path,
    number: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refusing(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refusing)
    said = refused(folder, capsys)
    assert os.strerror(number) in said
    assert disk.remedy(number, folder) in said


def test_an_unknown_refusal_has_the_usual_remedy(folder: Path) -> None:
    with (
        pytest.raises(BankUnusableError, match="See to its owner"),
        disk.naming(folder),
    ):
        raise OSError("odd")


def test_the_owner_may_have_no_name() -> None:
    assert disk._name(2**31 - 9) == str(2**31 - 9)
