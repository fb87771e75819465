"""What a round tells is changed, and what follows from it does not fit."""

from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_protocol import events
from bj_protocol.messages import Message, Snapshot
from bj_server.table.inbox import Reshuffle
from support.cheating import Change, bets_changed, changed, found, once, play, without
from support.company import Company

OTHER = "ab" * 32


Patch = pytest.MonkeyPatch


def test_an_honest_server_is_believed(rig: Company) -> None:
    play(rig, 5)
    rig.send(Reshuffle())
    play(rig, 2)
    ned, other = rig.players["ned21"], [*rig.players.values()][-1]
    assert not ned.findings
    assert [proof.round for proof in ned.proofs] == [1, 2, 3, 4, 5, 6, 7]
    assert all(proof.is_ours for proof in ned.proofs)
    assert [p.digits for p in ned.proofs] == [p.digits for p in other.proofs]


TOLD: dict[str, tuple[Change, str]] = {
    "another secret": (once(events.RoundEnded, secret=OTHER), "not the one that was"),
    "no secret": (once(events.RoundEnded, secret=None), "secret .* is not told"),
    "another seal in the call": (
        once(events.BetsClosed, seal=OTHER),
        "not of the round that was sealed",
    ),
    "no commitment": (bets_changed(commitment=None), "your commitment is not"),
    "another commitment": (bets_changed(commitment=OTHER), "your commitment is not"),
    "another stake": (bets_changed(amount=5000), "bets that are called are others"),
    "more spots": (bets_changed(spots=2), "bets that are called are others"),
    "another handle": (bets_changed(handle="kim"), "bets that are called are others"),
    "a bet left out": (once(events.BetsClosed, bets=()), "bets that are called"),
    "another cut card": (
        once(events.BetsClosed, below_cut=65),
        "shoe is none of this house",
    ),
    "another round": (once(events.RoundBegan, round=1), "another number|not the one"),
    "a cut card elsewhere": (once(events.RoundBegan, until_cut=3), "cut card is at"),
    "cards counted wrong": (once(events.RoundEnded, cards_left=-1), "counted wrong"),
    "a payout too small": (once(events.HandSettled, payout=-100), "by its draw"),
    "a balance too small": (once(events.HandSettled, balance=-100), "balance of seat"),
    "another total": (once(events.CardDealt, total=1), "by its draw"),
    "another hole card": (once(events.HoleRevealed, card="2c"), "by its draw"),
    "a card left out": (without(events.HoleRevealed), "by its draw"),
    "a round that does not end": (without(events.RoundEnded), "was not settled"),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told_otherwise_is_found(
    rig: Company, monkeypatch: Patch, name: str
) -> None:
    change, pattern = TOLD[name]
    play(rig)
    changed(rig, monkeypatch, change)
    play(rig, 2)
    found(rig, pattern)


@pytest.mark.parametrize("options", [{"seed": 7}, {"stack": "As Td"}])
def test_a_table_that_proves_nothing_is_not_bet_at(
    tmp_path: Path, house: House, options: dict[str, Any]
) -> None:
    with Company(tmp_path / "bank", house=house, **options) as rig:
        rig.unproven = False
        rig.join("ned21")
        play(rig, 1, most=5)
        ned = rig.players["ned21"]
        assert ned.refusals[0].startswith("This table proves nothing")
        assert not ned.findings


def test_rules_that_are_not_known_are_not_bet_on(tmp_path: Path, house: House) -> None:
    with Company(tmp_path / "bank", house=house, seats=min(4, house.max_seats)) as rig:

        def odd(
            message: Message, text: str, line: int | None
        ) -> list[tuple[Message, str]]:
            if isinstance(message, Snapshot):
                terms = {**message.house.terms, "house_always_wins": True}
                house = message.house.model_copy(update={"terms": terms})
                message = message.model_copy(update={"house": house})
                return [(message, message.model_dump_json())]
            return [(message, text)]

        rig.outlet.cheat = odd
        rig.join("ned21")
        play(rig, 1, most=5)
        assert (
            "rules that your client does not know" in (rig.players["ned21"].refusals[0])
        )
