"""Money that the host gives in the middle of a round: true on every wire event."""

import asyncio
from pathlib import Path

import pytest

from bj_protocol.events import BetPlaced, GiftGiven, HandDoubled, HandSettled, HandSplit
from bj_server.settings import load_house
from bj_server.table.inbox import Give
from support.company import Company

BEGUN = "8s Th 8h 7c 3d 4c 9s 2h Td"


async def give(rig: Company, handle: str, dollars: int) -> None:
    done = asyncio.get_running_loop().create_future()
    rig.send(Give(handle, dollars * 100, done))
    assert await done


def funds_told(rig: Company) -> list[int]:
    """Return the dollars of each balance that was told, in order."""
    kinds = (BetPlaced, GiftGiven, HandSplit, HandDoubled, HandSettled)
    return [e.balance // 100 for e in rig.events if isinstance(e, kinds)]


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_14_9_a_gift_within_a_round_is_in_each_balance_after_it(
    tmp_path: Path, *, is_restarted: bool
) -> None:
    house = load_house("vegas-strip")
    with Company(tmp_path / "bank", house=house, stack=BEGUN) as rig:
        rig.watch()
        rig.join("ned21")
        rig.join("lia9")  # so that bets stay open for a while
        rig.bet("ned21", 100)
        await give(rig, "ned21", 7)
        rig.wait(31)
        await give(rig, "ned21", 50)
        if is_restarted:
            rig.restart()
            rig.join("ned21")
        while rig.is_asked("ned21") and rig.table.context.round == 1:
            legal = {action.value for action in rig.legal("ned21")}
            play = next(
                p for p in ("split", "double", "stand", "decline") if p in legal
            )
            rig.play("ned21", play)
            if play == "split":
                await give(rig, "ned21", 3)
        due = [9_857, 9_860] if is_restarted else [9_900, 9_907, 9_957, 9_857, 9_860]
        assert funds_told(rig)[: len(due)] == due
        assert funds_told(rig)[-1] == rig.balance("ned21")
        for player in rig.everyone():
            player.remarks += player.checker.finish()
            assert player.findings == []


async def test_a_question_may_be_older_than_a_gift_that_one_has_not_heard_of(
    tmp_path: Path,
) -> None:
    with Company(tmp_path / "bank", house=load_house("cpsc386")) as rig:
        rig.join("ned21")
        await give(rig, "ned21", 7)
        rig.join("lia9")
        rig.bet("lia9", 10)
        rig.bet("ned21", 10)
    for player in rig.everyone():
        assert player.findings == []
