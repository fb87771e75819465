"""The real command, run as people and scripts run it."""

import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bj_client.command import run
from bj_protocol.action import Action
from bj_protocol.commands import Leave, PlaceBet, Stand
from bj_protocol.messages import Refused
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import You
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.told import told
from support.visit import run_command

CARDS = told("""
    2 bets 50 -> 9950
    round 3 begins: 2
    2a 8h = 8
""")


def is_one_sentence(text: str) -> bool:
    return text.count("\n") == 1 and text.endswith(".\n") and "Traceback" not in text


async def test_c6_no_server_is_said_on_standard_error() -> None:
    played = await run_command("--handle", "ned21", "--server", "127.0.0.1:1")
    assert played.code == 3
    assert played.output == ""
    assert is_one_sentence(played.errors)
    assert "There is no blackjack server at 127.0.0.1:1" in played.errors


def test_last_words_are_rows_where_they_go_to_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Narrow(StringIO):
        def isatty(self) -> bool:
            return True

    said = Narrow()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setenv("COLUMNS", "40")
    assert run(["--handle", "ned21", "--plain", "--server", "127.0.0.1:1"]) == 3
    rows = said.getvalue().splitlines()
    assert rows[0] == "There is no blackjack server at"
    assert rows[1].startswith("  127.0.0.1:1: start one with")
    assert max(map(len, rows)) <= 40


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        (RefusalCode.BAD_HANDLE, 4),
        (RefusalCode.VERSION_MISMATCH, 5),
    ],
)
async def test_c6_a_refusal_is_said_on_standard_error(
    code: RefusalCode, exit_code: int
) -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(Refused(code=code, text="No: do this.", prompt=None))
        await server.socket.close(CloseCode.REFUSED, "refused")

    async with fake_server(script) as address:
        played = await run_command("--handle", "ned21", "--server", address.shown)
    assert (played.code, played.output) == (exit_code, "")
    assert played.errors == "No: do this.\n"


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (("--handle", "ned21"), {"you": You(handle="ned2l", seat=1)}),
        (("--handle", "ned21"), {"you": None}),
        (("--watch",), {"you": You(handle="ned21", seat=1)}),
        (("--handle", "ned21", "--table", "main"), {"table": "main2"}),
    ],
)
async def test_a_picture_for_another_player_or_table_is_no_answer(
    options: tuple[str, ...], fields: dict[str, Any]
) -> None:
    """The money of another would be compared with what we had, and kept as ours."""

    async def script(server: Any) -> None:
        await server.first()
        await server.say(make_snapshot(**fields))
        await server.socket.wait_closed()

    async with fake_server(script) as address:
        played = await run_command(*options, "--server", address.shown)
    assert (played.code, played.output) == (4, "")
    assert "answered for another player or another table" in played.errors


@pytest.mark.parametrize("handle", ["../ned21", "a b", "nül", "x" * 65])
def test_a_bad_handle_ends_before_anything_is_opened(
    handle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--handle", handle, "--server", "127.0.0.1:1"]) == 4
    assert is_one_sentence(capsys.readouterr().err)


def test_14_8_a_misspelt_variable_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BJ_HANDEL", "ned21")
    assert run(["--handle", "../x", "--server", "127.0.0.1:1"]) == 4
    first, _, rest = capsys.readouterr().err.partition("\n")
    assert first.startswith("BJ_HANDEL is no variable of these commands")
    assert "BJ_HANDLE" in first
    assert is_one_sentence(rest)


def test_our_own_mistake_is_a_sentence_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(options: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("bj_client.app.App", fail)
    assert run(["--handle", "ned21"]) == 1
    assert is_one_sentence(capsys.readouterr().err)
    monkeypatch.setenv("BJ_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run(["--handle", "ned21"])


@pytest.mark.parametrize(
    ("closing", "exit_code"),
    [(CloseCode.TAKEN_OVER, 7), (CloseCode.SERVER_STOPPING, 6), (None, 6)],
)
async def test_a_lost_line_has_its_exit_code_and_a_closing_line(
    closing: CloseCode | None, exit_code: int
) -> None:
    async def script(server: Any) -> None:
        await server.hello()
        if closing is None:
            server.socket.transport.abort()
        else:
            await server.socket.close(closing, "reason")

    async with fake_server(script) as address:
        options = ("--handle", "ned21", "--reconnect", "0")
        played = await run_command(*options, "--server", address.shown)
    assert played.code == exit_code
    assert is_one_sentence(played.errors)
    assert played.output.splitlines()[-1].startswith("Good-bye, ned21: 0 rounds")


@pytest.mark.parametrize(
    ("environment", "card"),
    [
        ({"PYTHONIOENCODING": "utf-8"}, "8♥"),
        ({"PYTHONIOENCODING": "cp1252"}, "8H"),
        ({"PYTHONIOENCODING": "ascii"}, "8H"),
        ({"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}, "8H"),
    ],
    ids=["utf-8", "cp1252", "ascii", "C"],
)
async def test_c1_c7_c9_a_piped_visit_in_any_encoding_has_no_escape_bytes(
    environment: dict[str, str], card: str
) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), notices=("caf\u00e9 \u2660",))
        assert await server.hear() == PlaceBet(prompt=1, amount=5000)
        await server.update(11, *CARDS, asks=(make_ask(2, Action.HIT, Action.STAND),))
        assert await server.hear() == Stand(prompt=2)
        await server.ask_and_part()

    async with fake_server(script) as address:
        played = await run_command(
            *("--plain", "--handle", "ned21", "--server", address.shown),
            typed="50\ns\n",
            TERM="xterm-256color",
            **environment,
        )
    assert (played.code, played.errors) == (0, "")
    assert f"ned21 gets {card}: 8.\n" in played.output
    assert "\x1b" not in played.output
    assert played.output.splitlines()[-1].startswith("Good-bye, ned21:")


async def test_ascii_can_be_asked_for() -> None:
    async def script(server: Any) -> None:
        await server.hello()
        await server.update(11, *CARDS, asks=(make_ask(2, Action.HIT, Action.STAND),))
        await server.part()

    async with fake_server(script) as address:
        played = await run_command(
            "--ascii", "--handle", "ned21", "--server", address.shown
        )
    assert "ned21 gets 8H: 8." in played.output


async def test_the_environment_can_name_server_and_handle() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == Leave()

    async with fake_server(script) as address:
        played = await run_command(BJ_SERVER=address.shown, BJ_HANDLE="ned21")
    assert played.code == 0


async def test_solo_without_a_terminal_lets_three_bots_play(tmp_path: Path) -> None:
    played = await run_command(
        *("--solo", "--handle", "ned21", "--rounds", "2"),
        XDG_DATA_HOME=str(tmp_path),
        BJ_TLS_CERT="of-another-server.pem",
        BJ_TLS_PIN="0" * 64,
    )
    assert (played.code, played.errors) == (0, "")
    for handle in ("ned21", "ada-bot", "bob-bot"):
        assert f"{handle} bets $10.00.\n" in played.output
    assert played.output.splitlines()[-1].startswith("Good-bye, ned21: 2 rounds")


async def test_solo_says_why_its_server_does_not_start(tmp_path: Path) -> None:
    tmp_path.joinpath("blackjack-table").write_text("in the way")
    played = await run_command("--solo", XDG_DATA_HOME=str(tmp_path))
    assert played.code == 3
    assert is_one_sentence(played.errors)
    assert "The private server did not start" in played.errors
