"""Row 7 over the wire: when a stake may be doubled, and what comes of it."""

from pathlib import Path

from whole.guest import Guest, table


def stakes(guest: Guest) -> list[tuple[int, str, int, int]]:
    return [
        (e["hand"], e["outcome"], e["stake"], e["payout"])
        for e in guest.seen("hand_settled")
    ]


async def test_cpsc386_07_one_card_and_the_hand_ends(tmp_path: Path) -> None:
    stack = "4d 5s 9d Kh 6s 8d 2c Tc"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 100)
        await lia.answer("place_bet", 100)
        assert "double" in (await ned.asked())["actions"]
        await ned.answer("double")
        assert ned.story[6:] == ["1a 2c"]
        assert ned.turn is not None
        assert [ask["seat"] for ask in ned.turn["asks"]] == [2]
        assert ned.balance == 980_000
        await lia.answer("double")
        assert lia.story[7:] == ["2a Tc", "dealer turns 8d", "dealer stood 17"]
        assert stakes(lia) == [(0, "lose", 20_000, 0), (0, "win", 20_000, 40_000)]
        assert lia.balance == 1_020_000


async def test_cpsc386_07_a_double_that_busts_or_reaches_21_ends_too(
    tmp_path: Path,
) -> None:
    stack = "6s 6h 9d Ts 5h 8d Kc Jc"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 100)
        await lia.answer("place_bet", 100)
        await ned.answer("double")
        await lia.answer("double")
        assert [e["seat"] for e in lia.seen("hand_busted")] == [1]
        assert [e["seat"] for e in lia.seen("hand_reached_21")] == [2]
        assert stakes(lia) == [(0, "lose", 20_000, 0), (0, "win", 20_000, 40_000)]


async def test_cpsc386_07_never_later_than_at_the_start_of_the_turn(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="2s 9d 3s 8d 4s 5s") as (ned,):
        await ned.answer("place_bet", 100)
        for _ in range(2):
            await ned.answer("hit")
            assert (await ned.asked())["actions"] == ["hit", "stand"]
            assert await ned.refusal("double") == "not_the_first_decision"


async def test_cpsc386_07_only_with_funds_for_as_much_again(tmp_path: Path) -> None:
    stack = "5s 5h 9d 6s 6h 8d 9c"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 5_000)
        await lia.answer("place_bet", 5_001)
        await ned.answer("double")
        assert ned.balance == 0
        assert (await lia.asked())["actions"] == ["hit", "stand"]
        assert await lia.refusal("double") == "not_enough_funds"
        await lia.answer("stand")
        assert stakes(lia) == [
            (0, "win", 1_000_000, 2_000_000),
            (0, "lose", 500_100, 0),
        ]


async def test_cpsc386_07_what_insures_a_hand_is_not_there_to_double_it(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="5s Ad 6s 8d") as (ned,):
        await ned.answer("place_bet", 4_000)
        await ned.answer("insure", 2_001)
        assert (await ned.asked())["actions"] == ["hit", "stand"]
        assert await ned.refusal("double") == "not_enough_funds"


async def test_cpsc386_07_each_hand_of_a_split_is_doubled_for_itself(
    tmp_path: Path,
) -> None:
    stack = "8s 9d 8h 8d 3s 2h Td 7c"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        await ned.answer("place_bet", 100)
        await ned.answer("split")
        await ned.answer("double")
        (seat,) = (await ned.look())["seats"]
        assert [hand["stake"] for hand in seat["hands"]] == [20_000, 10_000]
        assert ned.story[6:] == ["1a Td"]
        ask = await ned.asked()
        assert (ask["hand"], set(ask["actions"])) == (1, {"hit", "stand", "double"})
        await ned.answer("hit")
        assert await ned.refusal("double") == "not_the_first_decision"
        await ned.answer("stand")
        assert stakes(ned) == [(0, "win", 20_000, 40_000), (1, "push", 10_000, 10_000)]


async def test_cpsc386_07_both_hands_of_a_split_may_be_doubled(tmp_path: Path) -> None:
    stack = "8s 9d 8h 8d 3s 2h Td 9c"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        await ned.answer("place_bet", 2_500)
        await ned.play("split", "double", "double")
        assert ned.story[6:8] == ["1a Td", "1b 9c"]
        assert stakes(ned) == [
            (0, "win", 500_000, 1_000_000),
            (1, "win", 500_000, 1_000_000),
        ]


async def test_cpsc386_07_the_second_hand_needs_funds_of_its_own(
    tmp_path: Path,
) -> None:
    stack = "8s 9d 8h 8d 3s 2h Td"
    async with table(tmp_path, "ned21", stack=stack) as (ned,):
        await ned.answer("place_bet", 3_000)
        await ned.play("split", "double")
        ask = await ned.asked()
        assert (ask["hand"], ask["actions"]) == (1, ["hit", "stand"])
        assert await ned.refusal("double") == "not_enough_funds"
