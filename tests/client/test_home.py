"""A player without a home directory, and a private bank whose keys were lost."""

import io
import shutil
from pathlib import Path

import pytest

from bj_client.command import run
from bj_client.error import NoHomeError
from bj_client.net.keyring import Keyring, data_folder, state_folder
from bj_client.options import read_options


@pytest.fixture
def no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user whom the system does not know."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 9)


@pytest.mark.usefixtures("no_home")
def test_14_6_without_a_home_there_are_help_and_sentences(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["--help"])
    assert ended.value.code == 0
    capsys.readouterr()
    assert run(["--handle", "ned21", "--server", "127.0.0.1:1", "--plain"]) == 3
    capsys.readouterr()
    assert run(["--solo", "--plain"]) == 2
    said = capsys.readouterr().err
    assert "This user has no home directory: set HOME to a folder" in said
    keys = Keyring("here", pytest.fail)
    with pytest.raises(NoHomeError, match="or name a file with --key-file"):
        keys.key("ned21")
    assert len(Keyring("here", pytest.fail, tmp_path / "key").key("ned21")) > 40
    with pytest.raises(NoHomeError):
        data_folder()
    with pytest.raises(NoHomeError):
        state_folder("")


def test_14_6_client_toml_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "client.toml"
    file.write_text('handle = "ned21"\n', encoding="utf-8-sig")
    assert read_options(["--settings", str(file)], {}).handles == ("ned21",)


def test_14_6_a_private_bank_whose_keys_were_lost_lets_its_player_in(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    players = ("--handle", "ned21", "--handle", "lia9")
    words = ["--solo", *players, "--bot", "basic", "--rounds", "1"]
    assert run(words) == 0
    assert "key" not in capsys.readouterr().err
    (key,) = (tmp_path / "STATE").rglob("lia9.key")
    size = len(key.read_text().strip())
    shutil.rmtree(tmp_path / "STATE")
    key.parent.mkdir(parents=True)
    key.write_text("A" * size)
    assert run(words) == 0
    said = capsys.readouterr().err
    assert "The key of ned21 was lost" in said
    assert "The key of lia9 was lost" in said
