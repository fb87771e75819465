"""Draws, rules and questions that are other than those of the table."""

from dataclasses import replace
from pathlib import Path

import pytest

from bj_game.house import House
from bj_game.round import Round
from bj_game.shuffle import KeyedStream
from bj_protocol.action import Action
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Turn
from bj_server.settings import load_house
from bj_server.table import playing
from bj_server.table.context import TableContext
from support.cheating import HOME, answer_to, asked, found, play
from support.company import Company

Patch = pytest.MonkeyPatch


def test_a_shoe_in_another_order_is_found(rig: Company, monkeypatch: Patch) -> None:
    play(rig, 2)
    monkeypatch.setattr(
        TableContext,
        "arrange",
        lambda context, links: context.shoe.arrange(KeyedStream(bytes(32))),
    )
    play(rig)
    found(rig, "by its draw|cut card is at|not shuffled by hand", 3)


def test_rules_that_are_not_those_of_the_card_are_found(
    tmp_path: Path, monkeypatch: Patch, house: House
) -> None:
    if house.name == HOME:  # where no natural is paid more
        house = load_house("vegas-strip")
    with Company(tmp_path / "bank", house=house, seats=house.max_seats) as rig:
        rig.join("ned21")
        played = Round
        worse = replace(house, tie="push")
        if house.tie == "push":
            worse = replace(house, natural="1:1", hit_soft_17=not house.hit_soft_17)
        monkeypatch.setattr(
            playing, "Round", lambda _, shoe, stakes: played(worse, shoe, stakes)
        )
        play(rig, 60)
        found(rig, "by its draw and the rules")


@pytest.mark.parametrize("lost", [Action.HIT, Action.DOUBLE, Action.STAND])
def test_plays_that_are_not_offered_are_found(
    rig: Company, monkeypatch: Patch, lost: Action
) -> None:
    def fewer(turn: Turn) -> Turn:
        asks = tuple(
            ask.model_copy(
                update={"actions": tuple(a for a in ask.actions if a != lost)}
            )
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    asked(rig, monkeypatch, fewer)
    play(rig, 3)
    found(rig, "by its draw and the rules")


def test_a_lower_limit_for_bets_is_found(rig: Company, monkeypatch: Patch) -> None:
    def lower(turn: Turn) -> Turn:
        asks = tuple(
            ask
            if ask.wager is None
            else ask.model_copy(update={"wager": replace(ask.wager, maximum=1000)})
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    play(rig)
    asked(rig, monkeypatch, lower)
    play(rig, 2)
    found(rig, "asked what its house never asks")


def test_a_refusal_of_what_was_offered_is_found(rig: Company) -> None:
    ask = rig.ask("ned21")
    ned = rig.players["ned21"]
    ned.send(answer_to(rig, "ned21"))
    refused = Refused(code=RefusalCode.NOT_ENOUGH_FUNDS, text="No.", prompt=ask.prompt)
    rig.outlet.tell(rig.line["ned21"], refused)
    found(rig, "refuses an answer that it offers", 1)
