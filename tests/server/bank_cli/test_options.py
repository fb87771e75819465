"""The options of bj-bank."""

from pathlib import Path

import pytest

from bj_server.bank_cli.options import RoundName, read_options


def test_the_bank_may_be_named_before_or_after_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BJ_BANK", "/from/environment")
    assert read_options(["audit"]).bank == Path("/from/environment")
    assert read_options(["audit", "--bank", "a"]).bank == Path("a")
    assert read_options(["--bank", "b", "audit"]).bank == Path("b")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("12", RoundName(table=None, number=12)),
        ("Main/12", RoundName(table="main", number=12)),
    ],
)
def test_a_round_is_named_with_its_table_or_without(text: str, name: RoundName) -> None:
    assert read_options(["round", text]).round == name


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["look"],
        ["audit", "--bank", ""],
        ["backup", ""],
        ["restore", "", "bank"],
        ["restore", "backup", ""],
        ["archive", ""],
        ["history"],
        ["round", "0"],
        ["round", "main/"],
        ["round", "main/1/2"],
        ["round", "9" * 5000],
        ["gift", "ned21"],
        ["gift", "ned21", "0"],
        ["gift", "ned21", "-5"],
        ["gift", "ned21", "1e3"],
        ["gift", "ned21", "0.5"],
        ["gift", "ned21", "1,0"],
        ["gift", "ned21", "99999999999999"],
        ["close"],
        ["close", "ned21", "--unused-days", "5"],
        ["close", "--unused-days", "-1"],
        ["close", "--unused-days", "99999"],
        ["reset-key"],
        ["reset-key", "ned21", "lia9"],
        ["export"],
        ["export", "--csv", "--json"],
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(arguments)
    assert stopped.value.code == 2
    assert "bj-bank" in capsys.readouterr().err


def test_help_has_examples_and_the_exit_statuses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(["--help"])
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    assert "bj-bank history ned21 | tail" in said
    for status in range(5):
        assert f"\n  {status}  " in said


def test_a_gift_that_is_too_large_is_told_the_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        read_options(["gift", "ned21", "99999999999999"])
    assert "as in 50 or 12.50, up to ten trillion" in capsys.readouterr().err
