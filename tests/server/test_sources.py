"""The sources of settings: flag, environment, file, default, and misspelt names."""

from pathlib import Path

import pytest

from bj_protocol.option import VARIABLES, unknown_variables
from bj_server.bank_cli.command import main as bj_bank
from bj_server.host_cli.command import main as bj_host
from bj_server.options import OptionsError, read_options, reread_options
from bj_server.options.options import make_parser


def test_14_8_every_setting_of_the_server_has_its_variable() -> None:
    own = {setting.variable for setting in make_parser().settings}
    assert own | {"BJ_CONFIG"} <= VARIABLES


def test_14_8_a_flag_goes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "server.toml"
    file.write_text(
        "bet_seconds = 11\nturn-seconds = 12\nhold_seconds = 13.5\nno_clock = true\n"
        'table = ["a", "b=cs220"]\nhost = "127.0.0.2"\n'
    )
    monkeypatch.setenv("BJ_CONFIG", str(file))
    monkeypatch.setenv("BJ_TURN_SECONDS", "22")
    monkeypatch.setenv("BJ_HOLD_SECONDS", "")
    settings = reread_options(["--bet-seconds", "31"])
    pace = settings.tables[0].pace
    assert (pace.bet_seconds, pace.turn_seconds, pace.hold_seconds) == (31, 22, 13.5)
    assert not pace.has_clock
    assert pace.insurance_seconds == 20
    assert settings.table_names == ("a", "b")
    assert reread_options(["--table", "c"]).table_names == ("c",)
    monkeypatch.setenv("BJ_TABLE", "d e=vegas-strip")
    monkeypatch.setenv("BJ_NO_CLOCK", "off")
    settings = reread_options([])
    assert settings.table_names == ("d", "e")
    assert settings.tables[0].pace.has_clock


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("bet_second = 11", "'bet_second' is no setting: is it bet_seconds?"),
        ("zzzz = 1", "'zzzz' is no setting."),
        ("bet_seconds = 0", "bet_seconds: '0': seconds are a number"),
        ("bet_seconds = {}", "bet_seconds is a text, a number, true or false"),
        ("no_clock = 'perhaps'", "'perhaps' is neither yes nor no"),
        ("[", "is not valid TOML"),
        (f"port = {'[' * 20_000}", "is not valid TOML"),
        (f"port = {'9' * 5000}", "is not valid TOML"),
        ("port = [8765, 8766]", "port is one value, and no list."),
        ("port = true", "port: 'true': a port is a whole number"),
        ("bet-seconds = 5\nbet_seconds = 6", "bet_seconds stands there twice"),
    ],
)
def test_14_8_what_is_wrong_in_the_file_is_named(
    tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "server.toml"
    file.write_text(content)
    with pytest.raises(OptionsError) as bad:
        reread_options(["--config", str(file)])
    assert said in str(bad.value)
    assert str(file) in str(bad.value)


def test_14_8_a_wrong_variable_is_named_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BJ_PORT", "many")
    with pytest.raises(SystemExit):
        read_options([])
    assert "BJ_PORT: 'many': a port is a whole number" in capsys.readouterr().err
    with pytest.raises(OptionsError, match="cannot be read"):
        reread_options(["--port", "0", "--config", "/nowhere"])


def test_14_8_misspelt_variables_are_named_by_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BJ_BANKK", "x")
    for command in (bj_host, bj_bank):
        command(["--bank", str(tmp_path), "tables" if command is bj_host else "audit"])
        assert "BJ_BANKK is no variable" in capsys.readouterr().err
    (said,) = unknown_variables(["BJ_\x1b[2J", "HOME", "BJ_PORT"])
    assert said.startswith("BJ_\\x1b[2J is no variable of these commands")
    assert said.endswith("docs/operations.md has a list.")
