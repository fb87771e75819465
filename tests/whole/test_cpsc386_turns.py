"""Rows 8 and 9: how a hand is played to its end, and how the dealer plays."""

from pathlib import Path

import pytest

from whole.guest import Guest, table
from whole.host import Host
from whole.test_cpsc386_hotseat import pipe


async def stand(*guests: Guest) -> Guest:
    """Let each bet, take nothing that is offered, and stand; return the last."""
    for guest in guests:
        await guest.answer("place_bet", 1)
    for guest in guests:
        while "stand" not in (await guest.asked())["actions"]:
            await guest.answer("decline")
        await guest.answer("stand")
    return guests[-1]


def dealer(guest: Guest) -> list[str]:
    return [line for line in guest.story if line.startswith("dealer")]


async def test_cpsc386_08_asked_to_hit_or_stand_until_21(tmp_path: Path) -> None:
    stack = "2s Ts 9d 3s 8h 8d 4s 5s 7s 3h"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 1)
        await lia.answer("place_bet", 1)
        for total in (9, 14, 21):
            assert {"hit", "stand"} <= set((await ned.asked())["actions"])
            await ned.answer("hit")
            assert ned.seen("card_dealt")[-1]["total"] == total
        assert [event["seat"] for event in ned.seen("hand_reached_21")] == [1]
        assert ned.turn is not None
        assert [ask["seat"] for ask in ned.turn["asks"]] == [2]
        await lia.answer("hit")
        assert [event["seat"] for event in lia.seen("hand_reached_21")] == [1, 2]
        assert lia.seen("hand_stood", "hand_busted") == []


async def test_cpsc386_08_asked_to_hit_or_stand_until_bust(tmp_path: Path) -> None:
    stack = "2s 9d Ts 8d 4s Tc"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        await ned.answer("place_bet", 1)
        await ned.answer("hit")
        assert (await ned.asked())["actions"] == ["hit", "stand"]
        await ned.answer("hit")
        assert [event["total"] for event in ned.seen("hand_busted")] == [26]
        assert (await ned.asked())["actions"] == ["place_bet", "sit_out"]


async def test_cpsc386_08_who_stands_or_has_21_is_asked_no_more(tmp_path: Path) -> None:
    stack = "As 2h 9d Ks 3h 8d"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 1)
        await lia.answer("place_bet", 1)
        assert {"hit", "stand"} <= set((await lia.asked())["actions"])
        await lia.answer("stand")
        assert [e["total"] for e in lia.seen("hand_stood")] == [5]
        assert [(e["seat"], e["natural"]) for e in lia.seen("hand_reached_21")] == [
            (1, True)
        ]


async def test_cpsc386_08_there_is_no_surrender(tmp_path: Path) -> None:
    async with table(tmp_path, "ned21", stack="8s Ad 8h Kd Tc 9c 2c") as (ned,):
        await ned.answer("place_bet", 100)
        for answer in ("split", *("decline", "hit", "stand"), *("decline", "stand")):
            assert "surrender" not in (await ned.asked())["actions"]
            await ned.refusal("surrender")
            await ned.answer(answer)
        assert [e["payout"] for e in ned.seen("hand_settled")] == [0, 0]


def test_cpsc386_08_a_message_is_shown_for_21_and_for_a_bust(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--stack", "Ts 9h 6s 9d 5c Tc 9c 6h 7d 9s") as host:
        said = pipe(host, "1\nh\ny\n1\nsurrender\nh\nn\n", "--handle", "ned21")
    reached, busted = "ned21 has reached 21.", "ned21 has busted with 25."
    assert said.count(reached) == 1
    assert said.count(busted) == 1
    assert said[said.index(reached) - 1] == "ned21 gets 5♣: 21."
    assert said[said.index(busted) - 1] == "ned21 gets 9♠: 25."
    prompts = [line for line in said if line.startswith("Hit")]
    assert prompts == ["Hit (h), stand (s) or double (d)?"] * 3


@pytest.mark.parametrize(
    ("cards", "story"),
    [
        ("Ts 9d 8h 8d", ["turns 8d", "stood 17"]),
        ("Ts 6d 8h Ad", ["turns Ad", "stood 17"]),
        ("Ts Ad 8h 6d", ["turns 6d", "stood 17"]),
        ("Ts 2d 8h Ad 4c", ["turns Ad", "4c", "stood 17"]),
        ("Ts Td 8h Qd", ["turns Qd", "stood 20"]),
        ("Ts Td 8h 6d 5c", ["turns 6d", "5c", "stood 21"]),
        ("Ts 9d 8h 7d Tc", ["turns 7d", "Tc", "busted 26"]),
        (
            "Ts 2d 8h 3d 4c 5c Ac Qc",
            ["turns 3d", *("4c", "5c", "Ac", "Qc"), "busted 25"],
        ),
        (
            "Ts 2d 8h 3d 4c 5c 2c Ac",
            ["turns 3d", *("4c", "5c", "2c", "Ac"), "stood 17"],
        ),
    ],
)
async def test_cpsc386_09_the_dealer_draws_below_17_and_stands_on_any_17(
    tmp_path: Path, cards: str, story: list[str]
) -> None:
    async with table(tmp_path, "ned21", stack=cards) as (ned,):
        await stand(ned)
        told = [line.replace("dealer ", "") for line in dealer(ned)]
        assert told == [cards.split()[1], "??", *story]


async def test_cpsc386_09_the_hole_card_is_turned_before_anything_else(
    tmp_path: Path,
) -> None:
    stack = "Ts Th 9d 8s 8h 2d 4c 5c"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as guests:
        lia = await stand(*guests)
        kinds = [event["type"] for event in lia.events]
        turn = kinds.index("hole_revealed")
        assert kinds[turn - 1] == "hand_stood"
        assert kinds[turn : turn + 6] == [
            *("hole_revealed", "card_dealt", "card_dealt", "dealer_stood"),
            *("hand_settled", "hand_settled"),
        ]
        assert lia.seen("dealer_peeked") == []


async def test_cpsc386_09_nothing_is_drawn_when_everyone_is_bust(
    tmp_path: Path,
) -> None:
    stack = "Ts Th 5d 6s 6h 2d Tc Td"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 1)
        await lia.answer("place_bet", 1)
        await ned.answer("hit")
        await lia.answer("hit")
        assert dealer(lia)[2:] == ["dealer turns 2d", "dealer stood 7"]
        assert [event["seat"] for event in lia.seen("hand_busted")] == [1, 2]


async def test_cpsc386_09_one_player_who_is_not_bust_makes_the_dealer_draw(
    tmp_path: Path,
) -> None:
    stack = "Ts Th 5d 6s 6h 2d Tc Kc"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 1)
        await lia.answer("place_bet", 1)
        await ned.answer("hit")
        await lia.answer("stand")
        assert dealer(lia)[2:] == ["dealer turns 2d", "dealer Kc", "dealer stood 17"]


@pytest.mark.parametrize("cards", ["8d 8h", "Ad Ah", "5d 6h", "Ad Kh"])
async def test_cpsc386_09_the_dealer_places_no_bets_and_never_splits(
    tmp_path: Path, cards: str
) -> None:
    upcard, hole = cards.split()
    async with table(tmp_path, "ned21", stack=f"Ts {upcard} 9s {hole}") as (ned,):
        await stand(ned)
        assert ned.seen("hand_split", "hand_doubled", "hand_insured") == []
        dealt = [event for event in ned.seen("card_dealt") if event["seat"] == 0]
        assert {event["hand"] for event in dealt} == {0}
        seats = {e["seat"] for e in ned.events if "seat" in e and e not in dealt}
        assert seats == {1}
