"""The prompt line: in the smallest window, too, every question is put whole."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import pytest
from prompt_toolkit.utils import get_cwidth

from bj_client.question.question import Kind, Question, play_again
from bj_client.screen.hint import PLAYS
from bj_client.screen.scene import Page, Scene
from bj_protocol.action import Action
from bj_protocol.messages import Snapshot
from bj_protocol.views import (
    Ask,
    DealerView,
    HandState,
    Phase,
    WagerRange,
    You,
)
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.stage import make_stage

RICH = 100_000_000_000
"""A bank of 1,000,000,000.00, in cents."""
BETS = WagerRange(minimum=100, maximum=RICH, step=100)
LONG = "a-player.with-a-long-name@casino.example.com".ljust(64, "x")
EIGHTS = make_hand("8s 8h", 16, stake=RICH, state=HandState.WAITING)
CLOCKS = (None, 5, 30, 600, 86_400)
EXTREMES = [
    pytest.param(clock, marks=pytest.mark.torture if clock in (30, 600) else ())
    for clock in CLOCKS
]


def plays() -> Iterator[tuple[Action, ...]]:
    """Yield whatever can be asked of a hand in play, in any house."""
    others = [a for a in PLAYS if a not in {Action.HIT, Action.STAND}]
    for count in range(len(others) + 1):
        for more in combinations(others, count):
            yield (Action.HIT, Action.STAND, *more)


ASKS: tuple[tuple[Action, ...], ...] = (
    (Action.PLACE_BET, Action.SIT_OUT),
    (Action.PLACE_BET,),
    (Action.ACCEPT_GIFT, Action.DECLINE),
    (Action.ACE_HIGH, Action.ACE_LOW),
    (Action.INSURE, Action.DECLINE),
    (Action.SPLIT, Action.DECLINE),
    (Action.EVEN_MONEY, Action.DECLINE),
    (Action.SURRENDER, Action.DECLINE),
    *plays(),
)


def crowd(*asks: Ask, hands: int = 1) -> Snapshot:
    mine = tuple([EIGHTS] * hands)
    seats = [
        make_seat(n, LONG[: 60 + n], hands=mine, balance=RICH) for n in range(1, 8)
    ]
    return make_snapshot(
        *asks,
        phase=Phase.PLAYING,
        seats=tuple(seats),
        seat_count=7,
        you=You(handle=seats[1].handle, seat=2),
    )


def prompt(shown: Any, width: int = 40, height: int = 16) -> str:
    """Return the prompt line without its mark and clock."""
    lines = shown.look(width, height).split("\n")
    marks = (" ▶ ", " ▷ ", " · ", " > ", " ~ ", " - ")
    rows = [row for row in lines[-8:] if row.startswith(marks)]
    return str(rows[-1][3:])


@pytest.mark.parametrize("clock", EXTREMES)
@pytest.mark.parametrize("hands", [1, 4])
@pytest.mark.parametrize("symbols", [True, False])
def test_every_question_of_every_house_is_whole_at_40_columns(
    clock: int | None, hands: int, symbols: bool
) -> None:
    shown = make_stage(crowd(hands=hands), symbols=symbols, left=clock)
    scene, more = shown.scene, shown.scene.glyphs.more
    for number, actions in enumerate(ASKS):
        extra = {"wager": BETS, "gift": RICH, "hand": hands - 1}
        shown.ask(make_ask(number, *actions, **extra))
        text = prompt(shown)
        assert more not in text, actions
        is_typed = scene.kind in (Kind.BET, Kind.INSURANCE)
        end = scene.glyphs.cursor if is_typed else "?"
        assert end in text or "y or n" in text, (actions, text)
        if clock is not None:
            assert text.endswith(f"{clock} s")


def test_what_is_typed_is_on_view_to_its_last_digit() -> None:
    for actions in ((Action.PLACE_BET,), (Action.INSURE,), (Action.HIT, Action.INSURE)):
        shown = make_stage(crowd(), left=86_400)
        shown.ask(make_ask(1, *actions, wager=BETS))
        shown.settle()
        shown.press(*"1000000000.00")
        assert ": $1000000000.00▏" in prompt(shown)


def test_one_of_several_players_is_named_by_a_part_of_the_handle() -> None:
    shown = make_stage(crowd(), left=30)
    table = shown.scene.table
    table.ours[3] = table.ours[2]
    for actions in ASKS:
        shown.ask(make_ask(1, *actions, wager=BETS, gift=RICH))
        assert prompt(shown).startswith("a-playe…: ")
        assert prompt(shown).count("…") == 1, actions


@pytest.mark.parametrize("width", [40, 80])
def test_the_bank_of_one_of_several_players_is_on_view_beside_the_handle(
    width: int,
) -> None:
    shown = make_stage(crowd())
    table = shown.scene.table
    table.ours[3] = table.ours[2]
    row = next(row for row in shown.look(width, 16).split("\n") if "bank" in row)
    assert row.startswith(" a-playe")
    assert "…  bank $" in row


def questions() -> list[tuple[str, Callable[[Scene], None]]]:
    """Return what else the line says, by what brings it about."""

    def page(scene: Scene) -> None:
        scene.page = Page("The rules", ("The dealer stands on 17.",))

    def again(scene: Scene) -> None:
        question: Question = play_again()
        scene.pose(question)

    return [
        ("New deal? y", again),
        ("Leave", lambda scene: setattr(scene, "is_leaving", True)),
        ("Space closes", page),
        ("Say: ", lambda scene: setattr(scene, "chat", "good luck")),
        ("Waiting for 2 players", lambda scene: None),
        ("You will stand", lambda scene: setattr(scene, "preset", Action.STAND)),
    ]


@pytest.mark.parametrize(("clock", "number"), list(product(CLOCKS, range(6))))
def test_every_other_line_is_whole_at_40_columns(
    clock: int | None, number: int
) -> None:
    words, bring = questions()[number]
    others = (make_ask(1, Action.HIT, seat=1), make_ask(1, Action.HIT, seat=3))
    shown = make_stage(crowd(*others), left=clock)
    bring(shown.scene)
    assert prompt(shown).startswith(words)
    assert "…" not in prompt(shown)


def test_the_end_of_a_long_remark_is_on_view_in_cells() -> None:
    shown = make_stage(make_snapshot(make_ask(1)), left=30)
    shown.press(":", *"庄家庄家庄家庄家庄家庄家庄家", "x")
    text = prompt(shown)
    assert text.startswith("Say: …")
    assert "庄家x▏" in text
    assert get_cwidth(text) == 36  # half of a character is no room for it


def test_a_lost_line_has_the_whole_row() -> None:
    shown = make_stage(make_snapshot(make_ask(1)), left=86_400)
    shown.scene.is_cut_off = lambda: True
    assert prompt(shown) == "The line is lost; only q counts"


@pytest.mark.parametrize("width", [60, 80, 100])
def test_even_money_is_named_beside_insurance(width: int) -> None:
    shown = make_stage(make_snapshot(), left=30)
    shown.ask(make_ask(1, Action.INSURE, Action.EVEN_MONEY, Action.DECLINE))
    shown.press("2", "0")
    assert "e for even money, or n for none" in shown.look(width, 24)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (("Kd",), "The dealer deals"),
        (("Kd", "??"), "The dealer deals"),
        (("Kd", "6c"), "The dealer's turn"),
        (("Kd", "2c", "6c"), "The dealer's turn"),
    ],
)
def test_a_card_of_the_deal_is_not_yet_the_dealers_turn(
    cards: tuple[str, ...], words: str
) -> None:
    dealer = DealerView(name="Dealer", cards=cards, total=18, soft=False)
    shown = make_stage(make_snapshot(phase=Phase.PLAYING, dealer=dealer))
    shown.scene.is_telling, shown.scene.told = True, (0, 0)
    assert prompt(shown) == words
