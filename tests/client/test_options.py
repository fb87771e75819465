import pytest

from bj_client.exits import Exit
from bj_client.options import read_options


def test_the_handle_is_enough() -> None:
    options = read_options(["--handle", "ned21"], {})
    assert (options.handle, options.server.shown) == ("ned21", "localhost:8765")
    assert (options.bet, options.rounds, options.pace) == (1000, None, None)
    flags = (options.plain, options.ascii, options.bot, options.solo)
    assert not any(flags)


def test_a_flag_wins_over_the_environment() -> None:
    environment = {"BJ_SERVER": "one", "BJ_HANDLE": "lia9", "BJ_PACE": "2"}
    options = read_options([], environment)
    assert (options.server.shown, options.handle, options.pace) == (
        "one:8765",
        "lia9",
        2.0,
    )
    options = read_options(
        ["--server", "two", "--handle", "ned21", "--pace", "0"], environment
    )
    assert (options.server.shown, options.handle, options.pace) == (
        "two:8765",
        "ned21",
        0.0,
    )


def test_solo_needs_no_handle() -> None:
    assert read_options(["--solo"], {}).handle


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--handle"],
        ["--handle", "ned21", "--server", "http://host"],
        ["--handle", "ned21", "--pace", "fast"],
        ["--handle", "ned21", "--pace", "-1"],
        ["--handle", "ned21", "--pace", "nan"],
        ["--handle", "ned21", "--pace", "inf"],
        ["--handle", "ned21", "--rounds", "0"],
        ["--handle", "ned21", "--rounds", "9" * 5000],
        ["--handle", "ned21", "--bet", "0.5"],
        ["--handle", "ned21", "--bet", "１"],
        ["--handle", "ned21", "--bot", "nobody"],
        ["--handle", "\udcff"],
        ["--handle", "ned21", "--table", "a\nb"],
        ["--handle", "ned21", "--hand", "x"],
        ["--solo", "--server", "host"],
        ["--unknown"],
    ],
)
def test_a_wrong_command_line_is_told_in_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(arguments, {})
    assert stopped.value.code == Exit.USAGE
    assert "bj-client: error: " in capsys.readouterr().err


def test_a_wrong_setting_in_the_environment_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        read_options(["--handle", "ned21"], {"BJ_PACE": "fast"})
    assert "the pace is a number of seconds" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        read_options(["--handle", "ned21"], {"BJ_SERVER": "http://x"})
    assert "BJ_SERVER" in capsys.readouterr().err


def test_the_help_lists_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(["--help"], {})
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    assert "examples:" in shown
    for code in Exit:
        assert f"  {code.value:<4} {code.meaning}" in shown
