"""The lobby by itself: the mark, the keys, the codes, and what is chosen."""

from typing import Any

import pytest

from bj_client.lobby import Choice, Lobby, choose, needs_choice
from bj_client.lobby.lobby import Wish
from bj_protocol.messages import TableList
from support.tableview import a_table

TABLES = (a_table(), a_table(name="high"), a_table(name="friends", private=True))


def a_lobby(**known: Any) -> Lobby:
    return Lobby(
        TABLES, **({"server": "cards.example.org", "handles": ("tess",)} | known)
    )


def press(lobby: Lobby, *keys: str) -> Choice | Wish | None:
    wanted = None
    for key in keys:
        wanted = lobby.press(key)
    return wanted


def test_a_choice_is_needed_among_several_and_where_a_code_is() -> None:
    private = (a_table(private=True),)
    assert needs_choice(TABLES, None)
    assert needs_choice(private, None)
    assert not needs_choice(private, "sesame")
    assert not needs_choice((a_table(),), None)
    assert not needs_choice((), None)


@pytest.mark.parametrize(
    ("keys", "choice"),
    [
        (["enter"], Choice(table="main")),
        (["down", "enter"], Choice(table="high")),
        (["down", "down", "down", "up", "up", "up", "enter"], Choice(table="main")),
        (["2"], Choice(table="high")),
        (["w"], Choice(table="main", watches=True)),
        (["j", "w"], Choice(table="high", watches=True)),
        (["4"], None),
        (["0"], None),
        (["x"], None),
        (["r"], Wish.NEWS),
        (["q"], Wish.LEAVE),
    ],
)
def test_keys_mark_and_choose(keys: list[str], choice: Choice | Wish | None) -> None:
    assert press(a_lobby(), *keys) == choice


@pytest.mark.parametrize(
    ("keys", "table"),
    [
        ("24", "table24"),
        ("2", "table2"),
        ("99", "table9"),
        ("301", "table1"),
        ("0", "table1"),
        ("2 4", "table4"),
        ("25", "table25"),
        (["pagedown", "pagedown", "pageup"], "table6"),
    ],
)
def test_of_ten_tables_or_more_a_number_is_typed_and_enter_ends_it(
    keys: list[str], table: str
) -> None:
    many = tuple(a_table(name=f"table{number}") for number in range(1, 26))
    lobby = Lobby(many, server="cards.example.org", handles=("tess",))
    assert press(lobby, *keys) is None
    assert lobby.marked == table
    assert press(lobby, "enter") == Choice(table=table)


def test_who_only_looks_sits_nowhere() -> None:
    assert press(a_lobby(handles=()), "2") == Choice(table="high", watches=True)
    assert press(a_lobby(handles=()), "enter") == Choice(table="main", watches=True)


def test_a_code_is_typed_where_one_is_needed() -> None:
    lobby = a_lobby()
    assert press(lobby, "3", *"qr3x", "backspace") is None
    assert lobby.typed == "qr3"
    lobby.paste(" s\n")
    assert press(lobby, "enter") == Choice(table="friends", code="qr3 s")
    assert lobby.typed is None


def test_escape_asks_for_no_code_and_none_is_needed_to_come_back() -> None:
    lobby = a_lobby()
    assert press(lobby, "3", "a", "escape", "q") is Wish.LEAVE
    assert press(lobby, "3", "enter") == Choice(table="friends")
    assert press(lobby, "w") is None
    assert press(lobby, "z", "enter") == Choice(table="friends", watches=True, code="z")


def test_a_code_of_the_options_is_tried_until_it_is_refused() -> None:
    lobby = a_lobby(code="sesame")
    assert press(lobby, "3") == Choice(table="friends", code="sesame")
    lobby.refuse("")
    assert press(lobby, "3") == Choice(table="friends", code="sesame")
    lobby.refuse("That is not the code.")
    assert lobby.notice == "That is not the code."
    assert press(lobby, "3") is None
    assert lobby.typed == ""


def test_a_code_is_never_shown_by_accident() -> None:
    assert "sesame" not in repr(Choice(table="friends", code="sesame"))


def test_the_mark_stays_with_its_table_when_the_list_changes() -> None:
    lobby = a_lobby()
    press(lobby, "down")
    lobby.update(TableList(version=2, tables=(a_table(name="new"), *TABLES)))
    assert lobby.marked == "high"
    lobby.update(TableList(version=2, tables=(a_table(name="new"),)))
    assert press(lobby, "enter") == Choice(table="new")
    lobby.update(TableList(version=2, tables=()))
    assert press(lobby, "down", "enter") is None


def test_a_table_that_is_gone_takes_its_code_along() -> None:
    lobby = a_lobby()
    press(lobby, "3", "a")
    lobby.update(TableList(version=2, tables=TABLES[:2]))
    assert (lobby.typed, lobby.marked) == (None, "main")


def test_the_mark_begins_at_ones_own_seat() -> None:
    tables = (a_table(handles=()), a_table(name="high", handles=("TESS",)))
    lobby = Lobby(tables, server="here", handles=("tess",))
    assert lobby.marked == "high"
    assert [lobby.sits_at(table) for table in tables] == [False, True]


def test_there_is_room_for_all_players_or_for_those_who_sit_there() -> None:
    lobby = a_lobby(handles=("tess", "eve"))
    assert lobby.has_room(a_table(seats_taken=2))
    assert not lobby.has_room(a_table(seats_taken=3))
    assert lobby.has_room(a_table(seats_taken=4, handles=("eve", "lia9")))
    assert not a_lobby(handles=()).has_room(a_table(seats_taken=0))


async def test_a_refusal_leads_back_to_the_lobby_and_leaving_out_of_it() -> None:
    lobby = a_lobby()
    notices: list[str] = []
    went: list[Choice] = []

    class Keys:
        def __init__(self, *keys: str) -> None:
            self.keys = [*keys]

        async def choose(self) -> Choice | None:
            notices.append(lobby.notice)
            wanted = lobby.press(self.keys.pop(0))
            return wanted if isinstance(wanted, Choice) else None

    async def visit(choice: Choice) -> str | None:
        went.append(choice)
        return "It is full." if choice.table == "main" else None

    await choose(lobby, Keys("1", "2", "1").choose, visit)
    assert notices == ["", "It is full."]
    assert [choice.table for choice in went] == ["main", "high"]
    await choose(lobby, Keys("q").choose, visit)
    assert len(went) == 2


def test_that_the_list_did_not_come_is_told_until_it_comes() -> None:
    lobby = a_lobby()
    lobby.miss("No blackjack server answers.")
    assert lobby.notice == "No blackjack server answers."
    lobby.update(TableList(version=2, tables=TABLES))
    assert lobby.notice == ""


def test_a_refusal_is_told_when_the_list_is_new() -> None:
    lobby = a_lobby()
    lobby.miss("No blackjack server answers.")
    lobby.refuse("Every seat is taken.")
    lobby.update(TableList(version=2, tables=TABLES))
    assert lobby.notice == "Every seat is taken."


async def test_a_server_that_is_gone_leaves_the_player_in_the_lobby() -> None:
    lobby = a_lobby(code="sesame")
    notices, went = list[str](), list[Choice]()

    async def press() -> Choice | None:
        notices.append(lobby.notice)
        wanted = lobby.press("3") if len(went) < 2 else None
        return wanted if isinstance(wanted, Choice) else None

    async def visit(choice: Choice) -> str | None:
        went.append(choice)
        if len(went) == 1:
            lobby.miss("No blackjack server answers.")
        return ""

    await choose(lobby, press, visit)
    assert notices == ["", "No blackjack server answers.", ""]
    assert went == [Choice(table="friends", code="sesame")] * 2
