"""Row 5 over the wire: when insurance is offered, for how much, and what it pays."""

from pathlib import Path

import pytest

from whole.guest import Guest, table


async def bet(*guests: Guest, dollars: int = 100) -> None:
    for guest in guests:
        await guest.answer("place_bet", dollars)


def insured(guest: Guest) -> list[tuple[int, int, int, str, int]]:
    """Return what became of each insurance: whose it is, its wager and its payout."""
    return [
        (e["seat"], e["hand"], e["amount"], e["outcome"], e["payout"])
        for e in guest.seen("insurance_settled")
    ]


def settled(guest: Guest) -> list[tuple[int, str, int, int]]:
    return [
        (e["hand"], e["outcome"], e["stake"], e["payout"])
        for e in guest.seen("hand_settled")
    ]


@pytest.mark.parametrize("upcard", ["Ad", "Td", "Jd", "Qd", "Kd"])
async def test_cpsc386_05_insurance_is_offered_on_an_ace_or_a_ten_value(
    tmp_path: Path, upcard: str
) -> None:
    async with table(tmp_path, "ned21", stack=f"Ts {upcard} 9s 8d") as (ned,):
        await bet(ned)
        assert (await ned.asked())["actions"] == ["insure", "decline"]
        assert await ned.refusal("stand") == "offer_undecided"
        await ned.answer("decline")
        assert set((await ned.asked())["actions"]) == {"hit", "stand", "double"}
        assert await ned.refusal("insure", 100) == "insurance_not_offered"
        await ned.answer("stand")
        assert insured(ned) == []


@pytest.mark.parametrize("upcard", [f"{rank}d" for rank in "23456789"])
async def test_cpsc386_05_insurance_is_not_offered_on_another_card(
    tmp_path: Path, upcard: str
) -> None:
    # What lies face down does not count, be it an ace.
    async with table(tmp_path, "ned21", stack=f"Ts {upcard} 9s Ad") as (ned,):
        await bet(ned)
        assert set((await ned.asked())["actions"]) == {"hit", "stand", "double"}
        assert await ned.refusal("insure", 100) == "insurance_not_offered"


async def test_cpsc386_05_it_is_a_dollar_at_least_and_what_is_not_wagered_at_most(
    tmp_path: Path,
) -> None:
    stack = "Ts Th Ad 9s 9h 8d"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await bet(ned, lia, dollars=4_000)
        wager = (await ned.asked())["wager"]
        assert (wager["minimum"], wager["maximum"]) == (100, 600_000)
        for cents in (0, 99, -100):
            assert await ned.refusal("insure", cents) == "below_minimum"
        for cents in (600_001, 600_100, 1_000_000):
            assert await ned.refusal("insure", cents) == "above_maximum"
        await ned.answer("insure", 6_000)
        assert ned.balance == 0
        await ned.answer("stand")
        await lia.answer("insure", 1)
        assert lia.balance == 599_900
        await lia.answer("stand")
        assert insured(lia) == [(1, 0, 600_000, "lose", 0), (2, 0, 100, "lose", 0)]


async def test_cpsc386_05_who_has_wagered_all_is_not_offered_insurance(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="Ts Ad 9s 8d") as (ned,):
        await bet(ned, dollars=10_000)
        assert (await ned.asked())["actions"] == ["hit", "stand"]
        assert await ned.refusal("insure", 100) == "insurance_not_offered"


async def test_cpsc386_05_each_hand_of_a_split_is_insured_for_itself(
    tmp_path: Path,
) -> None:
    stack = "8s Ad 8h Kd Ts Th"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        await bet(ned, dollars=3_000)
        await ned.answer("split")
        ask = await ned.asked()
        assert (ask["hand"], ask["wager"]["maximum"]) == (0, 400_000)
        await ned.answer("insure", 1_500)
        (seat,) = (await ned.look())["seats"]
        assert [hand["insurance"] for hand in seat["hands"]] == [150_000, 0]
        assert [hand["stake"] for hand in seat["hands"]] == [300_000, 300_000]
        await ned.answer("stand")
        ask = await ned.asked()
        assert (ask["hand"], ask["wager"]["maximum"]) == (1, 250_000)
        assert await ned.refusal("insure", 250_100) == "above_maximum"
        await ned.answer("insure", 2_500)
        await ned.answer("stand")
        assert insured(ned) == [
            (1, 0, 150_000, "win", 300_000),
            (1, 1, 250_000, "win", 500_000),
        ]
        assert ned.balance == 800_000


async def test_cpsc386_05_one_hand_of_a_split_may_be_insured_alone(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="8s Ad 8h Kd Ts Th") as (ned,):
        await bet(ned)
        await ned.play("split", "decline", "stand")
        await ned.answer("insure", 50)
        await ned.answer("stand")
        assert insured(ned) == [(1, 1, 5_000, "win", 10_000)]


@pytest.mark.parametrize(
    ("hole", "hand", "insurance", "balance"),
    [
        ("Kd", (0, "lose", 10_000, 0), (1, 0, 4_000, "win", 8_000), 994_000),
        ("7d", (0, "win", 10_000, 20_000), (1, 0, 4_000, "lose", 0), 1_006_000),
        ("8d", (0, "push", 10_000, 10_000), (1, 0, 4_000, "lose", 0), 996_000),
    ],
    ids=["blackjack", "less", "the same"],
)
async def test_cpsc386_05_it_is_a_wager_apart_from_the_stake(
    tmp_path: Path,
    hole: str,
    hand: tuple[int, str, int, int],
    insurance: tuple[int, int, int, str, int],
    balance: int,
) -> None:
    async with table(tmp_path, "ned21", stack=f"Ts Ad 9s {hole}") as (ned,):
        await bet(ned)
        await ned.answer("insure", 40)
        assert ned.balance == 986_000
        await ned.answer("stand")
        assert (settled(ned), insured(ned)) == ([hand], [insurance])
        assert ned.balance == balance


async def test_cpsc386_05_one_player_insures_and_another_does_not(
    tmp_path: Path,
) -> None:
    stack = "Ts Th Ad 9s 9h Kd"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await bet(ned, lia)
        await ned.answer("decline")
        await ned.answer("stand")
        await lia.answer("insure", 100)
        await lia.answer("stand")
        await ned.asked()
        assert insured(lia) == [(2, 0, 10_000, "win", 20_000)]
        assert (ned.balance, lia.balance) == (990_000, 1_000_000)
