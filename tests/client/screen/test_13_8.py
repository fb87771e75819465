"""What the screen shows and takes: whose seat, whose time, whose text, which page."""

import asyncio
from typing import Any

import pytest

from bj_client.model.seat import Faces
from bj_client.net.connection import Arrival
from bj_client.net.follow import Follower
from bj_client.screen.scene import Scene
from bj_protocol.action import Action
from bj_protocol.messages import Message, Recalled, Update
from bj_protocol.views import Ask, Phase, Turn, WagerRange
from support.message import make_ask, make_seat, make_snapshot, make_update
from support.stage import make_stage

PLAY = (Action.HIT, Action.STAND, Action.DOUBLE)
INSURANCE = (Action.INSURE, Action.DECLINE)
NO_WORD = (
    "That is none of the words with a slash: write /say TEXT, /mute HANDLE, "
    "/unmute HANDLE, /history or /help."
)


class Line:
    """A line on which so many seconds pass before each message."""

    server = "here"
    waiting = 0

    def __init__(self, *messages: Message, seconds: float) -> None:
        self._messages = list(messages)
        self._at = asyncio.get_running_loop().time()
        self._seconds = seconds

    async def receive(self) -> Arrival:
        self._at += self._seconds
        return Arrival(message=self._messages.pop(0), text="", at=self._at)


def turn(update: Update, milliseconds: int, *asks: Ask) -> Update:
    return update.model_copy(
        update={"turn": Turn(asks=asks, milliseconds=milliseconds)}
    )


async def test_13_8_the_bar_goes_on_running_down_when_others_act() -> None:
    mine, theirs = make_ask(1), make_ask(2, seat=1)
    line: Any = Line(
        turn(make_update(11), 20_000, mine),  # the other has bet
        turn(make_update(12), 10_050, mine),  # somebody has said something
        turn(make_update(13), 20_000, make_ask(3, *INSURANCE)),
        seconds=10,
    )
    follower = Follower(line, make_snapshot(mine, theirs))
    began = asyncio.get_running_loop().time()
    at = [began]
    scene = Scene(
        table=follower.table,
        faces=Faces(symbols=True),
        now=lambda: at[0],
        deadline=lambda: follower.deadline,
    )
    seen = []
    for _ in range(3):
        message = await follower.receive()
        assert isinstance(message, Update)
        follower.table.apply(message)
        at[0] += 10
        left = scene.time_left
        assert left is not None
        seen.append((round(left.seconds), left.whole))
    assert seen == [(20, 30.0), (10, 30.0), (20, 20.0)]


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("/mute ada", "mute ada"),
        ("/Unmute ada", "unmute ada"),
        ("/history", "history 20"),
        ("/history 5", "history 5"),
        ("/say hi", "say hi"),
        ("/score", "score"),
        ("/dance", NO_WORD),
        ("/hello to all", NO_WORD),
        ("/histroy", NO_WORD),
        ("//dance", "say dance"),
        (":hi", "say hi"),
        (":all in, folks", "say all in, folks"),
        (":mute ada", "say mute ada"),
        (":/mute ada", "mute ada"),
    ],
)
def test_13_8_words_with_a_slash_are_words_on_the_screen_too(
    typed: str, sent: str
) -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.press(*typed)
    assert ("Say: " in scene.look()) is (typed[:1] == ":" and typed[1] != "/")
    scene.press("enter")
    assert scene.done == [sent]
    assert scene.scene.chat is None


def test_13_8_a_bet_that_is_typed_at_once_lacks_no_digit() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.settle()
    scene.ask(make_ask(1))
    scene.press("1", "enter", "h", "a")
    assert scene.done == []
    scene.look()
    scene.press("enter")
    assert scene.done == []
    scene.settle()
    scene.press("enter")
    assert scene.done == ["place_bet 100"]


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("20", "place_bet 2000"),  # and no $1,020
        ("<5", "place_bet 1500"),
    ],
)
def test_an_amount_whose_enter_came_too_early_is_not_typed_on(
    typed: str, sent: str
) -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.press("1", "0", "enter")
    scene.settle()
    scene.press(*(key.replace("<", "backspace") for key in typed), "enter")
    assert scene.done == [sent]


def test_13_8_an_insurance_that_is_typed_at_once_waits_for_its_enter() -> None:
    scene = make_stage(make_snapshot(phase=Phase.PLAYING))
    scene.ask(make_ask(1, Action.INSURE, Action.DECLINE))
    scene.press("2", "enter", "n")
    assert scene.done == []
    scene.settle()
    scene.press("enter")
    assert scene.done == ["insure 200"]


def test_13_8_words_with_a_slash_do_what_their_keys_do() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.press("/", *"rules", "enter")
    assert "The dealer stands on 17." in scene.look()
    scene.press("/", *"help", "enter")  # over a page, too
    assert "Ctrl-C and Ctrl-D leave at once." in scene.look()
    scene.press(" ", "/", *"tables", "enter")
    assert scene.done == ["tables"]  # to be told that there is no list
    scene.press("/", *"quit", "enter")
    assert scene.done == ["tables", "leave"]


def test_13_8_no_letter_of_a_word_with_a_slash_plays_from_a_page() -> None:
    scene = make_stage(make_snapshot(make_ask(1, *PLAY), phase=Phase.PLAYING))
    scene.ask(make_ask(1, *PLAY))
    scene.settle()
    scene.press("r", "/", *"mute ada", "enter")
    assert scene.done == ["mute ada"]


def test_13_8_what_is_being_said_is_held_while_the_line_is_lost() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.press(":", *"hi")
    scene.scene.is_cut_off = lambda: True
    scene.press(*" all", "enter")
    assert scene.done == []
    scene.press("q")
    assert scene.done == ["leave"]
    scene.scene.is_cut_off = lambda: False
    scene.press("!", "enter")
    assert scene.done == ["leave", "say hi!"]


@pytest.mark.parametrize("size", [(40, 16), (50, 16), (63, 24), (80, 18), (120, 20)])
@pytest.mark.parametrize("has_bet", [False, True])
@pytest.mark.parametrize("symbols", [False, True])
def test_13_8_one_sees_which_seat_is_ones_own_while_all_are_asked(
    size: tuple[int, int], has_bet: bool, symbols: bool
) -> None:
    names = ["lia9", "ned21", "amy", "bob", "cho", "a-player-with-a-name-of-length"]
    seats = tuple(make_seat(n, name) for n, name in enumerate(names, 1))
    asks = tuple(make_ask(n, seat=n) for n in range(1 + has_bet, len(names) + 1))
    for mine in (2, 6):
        you = {"handle": names[mine - 1], "seat": mine}
        shown = make_stage(
            make_snapshot(*asks, seats=seats, seat_count=6, you=you), symbols=symbols
        )
        text = shown.look(*size)
        mark = shown.scene.glyphs.mine
        (own,) = [
            line
            for line in text.splitlines()
            if "(you)" in line or f"{mark}{names[mine - 1][:3]}" in line
        ]
        assert names[mine - 1][:3] in own


@pytest.mark.parametrize("actions", [(), INSURANCE])
def test_13_8_an_amount_belongs_to_the_question_it_was_typed_for(
    actions: tuple[Action, ...],
) -> None:
    scene = make_stage(make_snapshot(make_ask(1, *actions)))
    scene.ask(make_ask(1, *actions))
    scene.settle()
    scene.press("7", "5")
    assert scene.scene.typed == "75"
    scene.scene.pose(None)  # the time is up, and the next round comes
    scene.ask(make_ask(2, *actions))
    scene.settle()
    assert scene.scene.typed == ""
    scene.press("enter")
    assert scene.done == []


def test_13_8_an_amount_outlives_news_that_change_its_question_only() -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    scene.ask(make_ask(1))
    scene.settle()
    scene.press("7", "5")
    scene.ask(make_ask(1, wager=WagerRange(minimum=100, maximum=50_000, step=100)))
    scene.settle()
    scene.press("enter")
    assert scene.done == ["place_bet 7500"]


@pytest.mark.parametrize("key", ["r", "?", "m"])
def test_13_8_a_page_closes_with_the_key_that_opens_it(key: str) -> None:
    scene = make_stage(make_snapshot(make_ask(1)))
    if key == "m":
        from bj_client.screen import ScreenNarrator

        class Shows:
            faces = scene.scene.faces
            page: Any = None

            def show(self, page: Any) -> None:
                self.page = page

        screen: Any = Shows()
        narrator = ScreenNarrator(screen, screen.faces)
        asyncio.run(narrator.recalled("ned21", Recalled(rounds=())))
        scene.scene.page = screen.page
    else:
        scene.press(key)
    page = scene.scene.page
    assert page is not None
    assert f"Space or {key} closes this page" in scene.look()
    scene.press(*{"r", "?", "m"} - {key})
    assert scene.scene.page is page
    scene.press(key)
    assert scene.scene.page is None
    assert scene.done == []
