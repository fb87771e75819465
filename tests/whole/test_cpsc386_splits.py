"""Row 6 over the wire: which hands may be split, when, and what comes of it."""

from pathlib import Path

import pytest

from whole.guest import Guest, table

HALF = 5_000
"""What leaves exactly as much as it stakes."""


async def bet(guest: Guest, dollars: int = 100) -> set[str]:
    """Bet, and return what may be played then."""
    await guest.answer("place_bet", dollars)
    return set((await guest.asked())["actions"])


@pytest.mark.parametrize("pair", [f"{r}s {r}h" for r in "23456789TJQKA"])
async def test_cpsc386_06_two_cards_of_identical_rank_may_be_split(
    tmp_path: Path, pair: str
) -> None:
    first, second = pair.split()
    stack = f"{first} 9d {second} 8d 5c 6c"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        assert "split" in await bet(ned)
        await ned.answer("split")
        # One more card to each half, and a wager on each.
        assert ned.story[4:] == ["1a 5c", "1b 6c"]
        (seat,) = (await ned.look())["seats"]
        assert [hand["cards"] for hand in seat["hands"]] == [
            [first, "5c"],
            [second, "6c"],
        ]
        assert [hand["stake"] for hand in seat["hands"]] == [10_000, 10_000]
        assert ned.balance == 980_000
        assert (await ned.asked())["hand"] == 0


@pytest.mark.parametrize("cards", ["Ks Qh", "Ts Jh", "Qs Th", "8s 9h"])
async def test_cpsc386_06_equal_value_is_no_identical_rank(
    tmp_path: Path, cards: str
) -> None:
    first, second = cards.split()
    stack = f"9s {first} 9d 9c {second} 8d"
    async with table(tmp_path, "lia9", "ned21", stack=stack) as (lia, ned):
        await lia.answer("place_bet", 1)
        await ned.answer("place_bet", 1)
        assert "split" in (await lia.asked())["actions"]
        await lia.answer("stand")
        assert set((await ned.asked())["actions"]) == {"hit", "stand", "double"}
        assert await ned.refusal("split") == "not_a_pair"


async def test_cpsc386_06_only_once_in_a_round(tmp_path: Path) -> None:
    # Both halves become pairs again; in the next round a split is possible again.
    stack = "8s 9d 8h 8d 8c 8s 3d 9c 3s 7c"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        await bet(ned)
        await ned.answer("split")
        for hand in (0, 1):
            ask = await ned.asked()
            assert ask["hand"] == hand
            assert set(ask["actions"]) == {"hit", "stand", "double"}
            assert await ned.refusal("split") == "already_split"
            await ned.answer("stand")
        assert len(ned.seen("hand_settled")) == 2
        assert "split" in await bet(ned)


async def test_cpsc386_06_only_before_a_card_is_drawn(tmp_path: Path) -> None:
    async with table(tmp_path, "ned21", stack="2s 9d 2h 8d 5c") as (ned,):
        assert "split" in await bet(ned)
        await ned.answer("hit")
        assert "split" not in (await ned.asked())["actions"]
        assert await ned.refusal("split") == "not_the_first_decision"


async def test_cpsc386_06_only_with_funds_for_as_much_again(tmp_path: Path) -> None:
    stack = "8s 7h 9d 8h 7d 8d Tc Td"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", HALF)
        await lia.answer("place_bet", HALF + 1)
        assert "split" in (await ned.asked())["actions"]
        await ned.answer("split")
        assert ned.balance == 0
        await ned.play("stand", "stand")
        assert set((await lia.asked())["actions"]) == {"hit", "stand"}
        assert await lia.refusal("split") == "not_enough_funds"


@pytest.mark.parametrize("upcard", ["Ad", "Kd"])
async def test_cpsc386_06_decided_before_insurance(tmp_path: Path, upcard: str) -> None:
    async with table(tmp_path, "ned21", stack=f"8s {upcard} 8h 9d Tc Td") as (ned,):
        assert await bet(ned) == {"split", "decline"}
        assert await ned.refusal("insure", 100) == "split_undecided"
        assert await ned.refusal("double") == "split_undecided"
        assert await ned.refusal("stand") == "split_undecided"
        await ned.answer("split")
        assert ned.story[4:] == ["1a Tc", "1b Td"]
        for hand in (0, 1):
            ask = await ned.asked()
            assert (ask["hand"], ask["actions"]) == (hand, ["insure", "decline"])
            await ned.play("decline", "stand")


async def test_cpsc386_06_a_split_that_was_declined_does_not_come_again(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="8s Ad 8h 9d") as (ned,):
        assert await bet(ned) == {"split", "decline"}
        await ned.answer("decline")
        assert (await ned.asked())["actions"] == ["insure", "decline"]
        await ned.answer("insure", 10)
        assert set((await ned.asked())["actions"]) == {"hit", "stand", "double"}
        assert await ned.refusal("split") == "not_the_first_decision"


async def test_cpsc386_06_the_halves_are_won_and_lost_for_themselves(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="8s 9d 8h 9c Ac Tc") as (ned,):
        await bet(ned)
        await ned.play("split", "stand", "stand")
        won = [(e["hand"], e["outcome"]) for e in ned.seen("hand_settled")]
        assert won == [(0, "win"), (1, "push")]
