"""The rows of ``specs/cs220.txt``, by the shipped commands and over the wire.

Row 7 is in ``test_cs220_summary.py``, and what people's own strategies may do, of rows
2 to 4, in ``test_bots.py``.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bj_client.bot.bot import SHIPPED
from bj_protocol.refusal import CloseCode
from support.nursery import Child, run_quickly
from support.serving import join, read, serving
from whole.guest import Guest, table
from whole.host import Host

HOUSE = ("--house", "cs220")


def client(address: str, handle: str, *options: str) -> list[str]:
    place = ["--plain", "--ascii", "--server", address, "--handle", handle]
    return [sys.executable, "-m", "bj_client", *place, *options]


def bot(host: Host, name: str, rounds: int, handle: str = "ned21") -> str:
    """Let a bot play, and return what is printed, which are the summaries."""
    options = ("--style", "cs220", "--bot", name, "--rounds", str(rounds))
    done = run_quickly(
        client(host.address, handle, *options),
        timeout=60,
    )
    # The one that cheats is told of, and ends as a bot with faults does.
    assert (done.returncode, done.stderr) == (13 if name == "cheating" else 0, "")
    return done.stdout


async def seat_bot(ned: Guest, handle: str, name: str) -> Child:
    """Start a bot for one round, and wait until ned21 has heard of its bet."""
    bets = len(ned.seen("bet_placed"))
    address = ned.uri.removeprefix("ws://")
    process = Child(*client(address, handle, "--bot", name, "--rounds", "1")[2:])
    while len(ned.seen("bet_placed")) == bets:
        await ned.hear()
    return process


async def send(guest: Guest, kind: str, **fields: Any) -> dict[str, Any]:
    """Send a message of any form, and return what comes of it."""
    await guest.line.send(json.dumps({"type": kind, **fields}))
    return await guest.hear()


async def test_cs220_01_players_have_handles_and_strategies_of_their_own(
    tmp_path: Path,
) -> None:
    stack = "Ts 9s Th 6h Tc 6c Td 7d 5s"
    async with table(tmp_path, "ned21", stack=stack, options=HOUSE) as (ned,):
        bots = [
            await seat_bot(ned, "lia9", "threshold:17"),
            await seat_bot(ned, "tess", "conservative"),
        ]
        await ned.answer("place_bet", 10)
        await ned.play("stand")
        while not ned.seen("round_ended"):
            await ned.hear()
        told = [await asyncio.to_thread(process.communicate) for process in bots]
    lia, tess = [said for said, _ in told]
    assert [process.returncode for process in bots] == [0, 0]
    for said in (lia, tess):
        assert "deals to ned21, lia9 and tess." in said
        assert "lia9 wins $10.00 with 21" in said
        assert "tess loses $10.00 with 16" in said
    assert [event["outcome"] for event in ned.seen("hand_settled")] == [
        *("win", "win", "lose")
    ]


async def test_cs220_01_seven_play_at_one_table_and_an_eighth_is_refused(
    tmp_path: Path,
) -> None:
    handles = [f"player{number}" for number in range(1, 8)]
    async with table(tmp_path, *handles, options=HOUSE) as guests:
        assert [guest.seat for guest in guests] == list(range(1, 8))
        line = await join(guests[0].uri, "eighth")
        assert (await read(line))["code"] == "table_full"
        await line.close()


@pytest.mark.parametrize("second", ["ned21", "NED21"])
async def test_cs220_01_a_second_ned21_is_refused(tmp_path: Path, second: str) -> None:
    async with table(tmp_path, "ned21", options=HOUSE) as (ned,):
        await ned.answer("place_bet", 10)
        before = await ned.look()
        done = await asyncio.to_thread(
            run_quickly,
            client(ned.uri.removeprefix("ws://"), second),
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "elsewhere")},
        )
        assert (done.returncode, done.stdout) == (8, "")
        sentence = f"The handle {second} has another key at this server "
        assert done.stderr.startswith(sentence)
        assert f"{tmp_path}/elsewhere/blackjack/keys/localhost:" in done.stderr
        after = await ned.look()
        assert after["seats"] == before["seats"]
        assert ned.line.close_code is None


@pytest.mark.parametrize("second", ["ned21", "NED21"])
async def test_cs220_01_ned21_again_takes_his_own_seat_over(
    tmp_path: Path, second: str
) -> None:
    async with table(tmp_path, "ned21", options=HOUSE) as (ned,):
        again = await Guest.sit(ned.uri, second)
        assert [seat["handle"] for seat in again.snapshot["seats"]] == ["ned21"]
        assert (again.seat, again.balance) == (ned.seat, ned.balance)
        await ned.line.wait_closed()
        assert ned.line.close_code == CloseCode.TAKEN_OVER
        await again.line.close()


@pytest.mark.parametrize("second", ["ned21", "NED21"])
async def test_cs220_01_a_second_ned21_is_refused_at_another_table(
    tmp_path: Path, second: str
) -> None:
    tables = ("--table", "main", "--table", "quiet")
    options = ("--table", "quiet")
    with Host(tmp_path / "bank", *HOUSE, *tables) as host:
        ned = await Guest.sit(f"ws://{host.address}", "ned21")
        host.hand_over("ned21")
        done = await asyncio.to_thread(
            run_quickly, client(host.address, second, *options)
        )
        assert done.returncode == 4
        assert done.stderr == "This handle sits at table main; leave it first.\n"
        await ned.leave()


@pytest.mark.parametrize("second", ["ned21", "NED21"])
def test_cs220_01_a_second_ned21_is_refused_at_one_keyboard(second: str) -> None:
    done = run_quickly(
        client("127.0.0.1:1", "ned21", "--handle", second),
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "a handle is given twice, and capitals count as small" in done.stderr


async def test_cs220_01_a_bet_is_whole_money_and_at_most_the_balance(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, "ned21", options=HOUSE) as (ned,):
        assert ned.balance == 10_000
        for cents in (-100, 0, 1, 99):
            assert await ned.refusal("place_bet", cents) == "below_minimum"
        for cents in (150, 1050, 9_999):
            assert await ned.refusal("place_bet", cents) == "not_a_whole_step"
        for cents in (10_001, 10_100, 1_000_000):
            assert await ned.refusal("place_bet", cents) == "above_maximum"
        await ned.answer("place_bet", 100)
        assert ned.balance == 0


def test_cs220_01_a_wrong_bet_is_explained_and_asked_for_again(tmp_path: Path) -> None:
    wrong = ["0", "-1", "10.50", "101", "ten", ""]
    with Host(tmp_path / "bank", *HOUSE, "--stack", "Ts 9s 9h 9d") as host:
        done = run_quickly(
            client(host.address, "ned21"),
            input="".join(f"{line}\n" for line in [*wrong, "10", "s", "n"]),
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (0, "")
    asked = done.stdout.count("Bet ($1 to $100, o to sit out)?\n")
    assert asked == len(wrong) + 1
    assert done.stdout.count("ned21 bets ") == 1
    assert "ned21 wins $10.00 with 19" in done.stdout


async def test_cs220_01_there_is_one_bet_in_a_game(tmp_path: Path) -> None:
    stack = "8s 8d 7d 8h As 9h Ts"
    async with table(tmp_path, "ned21", "lia9", stack=stack, options=HOUSE) as guests:
        ned, lia = guests
        prompt = (await ned.asked())["prompt"]
        await ned.answer("place_bet", 10)
        again = await send(ned, "place_bet", prompt=prompt, amount=1000)
        assert again["type"] == "answered"
        more = await send(ned, "place_bet", prompt=prompt + 7, amount=1000)
        assert more["code"] == "not_asked"
        assert (await ned.look())["seats"][0]["balance"] == 9_000
        await lia.answer("place_bet", 10)
        assert await ned.refusal("place_bet", 1000) == "wrong_answer"
        assert await ned.refusal("insure", 500) == "insurance_not_offered"
        assert await ned.refusal("double") == "not_in_this_house"
        assert await ned.refusal("split") == "not_in_this_house"
        await ned.play("stand")
        await lia.play("stand")
        bets = [event for event in lia.seen("bet_placed") if event["seat"] == 1]
        assert [event["amount"] for event in bets] == [1000]
        assert {event["stake"] for event in lia.seen("hand_settled")} == {1000}


def test_cs220_02_every_shipped_strategy_plays_a_game(tmp_path: Path) -> None:
    assert {"conservative", "random", "counting", "cheating"} <= set(SHIPPED)
    with Host(tmp_path / "bank", *HOUSE, "--seed", "5") as host:
        for name in SHIPPED:
            said = bot(host, name, 1, handle=name)
            assert said.count("$$$$$ Game Summary  $$$$$$\nDealer:\nscore: ") == 1
            assert f"\n\nPlayer: {name}\nscore: " in said
            assert "\nPlayer assets:\nbet " in said


def test_cs220_03_a_player_that_spoils_what_it_gets_changes_nothing(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank", *HOUSE, "--seed", "5") as host:
        said = bot(host, "cheating", 10)
    bets = [line.split()[1] for line in said.splitlines() if line.startswith("bet ")]
    assert len(bets) == 10
    # It begins with 100, and stakes all of it twice: never what it wrote into its bank.
    assert all(bet.isdecimal() and int(bet) <= 400 for bet in bets)


async def test_cs220_04_the_hole_card_is_told_only_when_it_is_turned(
    tmp_path: Path,
) -> None:
    stack = "Ts 2s 9h 8d 3s 4s"
    async with table(tmp_path, "ned21", stack=stack, options=HOUSE) as (ned,):
        await ned.answer("place_bet", 10)
        await ned.play("hit")
        dealt = [event["card"] for event in ned.seen("card_dealt")]
        assert dealt == ["Ts", "2s", "9h", "??", "3s"]
        assert (await ned.look())["dealer"]["cards"] == ["9h", "??"]
        assert not ned.seen("hole_revealed")
        await ned.play("stand")
        assert [event["card"] for event in ned.seen("hole_revealed")] == ["8d"]


@pytest.mark.parametrize(
    ("choice", "total", "state"), [("ace_high", 23, "busted"), ("ace_low", 13, None)]
)
async def test_cs220_05_the_player_says_what_an_ace_counts(
    tmp_path: Path, choice: str, total: int, state: str | None
) -> None:
    stack = "5s 7s 9h 8h As"
    async with table(tmp_path, "ned21", stack=stack, options=HOUSE) as (ned,):
        await ned.answer("place_bet", 10)
        await ned.play("hit", choice)
        valued = ned.seen("aces_valued")
        assert [event["total"] for event in valued] == [total]
        settled = [event["reason"] for event in ned.seen("hand_settled")]
        assert settled == ([] if state is None else [state])


def test_cs220_06_a_seeded_deck_is_the_same_on_two_servers(tmp_path: Path) -> None:
    games = []
    for number, seed in enumerate(("12345", "12345", "54321")):
        with Host(tmp_path / str(number), *HOUSE, "--seed", seed) as host:
            games.append(bot(host, "conservative", 8))
    assert games[0] == games[1] != games[2]
    cards = {part for part in games[0].split("Card(") if part.startswith("rank=")}
    assert len(cards) > 20


@pytest.mark.parametrize(
    ("stack", "plays", "dealer", "outcome", "balance"),
    [
        ("Ts 8s 9h 9d", ["stand"], 18, "lose", 7_000),
        ("Ts 9s 9h 9d", ["stand"], 18, "win", 13_000),
        ("As Kd 9h 8h", ["ace_high"], 17, "win", 13_000),
        ("As Kd Ah Kh", ["ace_high"], 21, "lose", 7_000),
        ("Ts 9s 2h 3d 4c 5c 2c Tc", ["stand"], 26, "win", 13_000),
        ("Ts 9s 6h Ah", ["stand"], 17, "win", 13_000),
        ("Ts 9s 5h Ah Td 3c", ["stand"], 19, "lose", 7_000),
        ("Ts 9s 2h 3d Kc 9h 8c", ["hit"], 22, "lose", 7_000),
    ],
    ids=[
        "a tie loses",
        "a win pays as much as the bet",
        "a natural pays no more",
        "a natural is any 21, and ties",
        "the dealer draws to 17, and busts",
        "the dealer counts an ace 11",
        "unless that busts",
        "the dealer draws although the player is bust",
    ],
)
async def test_cs220_06_the_dealer_draws_to_17_and_a_win_is_as_much_as_the_bet(
    tmp_path: Path,
    stack: str,
    plays: list[str],
    dealer: int,
    outcome: str,
    balance: int,
) -> None:
    async with table(tmp_path, "ned21", stack=stack, options=HOUSE) as (ned,):
        await ned.answer("place_bet", 30)
        await ned.play(*plays)
        (ended,) = ned.seen("dealer_stood", "dealer_busted")
        (settled,) = ned.seen("hand_settled")
        assert (ended["total"], settled["outcome"]) == (dealer, outcome)
        assert ned.balance == balance


async def test_cs220_06_each_game_is_drawn_from_all_52_cards(tmp_path: Path) -> None:
    async with serving(tmp_path / "bank", *HOUSE, "--seed", "5") as uri:
        ned = await Guest.sit(uri, "ned21")
        for _ in range(3):
            while "place_bet" not in (await ned.asked())["actions"]:
                aces = "ace_low" in (await ned.asked())["actions"]
                await ned.answer("ace_low" if aces else "stand")
            await ned.answer("place_bet", 1)
        shuffled = ned.seen("shoe_shuffled")
        assert len(shuffled) >= 2
        assert {(each["decks"], each["cards"]) for each in shuffled} == {(1, 52)}
        await ned.line.close()
