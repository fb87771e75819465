"""A blackjack is called one: at the seat, at the dealer, and in lines."""

from typing import Any

import pytest

from bj_client.screen.frame import frame
from bj_client.words.board import board
from bj_protocol.action import SettleReason
from bj_protocol.events import (
    DealerStood,
    HandReached21,
    HandSettled,
    HoleRevealed,
)
from bj_protocol.views import HandState, Outcome, Phase
from support.message import make_hand, make_seat, make_snapshot
from support.stage import make_stage
from support.told import told

WIDE, NARROW = (100, 30), (40, 16)
SIZES = [NARROW, (80, 24), WIDE, (200, 60)]


def dealt(*, natural: bool = True) -> Any:
    """Return a stage on which seat 2 has an ace and a king."""
    shown = make_stage(make_snapshot())
    for event in (
        *told("""
            2 bets 50 -> 9950
            round 3 begins: 2
            2a As = soft 11
            dealer Ac = soft 11
            2a Kd = soft 21
            dealer ?? = soft 11
        """),
        HandReached21(seat=2, hand=0, natural=natural),
    ):
        shown.scene.table.fold(event)
    return shown


def settle(shown: Any, outcome: Outcome, payout: int) -> None:
    event = HandSettled(
        seat=2,
        hand=0,
        outcome=outcome,
        reason=SettleReason.NATURAL,
        stake=5000,
        payout=payout,
        balance=995_000 + payout,
    )
    shown.scene.last.note(event, shown.scene.table)
    shown.scene.table.fold(event)


@pytest.mark.parametrize("size", SIZES)
def test_the_seat_says_blackjack_and_not_soft_21(size: tuple[int, int]) -> None:
    shown = dealt()
    text = shown.look(*size)
    assert " blackjack" in text
    assert "21 $50" in text
    assert "soft 21" not in text
    assert " s21" not in text


@pytest.mark.parametrize("size", SIZES)
def test_any_other_hand_that_is_complete_is_21(size: tuple[int, int]) -> None:
    text = dealt(natural=False).look(*size)
    assert "21 $50" in text
    assert "soft 21" not in text
    assert " blackjack" not in text


def test_a_snapshot_does_not_tell_whether_21_is_a_blackjack() -> None:
    hand = make_hand("As Kd", 21, soft=True, state=HandState.TWENTY_ONE)
    seats = (make_seat(2, "ned21", hands=(hand,)),)
    text = make_stage(make_snapshot(phase=Phase.PLAYING, seats=seats)).look()
    assert " 21 $50" in text
    assert "soft" not in text
    assert " blackjack" not in text


@pytest.mark.parametrize(
    ("outcome", "payout", "size", "words"),
    [
        (Outcome.WIN, 12_500, WIDE, "blackjack +$75"),
        (Outcome.WIN, 12_500, NARROW, "blackjack +$75"),
        (Outcome.PUSH, 5000, WIDE, "push"),
        (Outcome.LOSE, 0, WIDE, "lost -$50"),
    ],
)
def test_its_result_is_called_so(
    outcome: Outcome, payout: int, size: tuple[int, int], words: str
) -> None:
    shown = dealt()
    settle(shown, outcome, payout)
    assert words in shown.look(*size)


def test_where_there_is_no_room_the_result_is_one_of_any_hand() -> None:
    shown = dealt()
    seat_2 = shown.scene.table.seat(2)
    seat_2.hands += [shown.scene.table.hand(2, 0)] * 2
    settle(shown, Outcome.WIN, 12_500)
    lines = frame(shown.scene, *WIDE, shown.console.press).lines
    row = next(line for line in lines if "+$75" in line)
    assert "won +$75" in row
    assert "blackjack +" not in row


def test_the_dealer_has_a_blackjack_by_name() -> None:
    shown = dealt()
    shown.scene.table.fold(HoleRevealed(card="Kh", total=21, soft=True))
    shown.scene.table.fold(DealerStood(total=21, blackjack=True))
    assert "Dealer  blackjack" in shown.look()
    lines = board(shown.scene.table, shown.scene.faces)
    assert "Dealer: A♣ K♥ (blackjack)" in lines
    assert "A♠ K♦ (21), stake $50.00, blackjack" in lines[-1]
