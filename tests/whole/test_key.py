"""A handle, its key and its file, by the real commands."""

from pathlib import Path

import pytest

from bj_protocol.handle import is_key
from bj_server.bank_cli.command import main
from support.visit import OneRound
from whole.host import Host


@pytest.fixture
def play(tmp_path: Path) -> OneRound:
    """Return what plays one round, and leaves."""
    return OneRound(tmp_path)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_handle_is_its_players_alone_until_the_host_resets_its_key(
    play: OneRound, tmp_path: Path
) -> None:
    with Host(tmp_path / "bank", "--seed", "5") as host:
        port = host.address.rpartition(":")[2]
        for server in (host.address, f"localhost:{port}", f"ws://{host.address}/"):
            assert play(server).returncode == 0
        (path,) = files(tmp_path / "ned")
        assert path.parts[-3:] == ("keys", f"localhost:{port}", "ned21.key")
        refused = play(host.address, handle="NED21", home="eve")
        assert (refused.returncode, refused.stdout) == (8, "")
        theirs = tmp_path / "eve" / "/".join(path.parts[-4:])
        assert refused.stderr == (
            "The handle NED21 has another key at this server than the one in "
            f"{theirs}: put the right one there, from where the handle was first used, "
            "or ask the host to reset it, or choose another handle.\n"
        )
        assert play(host.address, "--key-file", str(path), home="eve").stdout
        shown = refused.stdout + refused.stderr
    keys = [path.read_text().strip(), theirs.read_text().strip()]
    assert all(map(is_key, keys))
    assert main(["reset-key", "Ned21", "--bank", str(tmp_path / "bank")]) == 0
    with Host(tmp_path / "bank", "--port", port, "--seed", "5") as host:
        assert play(host.address, home="eve").returncode == 0
        ended = play(host.address)
        assert ended.returncode == 8
    for file in files(tmp_path / "bank"):
        assert not any(key.encode() in file.read_bytes() for key in keys), file
    assert not any(key in shown + ended.stderr for key in keys)


def test_where_no_key_can_be_kept_the_player_is_told_and_plays_on(
    play: OneRound, tmp_path: Path
) -> None:
    (tmp_path / "ned").write_text("in the way")
    with Host(tmp_path / "bank", "--seed", "5") as host:
        ended = play(host.address)
        assert ended.returncode == 0
        assert ended.stdout.splitlines()[-1].startswith("Good-bye, ned21: 1 round")
        assert ended.stderr.startswith("bj-client: The key of ned21 cannot be kept in ")
        assert ended.stderr.count("\n") == 1
        assert play(host.address).returncode == 8


def test_players_at_one_keyboard_have_keys_of_their_own(
    play: OneRound, tmp_path: Path
) -> None:
    with Host(tmp_path / "bank", "--seed", "5") as host:
        both = ("--handle", "lia9")
        assert play(host.address, *both).returncode == 0
        names = {path.name for path in files(tmp_path / "ned")}
        assert names == {"ned21.key", "lia9.key"}
        refused = play(host.address, *both, handle="eve", home="eve")
        assert refused.returncode == 8
        assert refused.stderr.startswith("The handle lia9 has another key ")
        assert play(host.address, *both).returncode == 0


def test_a_file_that_holds_no_key_ends_the_visit(
    play: OneRound, tmp_path: Path
) -> None:
    path = tmp_path / "ned.key"
    path.write_text("password1")
    with Host(tmp_path / "bank", "--seed", "5") as host:
        ended = play(host.address, "--key-file", str(path))
    assert (ended.returncode, ended.stdout) == (8, "")
    assert f"The key file {path} holds no key: " in ended.stderr
    assert "password1" not in ended.stderr
