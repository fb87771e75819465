from pathlib import Path

import pytest

from bj_client.error import Exit
from bj_client.options import read_options


def test_the_handle_is_enough() -> None:
    options = read_options(["--handle", "ned21"], {})
    assert (options.handles, options.server.shown) == (("ned21",), "localhost:8765")
    assert (options.bet, options.rounds, options.pace) == (1000, None, None)
    flags = (options.plain, options.ascii, options.bot, options.solo)
    assert not any(flags)


def test_a_flag_wins_over_the_environment() -> None:
    environment = {"BJ_SERVER": "one", "BJ_HANDLE": "lia9", "BJ_PACE": "2"}
    options = read_options([], environment)
    assert (options.server.shown, options.handles, options.pace) == (
        "one:8765",
        ("lia9",),
        2.0,
    )
    options = read_options(
        ["--server", "two", "--handle", "ned21", "--pace", "0"], environment
    )
    assert (options.server.shown, options.handles, options.pace) == (
        "two:8765",
        ("ned21",),
        0.0,
    )


def test_the_key_file_is_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ned")
    named = {"BJ_KEY_FILE": "~/ned.key", "BJ_HANDLE": "ned21"}
    assert read_options([], named).key_file == Path("/home/ned/ned.key")
    assert read_options(["--key-file", "a"], named).key_file == Path("a")
    assert read_options([], named | {"BJ_KEY_FILE": ""}).key_file is None


def test_solo_needs_no_handle() -> None:
    assert read_options(["--solo"], {}).handles


def test_the_bot_of_solo_in_a_pipe_may_be_quiet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    options = read_options(["--solo", "--quiet"], {})
    assert options.bot is not None
    assert (options.bot.name, options.quiet) == ("basic", True)


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
        ["--handle", "ned21", "--reconnect", "soon"],
        ["--handle", "ned21", "--reconnect", "-1"],
        ["--handle", "ned21", "--reconnect", "86401"],
        ["--handle", "ned21", "--rounds", "0"],
        ["--handle", "ned21", "--rounds", "9" * 5000],
        ["--handle", "ned21", "--bet", "0.5"],
        ["--handle", "ned21", "--bet", "１"],
        ["--handle", "ned21", "--bot", "nobody"],
        ["--handle", "\udcff"],
        ["--handle", "ned21", "--table", "a\nb"],
        ["--handle", "ned21", "--hand", "x"],
        ["--handle", "ned21", "--key-file", ""],
        ["--handle", "ned21", "--key-file", "~nobody-of-that-name/key"],
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


def test_several_handles_sit_in_the_order_in_which_they_are_named() -> None:
    named = ["--handle", "ned21", "--handle", "lia9"]
    environment = {"BJ_HANDLE": "dora, carl,bea"}
    assert read_options(named, environment).handles == ("ned21", "lia9")
    assert read_options([], environment).handles == ("dora", "carl", "bea")


@pytest.mark.parametrize(
    ("handles", "sentence"),
    [
        (["a", "b", "c", "d", "e"], "5 handles are too many: at most 4 players"),
        (["ned21", "lia9", "NED21"], "a handle is given twice"),
        (["ned21", " "], "a handle is needed, of printable characters."),
    ],
)
def test_handles_that_cannot_share_a_keyboard_are_told_in_a_sentence(
    handles: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [part for handle in handles for part in ("--handle", handle)]
    for arguments, environment in (
        (flags, {}),
        ([], {"BJ_HANDLE": ",".join(handles)}),
    ):
        with pytest.raises(SystemExit) as stopped:
            read_options(arguments, environment)
        assert stopped.value.code == Exit.USAGE
        assert sentence in capsys.readouterr().err


def test_a_lost_line_is_tried_again_for_two_minutes_or_as_long_as_is_said() -> None:
    named, environment = ["--handle", "ned21"], {"BJ_RECONNECT": "7.5"}
    assert read_options(named, {}).reconnect == 120
    assert read_options(named, environment).reconnect == 7.5
    assert read_options([*named, "--reconnect", "0"], environment).reconnect == 0
    with pytest.raises(SystemExit):
        read_options(named, {"BJ_RECONNECT": "never"})
