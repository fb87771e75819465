"""The lobby in lines: what is told, asked and chosen."""

from typing import Any

import pytest

from bj_client.error import UnreachableError
from bj_client.lobby import Choice, Lobby, LobbyLines
from bj_client.play.input import EndOfInputError, Line
from bj_client.play.output import Tone
from bj_client.question.question import Question
from bj_client.stop import StopError
from bj_protocol.messages import TableList
from bj_protocol.views import TableView
from support.tableview import a_table

TABLES = (a_table(), a_table(name="high"), a_table(name="friends", private=True))


class Desk:
    """Paper and source in one: what is typed is written ahead, what is told kept."""

    is_live = True

    def __init__(self, *typed: str, end: Exception | None = None) -> None:
        self.typed = [*typed]
        self.end = end or EndOfInputError()
        self.told: list[str] = []
        self.closed = 0

    async def line(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        self.told.append(text)

    def end_line(self) -> None:
        """Nothing is ever left open here."""

    async def pose(self, question: Question | None, *, again: bool = False) -> None:
        if question is not None:
            self.told.append(question.prompt)

    async def read(self) -> Line:
        if not self.typed:
            raise self.end
        return Line(self.typed.pop(0), None)

    async def echo(self, text: str) -> None:
        raise AssertionError(text)

    async def close(self) -> None:
        self.closed += 1


def lines(desk: Desk, *lists: tuple[TableView, ...], **known: Any) -> LobbyLines:
    left = [*lists]

    async def fetch() -> TableList:
        if not left:
            raise UnreachableError("here:8765")
        return TableList(version=2, tables=left.pop(0))

    lobby = Lobby(TABLES, **({"server": "here", "handles": ("tess",)} | known))
    return LobbyLines(lobby, fetch, desk, lambda: desk)


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        (["2"], Choice(table="high")),
        (["high"], Choice(table="high")),
        (["w 1"], Choice(table="main", watches=True)),
        (["WATCH high"], Choice(table="high", watches=True)),
        (["3", " open sesame "], Choice(table="friends", code="open sesame")),
        (["w 3", "x"], Choice(table="friends", watches=True, code="x")),
        (["3", "", "1"], Choice(table="main")),
        (["", "0", "4", "w", "w 9", "-1", "2"], Choice(table="high")),
        (["q"], None),
        ([], None),
        (["3"], None),
    ],
)
async def test_a_line_chooses(typed: list[str], choice: Choice | None) -> None:
    desk = Desk(*typed)
    assert await lines(desk).choose() == choice
    assert desk.closed == 1


async def test_tables_are_numbered_and_what_is_wrong_is_told() -> None:
    desk = Desk("", "9")
    assert await lines(desk, handles=("LIA9",)).choose() is None
    first, _, third, which, nothing, _, none, _ = desk.told
    assert first.startswith("1. main: cpsc386 (Eight decks, even money), bets from")
    assert first.endswith("taking bets, your seat.")
    assert third.startswith("3. friends: ")
    assert which == "Which table (1 to 3)?"
    assert nothing == (
        "Nothing was typed: type a number to sit down, w and a number to look on, r "
        "for the list as it is now, or q to leave."
    )
    assert none.startswith("That is none of the tables: ")


async def test_who_only_looks_is_not_told_to_sit() -> None:
    desk = Desk("", "2")
    choice = await lines(desk, handles=()).choose()
    assert choice == Choice(table="high", watches=True)
    assert "Nothing was typed: type a number to look on, r for" in desk.told[4]


async def test_the_list_is_told_anew_on_a_wish_and_when_one_is_back() -> None:
    desk = Desk("r", "q", "q")
    lobby = lines(desk, TABLES[:1])
    assert await lobby.choose() is None
    assert desk.told[4:] == [desk.told[0], "Which table (1)?"]
    lobby_told = len(desk.told)
    assert await lobby.choose() is None
    assert desk.told[lobby_told].startswith("There is no blackjack server at here:8765")
    assert desk.told[lobby_told + 1 :] == [desk.told[0], "Which table (1)?"]


async def test_ctrl_c_is_no_choice() -> None:
    desk = Desk(end=StopError())
    with pytest.raises(StopError):
        await lines(desk).choose()
    assert desk.closed == 1
