"""A user without a home directory, and files as editors of other systems write them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bj_server.bank_cli.options import read_options as read_bank_options
from bj_server.host_cli.command import read_options as read_host_options
from bj_server.options import read_options
from bj_server.settings import load_house

COMMANDS: dict[str, tuple[Callable[[list[str]], Path], list[str]]] = {
    "bj-server": (lambda words: read_options(words).bank, []),
    "bj-bank": (lambda words: read_bank_options(words).bank, ["balances"]),
    "bj-host": (lambda words: read_host_options(words)[0], ["tables"]),
}
"""Each reads the folder of its bank."""


@pytest.fixture
def no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user whom the system does not know."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 9)


@pytest.mark.usefixtures("no_home")
@pytest.mark.parametrize("command", COMMANDS)
def test_14_6_help_needs_no_home_and_a_named_bank_neither(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    read, words = COMMANDS[command]
    with pytest.raises(SystemExit) as ended:
        read(["--help"])
    assert ended.value.code == 0
    assert "none, since there is" in " ".join(capsys.readouterr().out.split())
    assert read(["--bank", str(tmp_path), *words]) == tmp_path
    with pytest.raises(SystemExit) as ended:
        read(words)
    assert ended.value.code == 2
    assert "there is no home directory to keep the bank in" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_14_6_an_empty_BJ_BANK_is_none(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read, words = COMMANDS[command]
    monkeypatch.setenv("BJ_BANK", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert read(words) == tmp_path / "blackjack-table" / "bank"


def test_14_6_tables_and_houses_are_read_with_a_byte_order_mark(tmp_path: Path) -> None:
    shipped = load_house("cs220")
    house, tables = tmp_path / "mine.toml", tmp_path / "tables.toml"
    import bj_game

    source = Path(bj_game.__file__).parent / "houses" / "cs220.toml"
    house.write_text(source.read_text(), encoding="utf-8-sig")
    assert load_house(str(house)) == shipped
    tables.write_text('[high]\nhouse = "mine.toml"\n', encoding="utf-8-sig")
    (plan,) = read_options(["--tables", str(tables)]).tables
    assert plan.house == shipped
