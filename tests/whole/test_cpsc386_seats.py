"""Rows 1, 3 and 4 over the wire: who sits, what they stake, how it is dealt."""

import json
from pathlib import Path

import pytest

from support.serving import join, read, serving
from whole.guest import Guest, table

FOUR = ("dora", "carl", "bea", "abe")


async def test_cpsc386_01_a_table_has_four_seats_and_a_fifth_player_is_refused(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "bank") as uri:
        guests = [await Guest.sit(uri, handle) for handle in FOUR]
        assert [guest.seat for guest in guests] == [1, 2, 3, 4]
        assert [guest.snapshot["you"]["handle"] for guest in guests] == list(FOUR)
        assert guests[0].snapshot["seat_count"] == 4
        line = await join(uri, "ned21")
        assert (await read(line))["code"] == "table_full"
        for each in (*(guest.line for guest in guests), line):
            await each.close()


@pytest.mark.parametrize("handle", ["", " ", "a b"])
async def test_cpsc386_01_nobody_plays_without_a_handle(
    tmp_path: Path, handle: str
) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri, handle)
        assert (await read(line))["code"] == "bad_handle"
        await line.close()


async def test_cpsc386_01_turns_go_by_seat_and_the_dealer_who_has_a_name_is_last(
    tmp_path: Path,
) -> None:
    stack = "Ts Th Td Tc 9s 9h 9d 9c 8h 8d"
    async with table(tmp_path, *FOUR, stack=stack) as guests:
        assert guests[0].snapshot["dealer"]["name"] == "Dealer"
        for guest in reversed(guests):
            await guest.answer("place_bet", 10)
        for guest in guests:
            assert (await guest.asked())["seat"] == guest.seat
            assert guest.turn is not None
            assert len(guest.turn["asks"]) == 1
            assert guest.seen("hole_revealed") == []
            await guest.answer("stand")
        last = guests[-1]
        assert [event["seat"] for event in last.seen("hand_stood")] == [1, 2, 3, 4]
        stood, turned = last.seen("hand_stood")[-1], last.seen("hole_revealed")[0]
        assert last.events.index(stood) + 1 == last.events.index(turned)


async def test_cpsc386_03_every_wager_is_made_before_any_card(tmp_path: Path) -> None:
    async with table(tmp_path, "ned21", "lia9") as (ned, lia):
        await ned.answer("place_bet", 5)
        await lia.asked()
        for guest in (ned, lia):
            assert guest.seen("card_dealt", "round_began") == []
            assert (await guest.look())["phase"] == "betting"
        await lia.answer("place_bet", 7)
        kinds = [event["type"] for event in lia.events if event["type"] != "bet_placed"]
        assert kinds[:2] == ["round_began", "card_dealt"]
        bets = [(e["seat"], e["amount"]) for e in lia.seen("bet_placed")]
        assert bets == [(1, 500), (2, 700)]
        last = lia.events.index(lia.seen("bet_placed")[-1])
        assert last < lia.events.index(lia.seen("round_began")[0])


async def test_cpsc386_03_a_wager_is_a_dollar_at_least_and_the_balance_at_most(
    tmp_path: Path,
) -> None:
    stack = "Ts Th 9h 9s 9c 8h"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        for cents in (0, -100, 99, 1):
            assert await ned.refusal("place_bet", cents) == "below_minimum"
        for cents in (1_000_001, 1_000_100, 10**12):
            assert await ned.refusal("place_bet", cents) == "above_maximum"
        wager = (await ned.asked())["wager"]
        assert (wager["minimum"], wager["maximum"]) == (100, 1_000_000)
        await ned.answer("place_bet", 1)
        await lia.answer("place_bet", 10_000)
        assert (ned.balance, lia.balance) == (999_900, 0)
        await ned.answer("stand")
        await lia.answer("stand")
        assert (await lia.asked())["wager"]["maximum"] == 2_000_000
        assert await lia.refusal("place_bet", 2_000_100) == "above_maximum"
        await lia.answer("place_bet", 20_000)
        assert lia.balance == 0


async def test_cpsc386_04_dealt_one_by_one_to_the_dealer_twice(tmp_path: Path) -> None:
    stack = "2s 3h 4d 5c 6s 7h 8d 9c"
    async with table(tmp_path, "ned21", "lia9", "tess", stack=stack) as guests:
        for guest in guests:
            await guest.answer("place_bet", 1)
        for guest in guests:
            await guest.look()
            assert guest.story == [
                *("1a 2s", "2a 3h", "3a 4d", "dealer 5c"),
                *("1a 6s", "2a 7h", "3a 8d", "dealer ??"),
            ]


async def test_cpsc386_04_the_hole_card_is_told_to_nobody_before_it_is_turned(
    tmp_path: Path,
) -> None:
    stack = "Ts 9s 9h 9c 8s Jc"
    async with table(tmp_path, "ned21", "lia9", stack=stack) as (ned, lia):
        await ned.answer("place_bet", 1)
        await lia.answer("place_bet", 1)
        await ned.answer("stand")
        await lia.asked()
        late = await Guest.sit(ned.uri, "tess")
        told = [await guest.look() for guest in (ned, lia, late)]
        for picture in told:
            dealer = picture["dealer"]
            assert (dealer["cards"], dealer["total"]) == (["9h", "??"], 9)
        assert "Jc" not in json.dumps([told, ned.events, lia.events, late.snapshot])
        await lia.answer("stand")
        assert [event["card"] for event in lia.seen("hole_revealed")] == ["Jc"]
        await late.line.close()


async def test_cpsc386_04_every_card_is_shown_as_it_is_dealt(tmp_path: Path) -> None:
    async with table(tmp_path, "ned21", stack="2s 6h 3s Td 4s 5s 9c") as (ned,):
        await ned.answer("place_bet", 1)
        for count in (5, 6):
            await ned.answer("hit")
            assert len(ned.story) == count
        await ned.answer("stand")
        assert ned.story[4:] == [
            *("1a 4s", "1a 5s", "dealer turns Td", "dealer 9c", "dealer busted 25")
        ]
        totals = [e["total"] for e in ned.seen("card_dealt") if e["seat"] == 1]
        assert totals == [2, 5, 9, 14]
