"""A house whose bets climb a ladder: an ask that is on none of its rungs is found."""

from dataclasses import replace
from pathlib import Path

import pytest

from bj_protocol.views import Turn
from bj_server.settings import load_house
from support.cheating import asked, found, play
from support.company import Company


def more_by(cents: int, turn: Turn) -> Turn:
    """Return the questions with a higher least bet."""
    asks = [
        ask.model_copy(
            update={"wager": replace(ask.wager, minimum=ask.wager.minimum + cents)}
        )
        for ask in turn.asks
        if ask.wager is not None
    ]
    return turn.model_copy(update={"asks": tuple(asks)})


@pytest.mark.parametrize("cents", [1, 100, 499, -500])
def test_an_ask_between_two_rungs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cents: int
) -> None:
    with Company(tmp_path / "bank", house=load_house("dsc20"), seats=1) as rig:
        asked(rig, monkeypatch, lambda turn: more_by(cents, turn))
        rig.join("ned21")
        play(rig, 2, most=30)
        found(rig, "never asks")


def test_an_ask_for_a_higher_rung_than_the_last_round_leads_to_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Company(tmp_path / "bank", house=load_house("dsc20"), seats=1) as rig:
        rig.join("ned21")
        play(rig, 6, most=90)
        assert rig.players["ned21"].findings == []
        asked(rig, monkeypatch, higher)
        play(rig, 1, most=9)
        found(rig, "a bet that is too high on the ladder")


def higher(turn: Turn) -> Turn:
    """Return the questions with bets that are two rungs higher."""
    asks = []
    for ask in turn.asks:
        if (limits := ask.wager) is not None:
            least, most = limits.minimum + 1000, limits.maximum + 1000
            limits = replace(limits, minimum=least, maximum=most)
        asks.append(ask.model_copy(update={"wager": limits}))
    return turn.model_copy(update={"asks": tuple(asks)})
