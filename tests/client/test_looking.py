"""Looking: the list of tables, and a table that is only watched."""

from typing import Any

import pytest

from bj_client.error import (
    Exit,
    HelloRefusedError,
    SentAwayError,
    StoodUpError,
    VersionMismatchError,
)
from bj_client.lobby.lobby import fetch_tables, listing
from bj_client.model.table import Table
from bj_client.options import read_options
from bj_client.words.board import rules, status
from bj_protocol.commands import Leave, ListTables, Watch
from bj_protocol.events import PlayerJoined
from bj_protocol.messages import Refused, TableList
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_protocol.views import PaceView, Phase, Turn
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.tableview import a_table
from support.visit import run_lines


def test_each_table_has_a_line() -> None:
    private = a_table(
        name="friends",
        phase=Phase.PLAYING,
        handles=(),
        watchers=3,
        maximum_bet=50000,
        private=True,
    )
    first, second, how = listing(TableList(version=2, tables=(a_table(), private)))
    assert first == (
        "main: cpsc386 (Eight decks, even money), bets from $1.00, 2 of 4 seats taken "
        "(ned21, lia9), taking bets."
    )
    assert second == (
        "friends: cpsc386 (Eight decks, even money), bets from $1.00 to $500.00, 2 of "
        "4 seats taken, in a round, 3 watching, private: its code is needed."
    )
    assert how == "Sit down with --table NAME, or look on with --watch --table NAME."


def test_C12_names_of_tables_are_shown_as_they_are_written() -> None:
    odd = a_table(name="<b>\x1b[31m", title="{0} %s\n")
    line, _ = listing(TableList(version=2, tables=(odd,)))
    assert line.startswith("<b>[31m: cpsc386 ({0} %s )")


async def test_tables_are_asked_for_and_the_line_is_closed() -> None:
    heard: list[object] = []

    async def script(server: Any) -> None:
        heard.append(await server.hear())
        await server.say(TableList(version=2, tables=(a_table(),)))
        await server.socket.wait_closed()

    async with fake_server(script) as address:
        assert (await fetch_tables(address)).tables == (a_table(),)
    assert heard == [ListTables(version=2)]


async def test_N13_a_list_of_another_version_is_a_mismatch() -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(TableList(version=3, tables=()))

    async with fake_server(script) as address:
        with pytest.raises(VersionMismatchError):
            await fetch_tables(address)


async def test_who_watches_is_asked_nothing_and_hears_all() -> None:
    heard: list[object] = []

    async def script(server: Any) -> None:
        heard.append(await server.hear())
        await server.say(server.picture(make_ask(7, seat=1), you=None))
        joined = PlayerJoined(seat=3, handle="eve", balance=100)
        await server.update(11, joined, asks=(make_ask(7, seat=1),))
        heard.append(await server.hear())
        await server.socket.close()

    async with fake_server(script) as address:
        shown = await run_lines(
            address, "q\n", handles=(), is_live=True, when="eve sits down"
        )
    assert heard == [Watch(version=2), Leave()]
    assert shown.startswith("You watch table main: 2 of 4 seats are taken.\n")
    assert "Good-bye" not in shown
    assert "?" not in shown


@pytest.mark.parametrize("typed", ["hello", "50", "?", "score", "h"])
async def test_who_watches_is_told_what_can_be_typed(typed: str) -> None:
    async def script(server: Any) -> None:
        await server.hear()
        await server.say(server.picture(make_ask(7, seat=1), you=None))
        assert await server.hear() == Leave()
        await server.socket.close()

    async with fake_server(script) as address:
        shown = await run_lines(
            address, f"{typed}\n\nt\nq\n", handles=(), is_live=True, when="q to leave."
        )
    keys = "Type t for the table, r for the rules, q to leave.\n"
    assert shown.count(keys) == 2  # the first is the welcome
    assert shown.count("Table main, ") == 2


def test_the_status_of_one_who_watches_says_who_decides() -> None:
    table = Table(make_snapshot(you=None))
    assert status(table, None) == "watching"
    table.turn = Turn(asks=(make_ask(7, seat=1),), milliseconds=None)
    assert status(table, None) == "watching | lia9 decides"
    assert status(table, 9) == "watching | lia9 decides: 9 s"


def test_a_table_without_a_clock_says_so_in_its_rules() -> None:
    pace = PaceView(
        bet_seconds=None, insurance_seconds=None, turn_seconds=None, hold_seconds=60
    )
    assert rules(Table(make_snapshot(pace=pace)))[-1].startswith("- There is no clock")


def test_a_clock_for_plays_alone_is_told() -> None:
    pace = make_snapshot().pace.model_copy(
        update={"bet_seconds": None, "insurance_seconds": None, "turn_seconds": 1.0}
    )
    assert rules(Table(make_snapshot(pace=pace)))[-1] == (
        "- The table waits unlimited seconds for the bets, unlimited for insurance, "
        "and 1 for each other decision."
    )


@pytest.mark.parametrize(
    ("code", "ending", "exit_code", "words"),
    [
        (CloseCode.IDLE, StoodUpError, Exit.IDLE, "three calls for bets"),
        (
            CloseCode.SENT_AWAY,
            SentAwayError,
            Exit.REFUSED,
            "The host has sent ned21 away",
        ),
    ],
)
async def test_a_seat_that_was_taken_away_is_not_tried_again(
    code: CloseCode,
    ending: type[StoodUpError | SentAwayError],
    exit_code: Exit,
    words: str,
) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        await server.socket.close(code, "go")

    async with fake_server(script) as address:
        with pytest.raises(ending, match=words) as caught:
            await run_lines(address, "", when="never shown")
    assert caught.value.exit is exit_code


async def test_a_private_table_names_the_option_for_its_code() -> None:
    async def script(server: Any) -> None:
        await server.hear()
        needed = RefusalCode.CODE_NEEDED
        await server.say(Refused(code=needed, text="It is private.", prompt=None))

    async with fake_server(script) as address:
        with pytest.raises(
            HelloRefusedError, match=r"It is private\. Give it with --code\."
        ):
            await run_lines(address, "")


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["--watch", "--handle", "ned21"], "--handle"),
        (["--watch", "--solo"], "--solo"),
        (["--list-tables", "--bot", "basic"], "--bot"),
        (["--watch", "--rounds", "3"], "--rounds"),
        (["--watch", "--style", "cs220"], "--style"),
        (["--watch", "--list-tables"], "--watch"),
    ],
)
def test_looking_and_playing_do_not_go_together(
    arguments: list[str], extra: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        read_options(arguments, {})
    assert f"is for looking alone: leave {extra} out." in capsys.readouterr().err


def test_who_looks_needs_no_handle_and_a_code_is_shown_to_nobody() -> None:
    options = read_options(["--watch", "--code", "sesame"], {"BJ_HANDLE": "ned21"})
    assert (options.handles, options.watch, options.code) == ((), True, "sesame")
    assert "sesame" not in repr(options)
    assert read_options(["--list-tables"], {"BJ_CODE": "abc"}).code == "abc"
