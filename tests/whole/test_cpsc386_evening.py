"""Rows 13, 14 and 15 with the real commands: again, at what pace, in what company."""

import asyncio
import sys
import time
from pathlib import Path
from typing import IO

import pytest

from support.nursery import Child
from support.terminal import Terminal
from whole.guest import Guest
from whole.host import Host
from whole.test_bots import play
from whole.test_cpsc386_hotseat import pipe

ROUND = "Ts 9h 9s 8h "
"""Nothing is offered: 19 stands, and wins against 17."""
TOLD = 6
"""What is told after the bet: it is placed, the bets are closed, and four cards."""
TERMINAL_PACE = 0.15


def client(host: Host, *options: str) -> list[str]:
    server = ("--server", host.address)
    return [sys.executable, "-m", "bj_client", *server, *options]


def read_to(stream: IO[str], words: str) -> None:
    while words not in (line := stream.readline()):
        assert line, f"ended before {words!r}"


def test_cpsc386_13_one_player_is_asked_after_each_round(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--stack", ROUND * 3) as host:
        said = pipe(host, "1\ns\ny\n2\ns\nyes\n3\ns\nn\n", "--handle", "ned21")
    steps = [
        line.partition(" (")[0].partition(" The cut card")[0]
        for line in said
        if line.startswith(("The bets are closed", "Round", "Play again"))
        and not line.endswith("the bets are open.")
    ]
    deals = "The bets are closed and the dealer deals to ned21."
    assert steps == [
        step
        for number in (1, 2, 3)
        for step in (deals, f"Round {number} is over.", "Play again")
    ]
    assert said[-1].startswith("Good-bye, ned21: 3 rounds, 3 won, 0 lost")


def test_cpsc386_14_a_pace_can_be_set(tmp_path: Path) -> None:
    options = ("--plain", "--handle", "ned21", "--pace", "0.1")
    with (
        Host(tmp_path / "bank", "--stack", ROUND) as host,
        Child(*client(host, *options)[2:]) as process,
    ):
        read_to(process.stdout, "Bet (")
        began = time.monotonic()
        process.stdin.write("1\n")
        read_to(process.stdout, "Hit (h)")
        assert time.monotonic() - began >= 0.1 * TOLD
        process.stdin.close()
        assert process.wait() == 0


def test_cpsc386_14_a_terminal_shows_the_cards_at_a_readable_pace(
    tmp_path: Path,
) -> None:
    options = ("--line", "--handle", "ned21")
    with (
        Host(tmp_path / "bank", "--stack", ROUND) as host,
        Terminal(*client(host, *options)[2:], HOME=str(tmp_path)) as seat,
    ):
        seat.until("Bet (")
        began = time.monotonic()
        seat.answer("1", "Hit (h)")
        assert time.monotonic() - began >= TERMINAL_PACE * TOLD
        seat.answer("q", "Good-bye")
        assert seat.end() == 0


@pytest.mark.parametrize("who", ["a bot", "a pipe"])
def test_cpsc386_14_nobody_waits_for_bots_and_pipes(tmp_path: Path, who: str) -> None:
    with Host(tmp_path / "bank", "--seed", "3") as host:
        began = time.monotonic()
        if who == "a bot":
            said = play(host, tmp_path, "dealer", 30)
        else:
            said = pipe(host, "1\ns\ny\n" * 30, "--handle", "ned21")
        took = time.monotonic() - began
    assert len(said) > 200
    assert took < TERMINAL_PACE * len(said) / 2


def test_cpsc386_14_cards_are_shown_in_unicode(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--stack", "Ts Ah 9d Kc") as host:
        said = pipe(host, "1\nn\ns\nn\n", "--handle", "ned21", PYTHONIOENCODING="utf-8")
    for told in ("10♠: 10.", "A♥: soft 11.", "9♦: 19.", "hidden card, K♣: soft 21."):
        assert any(line.endswith(told) for line in said), told


async def test_cpsc386_15_a_bot_plays_along_with_a_person(tmp_path: Path) -> None:
    stack = "Ts Th 9d 9s 6h 8d Kc " * 2
    with Host(tmp_path / "bank", "--stack", stack) as host:
        ned = await Guest.sit(f"ws://{host.address}", "ned21")
        options = ("--handle", "tess", "--bot", "dealer", "--rounds", "2")
        bot = Child(*client(host, *options)[2:])
        while not ned.seen("player_joined"):
            await ned.hear()
        for _ in range(2):
            await ned.answer("place_bet", 5)
            await ned.answer("stand")
        assert (await asyncio.to_thread(bot.communicate))[1] == ""
        assert bot.returncode == 0
        await ned.look()
        assert [event["seats"] for event in ned.seen("round_began")] == [[1, 2]] * 2
        bets = [e["amount"] for e in ned.seen("bet_placed") if e["seat"] == 2]
        assert bets == [1_000, 1_000]
        # It draws on 16 as a dealer does, and busts.
        assert [event["seat"] for event in ned.seen("hand_busted")] == [2, 2]
        await ned.leave()


def test_cpsc386_15_a_bot_can_be_told_what_to_do(tmp_path: Path) -> None:
    stack = "Ts 9h 5s 8h Tc Td 9c 6s 8d"
    options = ("--bot", "threshold:16", "--bet", "25", "--rounds", "2")
    with Host(tmp_path / "bank", "--stack", stack) as host:
        said = pipe(host, "", "--handle", "tess", *options)
    assert said.count("tess bets $25.00.") == 2
    assert "tess gets 10♣: 25." in said  # at 15 it draws
    assert "tess stands with 16." in said
    assert said[-1].startswith("Good-bye, tess: 2 rounds, ")
