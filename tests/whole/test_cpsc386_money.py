"""Rows 10, 11 and 12: what is paid, what a player begins with, and what remains."""

from pathlib import Path

import pytest

from support.serving import serving
from whole.guest import Guest, table
from whole.host import Host
from whole.test_cpsc386_hotseat import pipe

HUNDRED = 10_000
START = 1_000_000


@pytest.mark.parametrize(
    ("cards", "answers", "reason", "payout"),
    [
        ("Ts 9d 9s 9h", "stand", "higher_total", 20_000),
        ("Ts 9d 8s 7h Kc", "stand", "dealer_busted", 20_000),
        ("5s 9d 6s 9h Tc", "hit", "higher_total", 20_000),
        ("As 9d Ks 9h", "", "higher_total", 20_000),
        ("As 9d Ks 7h Kc", "", "dealer_busted", 20_000),
        ("5s 9d 6s 9h Tc", "double", "higher_total", 40_000),
        ("Ts 9d 8s 9h", "stand", "same_total", 10_000),
        ("5s 9d 6s 9h 7c", "double", "same_total", 20_000),
        ("As Td Ks Ah", "decline", "same_total", 10_000),
        ("5s Td 6s Ah Tc", "decline hit", "twenty_one_ties_blackjack", 10_000),
        ("As 9d Ks 7h 5c", "", "same_total", 10_000),
        ("Ts 9d 7s 9h", "stand", "lower_total", 0),
        ("Ts 9d 6s 9h 6c", "hit", "busted", 0),
        ("5s 9d 6s 9h 2c", "double", "lower_total", 0),
        ("Ts Td 9s Ah", "decline stand", "dealer_blackjack", 0),
    ],
)
async def test_cpsc386_10_a_win_pays_even_money_and_a_push_returns_the_wager(
    tmp_path: Path, cards: str, answers: str, reason: str, payout: int
) -> None:
    async with table(tmp_path, "ned21", stack=cards) as (ned,):
        await ned.answer("place_bet", 100)
        await ned.play(*answers.split())
        (settled,) = ned.seen("hand_settled")
        stake = 20_000 if answers == "double" else HUNDRED
        outcome = {0: "lose", stake: "push", 2 * stake: "win"}[payout]
        assert (settled["outcome"], settled["reason"]) == (outcome, reason)
        assert (settled["stake"], settled["payout"]) == (stake, payout)
        assert ned.balance == START - stake + payout


@pytest.mark.parametrize(
    ("cards", "outcome", "payout"),
    [
        ("Ts Ad 9s Kh", "win", 20_000),
        ("Ts Kd 9s Ah", "win", 20_000),
        ("As Ad Ks Kh", "win", 20_000),
        ("Ts Ad 9s 9h", "lose", 0),
        ("Ts Kd 9s 5h 6c", "lose", 0),
        ("Ts Ad 9s 5h 5c", "lose", 0),
        ("Ts Kd 9s 6h Tc", "lose", 0),
    ],
)
async def test_cpsc386_10_insurance_wins_only_against_a_blackjack(
    tmp_path: Path, cards: str, outcome: str, payout: int
) -> None:
    async with table(tmp_path, "ned21", stack=cards) as (ned,):
        await ned.answer("place_bet", 100)
        await ned.answer("insure", 100)
        if "stand" in (await ned.asked())["actions"]:
            await ned.answer("stand")
        (settled,) = ned.seen("insurance_settled")
        told = (settled["outcome"], settled["amount"], settled["payout"])
        assert told == (outcome, HUNDRED, payout)


async def test_cpsc386_10_insurance_wins_for_a_hand_that_is_bust_too(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="Ts Ad 6s Kh Tc") as (ned,):
        await ned.answer("place_bet", 100)
        await ned.answer("insure", 30)
        await ned.answer("hit")
        assert [e["reason"] for e in ned.seen("hand_settled")] == ["busted"]
        assert [e["payout"] for e in ned.seen("insurance_settled")] == [6_000]
        assert ned.balance == START - HUNDRED + 3_000


async def test_cpsc386_11_everyone_begins_with_10_000_dollars(tmp_path: Path) -> None:
    async with table(tmp_path, "ned21", "lia9") as (ned, lia):
        assert (ned.balance, lia.balance) == (START, START)
        await ned.answer("place_bet", 10_000)
        assert ned.balance == 0


async def test_cpsc386_11_a_broke_player_is_offered_10_000_by_a_donor(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", stack="Ts 9d 7s 9h") as (ned,):
        await ned.answer("place_bet", 10_000)
        await ned.answer("stand")
        ask = await ned.asked()
        assert (ask["actions"], ask["gift"]) == (["accept_gift", "sit_out"], START)
        assert await ned.refusal("place_bet", 100) == "wrong_answer"
        await ned.answer("accept_gift")
        assert [(e["seat"], e["amount"]) for e in ned.seen("gift_given")] == [
            (1, START)
        ]
        ask = await ned.asked()
        assert (ask["actions"][0], ask["wager"]["maximum"]) == ("place_bet", START)
        assert await ned.refusal("accept_gift") == "wrong_answer"


async def lose_a_dollar(guest: Guest) -> None:
    await guest.answer("place_bet", 1)
    await guest.answer("hit")


async def test_cpsc386_11_a_wait_in_rounds_before_that_can_be_set(
    tmp_path: Path,
) -> None:
    rules = tmp_path / "patient.toml"
    rules.write_text('name = "patient"\ntitle = "Waits"\ndonor_wait_rounds = 2\n')
    stack = "Ts Th 9d 7s 6h 9h Tc " + "Th 9d 6h 9h Tc " * 2
    options = ("--house", str(rules))
    handles = ("ned21", "lia9")
    async with table(tmp_path, *handles, stack=stack, options=options) as (ned, lia):
        await ned.answer("place_bet", 10_000)
        await lia.answer("place_bet", 1)
        await ned.answer("stand")
        await lia.answer("hit")
        for _ in range(2):
            assert lia.turn is not None
            assert [ask["seat"] for ask in lia.turn["asks"]] == [2]
            await lose_a_dollar(lia)
        ask = await ned.asked()
        assert ned.seen("round_ended")[-1]["round"] == 3
        assert (ask["actions"], ask["gift"]) == (["accept_gift", "sit_out"], START)


async def test_cpsc386_12_a_balance_comes_back_after_leaving(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", "--stack", "Ts 9d 9s 9h") as uri:
        ned = await Guest.sit(uri, "Ned@example.org")
        await ned.answer("place_bet", 100)
        await ned.answer("stand")
        await ned.leave()
        for handle in ("ned@example.org", "NED@Example.ORG"):
            again = await Guest.sit(uri, handle)
            assert again.snapshot["you"]["handle"] == "ned@example.org"
            assert again.balance == START + HUNDRED
            await again.leave()
        other = await Guest.sit(uri, "ned")
        assert other.balance == START
        await other.leave()


async def test_cpsc386_12_balances_come_back_after_a_restart_of_the_server(
    tmp_path: Path,
) -> None:
    bank = tmp_path / "bank"
    with Host(bank, "--stack", "Ts Th 9d 9s 7h 9h") as host:
        guests = [
            await Guest.sit(f"ws://{host.address}", name) for name in ("Ned21", "lia9")
        ]
        for guest in guests:
            await guest.answer("place_bet", 100)
        for guest in guests:
            await guest.answer("stand")
        for guest in guests:
            await guest.leave()
    with Host(bank) as host:
        host.hand_over("ned21", "lia9")
        said = pipe(host, "", "--handle", "LIA9", "--handle", "nED21")
    assert said[0] == "Welcome, lia9: table main, seat 1, bank $9,900.00."
    assert said[1] == "Welcome, ned21: table main, seat 2, bank $10,100.00."
