"""A screen that asks how to play 16 against a six."""

from typing import Any

from bj_protocol.views import Ask, DealerView, Phase
from support.message import make_hand, make_seat, make_snapshot
from support.stage import make_stage


def playing(ask: Ask) -> Any:
    hand = make_hand("Td 6h", 16)
    seats = (make_seat(2, "ned21", hands=(hand,)),)
    dealer = DealerView(name="Dealer", cards=("6c", "??"), total=6, soft=False)
    shown = make_stage(
        make_snapshot(ask, phase=Phase.PLAYING, seats=seats, dealer=dealer)
    )
    shown.ask(ask)
    shown.settle()
    return shown
