"""Layouts that hold out: full tables, splits, long handles and large banks."""

import re
from typing import Any

import pytest
from prompt_toolkit.utils import get_cwidth

from bj_client.screen.canvas import Canvas
from bj_client.screen.frame import frame
from bj_client.words.money import rough, short
from bj_protocol.action import Action
from bj_protocol.events import BettingOpened
from bj_protocol.messages import Snapshot
from bj_protocol.views import (
    DealerView,
    HandState,
    Phase,
    Presence,
    ShoeView,
    Turn,
    You,
)
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.stage import make_stage

SIZES = [(40, 16), (60, 20), (80, 24), (100, 30), (132, 43), (200, 60)]
DEALER = DealerView(name="Dealer", cards=("Kd", "??"), total=10, soft=False)
RICH = 100_000_000_000
"""A bank of 1,000,000,000.00, in cents."""
LONG = "a-player.with-a-long-name@casino.example.com".ljust(63, "x")
CARDS = ("8s 3d", "8h Td", "8c 2h 5s 9c", "8d Ah 2c 2s 3s")


def table(
    *,
    seats: int,
    hands: int,
    money: int = 5000,
    insurance: int = 0,
    handle: str = "player",
) -> Snapshot:
    """Return seats that all have the same hands; the last one is ours and asked."""
    held = tuple(
        make_hand(cards, 16, stake=money, insurance=insurance, state=HandState.WAITING)
        for cards in CARDS[:hands]
    )
    views = [
        make_seat(number, f"{handle}{number}", hands=held, balance=2 * money)
        for number in range(1, seats + 1)
    ]
    return make_snapshot(
        make_ask(1, Action.HIT, Action.STAND, seat=seats, hand=hands - 1),
        phase=Phase.PLAYING,
        seats=tuple(views),
        seat_count=7,
        dealer=DEALER,
        you=You(handle=views[-1].handle, seat=seats),
    )


def drawn(shown: Any, width: int, height: int) -> list[str]:
    canvas: Canvas = frame(shown.scene, width, height, shown.console.click)
    assert {get_cwidth(line) for line in canvas.lines} == {width}
    return canvas.lines


@pytest.mark.parametrize("size", [(40, 16), (80, 24)])
def test_ones_own_hands_are_on_view_while_none_is_in_turn(
    size: tuple[int, int],
) -> None:
    known = table(seats=7, hands=3).model_copy(update={"turn": None})
    text = "\n".join(drawn(make_stage(known), *size))
    own = text[text.index("player7") :]
    assert own.count("16 $50") == 3


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [1, 7])
@pytest.mark.parametrize("hands", [1, 4])
@pytest.mark.parametrize("money", [500, RICH])
def test_every_amount_is_whole_or_rough_and_never_cut(
    size: tuple[int, int], seats: int, hands: int, money: int
) -> None:
    known = table(
        seats=seats,
        hands=hands,
        money=money,
        insurance=money // 2,
        handle=LONG,
    )
    lines = drawn(make_stage(known, left=30), *size)
    stakes = [money, money // 2, 2 * money, hands * (money + money // 2), 0]
    right = {form(n) for n in stakes for form in (short, lambda n: rough(n, 1))}
    chips = {"$5", "$25", "$100", "$500"}
    amounts = re.findall(r"\$[\d,.]+[kMBT]?", "\n".join(lines))
    assert amounts
    assert set(amounts) <= right | chips


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("handle", ["player", LONG])
def test_totals_and_stakes_of_a_roster_stand_below_each_other(
    size: tuple[int, int], symbols: bool, handle: str
) -> None:
    known = table(seats=7, hands=4, handle=handle)
    lines = drawn(make_stage(known, symbols=symbols), *size)
    found = [re.search(r" 16 (\$50)\b", line) for line in lines]
    starts = {match.start(1) for match in found if match is not None}
    if size != (200, 60):  # which has boxes
        assert len(starts) == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [1, 7])
@pytest.mark.parametrize("hands", [1, 4])
@pytest.mark.parametrize("symbols", [True, False])
def test_one_arrow_points_to_the_hand_in_turn(
    size: tuple[int, int], seats: int, hands: int, symbols: bool
) -> None:
    known = table(seats=seats, hands=hands)
    shown = make_stage(known, symbols=symbols)
    glyphs = shown.scene.glyphs
    lines = drawn(shown, *size)
    text = [line for line in lines if glyphs.arrow in line]
    has_boxes = glyphs.heavy_frame[4] * 3 in "\n".join(lines)
    assert len(text) == (1 if hands == 1 or not has_boxes else 2)
    if not has_boxes:
        last = CARDS[hands - 1].split()[-1]
        row = lines.index(text[0])
        near = "\n".join(lines[row - 1 : row + 2])
        assert shown.scene.faces.card(last) in near


def test_more_lines_than_fit_are_pointed_at_and_the_first_is_named() -> None:
    known = table(seats=7, hands=4)
    lines = drawn(make_stage(known), 40, 16)
    (above,) = [line for line in lines if "▲" in line]
    assert re.match(r" ▲ player\d ", above)
    assert "▼" not in "\n".join(lines)  # the last hand is in turn


def test_who_has_bet_what_is_seen_in_the_smallest_window() -> None:
    seats = (
        make_seat(1, "lia9", bet=2500),
        make_seat(2, "ned21"),
        make_seat(3, LONG, bet=RICH),
    )
    lines = drawn(make_stage(make_snapshot(seats=seats)), 40, 16)
    rows = {line[3:10].strip(): line for line in lines}
    assert rows["lia9"].rstrip().endswith("bet $25")
    assert rows["ned21"].startswith(" • ")
    assert rows["ned21"].rstrip().endswith("no bet")
    assert "… $10,000 bet $1B" in rows["a-playe"]


def test_of_a_hand_that_is_too_long_the_last_cards_are_seen() -> None:
    hand = make_hand("As Ad 2s 2d 2c 2h 3s 3d Ac", 17, state=HandState.WAITING)
    seats = tuple(
        make_seat(number, f"player{number}", hands=(hand,)) for number in range(1, 8)
    )
    lines = drawn(make_stage(make_snapshot(phase=Phase.PLAYING, seats=seats)), 40, 16)
    assert sum("… 2♦ 2♣ 2♥ 3♠ 3♦ A♣  17 $50" in line for line in lines) == 7


def test_a_page_over_wide_characters_cuts_none_in_half() -> None:
    canvas = Canvas(8, 1)
    canvas.put(0, 0, "庄家庄家")
    canvas.fill(1, 0, 4, 1, "class:page")
    assert canvas.lines == ["     \x20家"]
    assert get_cwidth(canvas.lines[0]) == 8
    canvas.put(7, 0, "x")
    assert canvas.lines[0].endswith(" x")


def test_a_mark_joins_the_wide_character_before_it() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "庄\u0301x")
    assert canvas.lines == ["庄\u0301x "]


@pytest.mark.parametrize("size", SIZES)
def test_between_rounds_the_arrow_points_to_the_seat_and_to_no_old_hand(
    size: tuple[int, int],
) -> None:
    shown = make_stage(table(seats=2, hands=2))
    scene = shown.scene
    scene.last.note(BettingOpened(round=4), scene.table)
    scene.table.fold(BettingOpened(round=4))
    scene.table.turn = Turn(asks=(make_ask(1),), milliseconds=30_000)
    lines = drawn(shown, *size)
    arrows = [line for line in lines if "▶" in line]
    assert len(arrows) == 1
    assert "▶ player2" in arrows[0]
    assert sum("16 $50" in line for line in lines) >= 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["main", "x" * 40, "庄家" * 16])
def test_round_and_shoe_are_seen_beside_any_name_of_a_table(
    size: tuple[int, int], name: str
) -> None:
    title = drawn(make_stage(make_snapshot(table=name)), *size)[0]
    assert f" · {name[:2]}" in title
    assert "· round 3 " in title
    assert re.search(r"416/345 $|416 left, cut 345 $|416 cards left", title)


@pytest.mark.parametrize("size", SIZES)
def test_a_dealer_with_a_long_name_has_cards_and_a_total(size: tuple[int, int]) -> None:
    named = DEALER.model_copy(update={"name": "庄家" * 20})
    lines = drawn(make_stage(make_snapshot(phase=Phase.PLAYING, dealer=named)), *size)
    row = next(line for line in lines if "shows 10" in line)
    assert "庄家" in row
    assert "(dea" not in row or "(dealer)" in row


@pytest.mark.parametrize("size", SIZES)
def test_who_is_away_is_named_and_said_to_be(size: tuple[int, int]) -> None:
    seats = (make_seat(1, "lia9", presence=Presence.AWAY), make_seat(2, "ned21"))
    text = "\n".join(drawn(make_stage(make_snapshot(seats=seats)), *size))
    assert "lia9 (away) " in text


@pytest.mark.parametrize("size", SIZES)
def test_while_the_cards_are_drawn_the_hint_says_so_and_the_shoe_is_told(
    size: tuple[int, int],
) -> None:
    lines = drawn(make_stage(make_snapshot(phase=Phase.CALLING)), *size)
    assert "416" in lines[0]
    assert any("The cards are drawn" in line for line in lines[1:])


@pytest.mark.parametrize("size", SIZES)
def test_a_cut_card_that_is_not_placed_yet_is_not_told(size: tuple[int, int]) -> None:
    shoe = ShoeView(decks=8, cards_left=416, until_cut=None)
    (title, *_) = drawn(make_stage(make_snapshot(shoe=shoe)), *size)
    assert "416" in title
    assert "cut" not in title
