"""The transcripts of ``specs/cs1114.txt`` to the letter, by the shipped commands."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.nursery import run_quickly
from support.terminal import Terminal
from whole.host import Host

if TYPE_CHECKING:
    import subprocess

WELCOME = "Let's Play Blackjack!\n\n"
GOODBYE = "Goodbye.\n"

BABY_WIN = """\
Let's Play Blackjack!

Player drew 7 and 8.
Player's total is 15.

The dealer has Q and 3.
Dealer's total is 13.

YOU WIN!

"""

BABY_LOSE = """\
Let's Play Blackjack!

Player drew 8 and 3.
Player's total is 11.

The dealer has 6 and 9.
Dealer's total is 15.

YOU LOSE!

"""

FULL_WIN = """\
Let's Play Blackjack!

Player drew J and 3.
Player's total is 13.

Hit (h) or Stay (s)? e

Hit (h) or Stay (s)? b

Hit (h) or Stay (s)? h

Player drew 1.
Player's total is 14.

Hit (h) or Stay (s)? h

Player drew 2.
Player's total is 16.

Hit (h) or Stay (s)? h

Player drew 3.
Player's total is 19.

Hit (h) or Stay (s)? s

The dealer has 2 and 6.
Dealer's total is 8.

Dealer drew 9.
Dealer's total is 17.

YOU WIN!

Play again (Y/N)?"""

FULL_BUST = """\
Let's Play Blackjack!

Player drew Q and 3.
Player's total is 13.

Hit (h) or Stay (s)? h

Player drew 1.
Player's total is 14.

Hit (h) or Stay (s)? h

Player drew 2.
Player's total is 16.

Hit (h) or Stay (s)? h

Player drew 3.
Player's total is 19.

Hit (h) or Stay (s)? h

Player drew K.
Player's total is 29.

YOU LOSE!

Play again (Y/N)?"""

INVALID = """\
Play again (Y/N)? y

Play again (Y/N)? n

Play again (Y/N)? b

Play again (Y/N)? N

Goodbye.
"""

ANOTHER = """\
YOU LOSE!

Play again (Y/N)? Y

Player drew J and 5.
Player's total is 15.

Hit (h) or Stay (s)? h

Player drew 3.
Player's total is 18.

Hit (h) or Stay (s)? s

The dealer has 2 and 6.
Dealer's total is 8.

Dealer drew 9.
Dealer's total is 17.

YOU WIN!

Play again (Y/N)?"""

WIN_STACK = "Js 3s As 2s 3d 2h 6h 9h"
BUST_STACK = "Qs 3s As 2s 3d Kh"
ANOTHER_STACK = f"{BUST_STACK} Jd 5d 3c 2h 6h 9h"


def run(host: Host, typed: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """Play with ``typed`` as the piped input."""
    place = ["--plain", "--style", "cs1114", "--server", host.address]
    who = options or ("--handle", "ned21")
    return run_quickly(
        [sys.executable, "-m", "bj_client", *place, *who],
        input=typed,
        timeout=60,
    )


def transcript(
    bank: Path, typed: str, *options: str, house: str = "cs1114", by: str = "--stack"
) -> str:
    """Return what a whole visit to a house prints, which is nothing but that."""
    with Host(bank, "--house", house, by, *options) as host:
        done = run(host, typed)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def lines(*typed: str) -> str:
    return "".join(line + "\n" for line in typed)


@pytest.mark.parametrize(
    ("stack", "printed"),
    [("7s 8s Qs 3d", BABY_WIN), ("8s 3s 6s 9d", BABY_LOSE)],
)
def test_cs1114_01_baby_ends_after_one_game(
    tmp_path: Path, stack: str, printed: str
) -> None:
    said = transcript(tmp_path / "bank", "", stack, house="cs1114-baby")
    assert said == printed + GOODBYE


def test_cs1114_01_baby_loses_a_tie(tmp_path: Path) -> None:
    said = transcript(tmp_path / "bank", "", "7s 8s Ts 5d", house="cs1114-baby")
    assert "The dealer has 10 and 5.\n" in said
    assert said.endswith("\n\nYOU LOSE!\n\nGoodbye.\n")


def test_cs1114_02_prompts_are_repeated_until_valid(tmp_path: Path) -> None:
    wrong = ["", "H", "S", " h", "h ", "hit", "q", "?", "t", "\x1b[2J", "9" * 5000]
    again = ["", "y", "n", "Y ", " N", "yes", "q", "b"]
    said = transcript(
        tmp_path / "bank",
        lines(*wrong, "s", *again, "N"),
        "Ts 9s 8h 9h",
    )
    assert said.count("Hit (h) or Stay (s)? ") == len(wrong) + 1
    assert said.count("Play again (Y/N)? ") == len(again) + 1
    assert said.count("\n\nHit (h) or Stay (s)? q\n\n") == 1
    assert said.endswith("Play again (Y/N)? N\n\nGoodbye.\n")
    assert "\x1b" not in said


def test_cs1114_02_no_prompt_at_21_and_a_tie_at_21_is_lost(tmp_path: Path) -> None:
    said = transcript(tmp_path / "bank", lines("h", "N"), "Ts 6s 5h 4d Qd 7c")
    assert said == (
        WELCOME + "Player drew 10 and 6.\nPlayer's total is 16.\n\n"
        "Hit (h) or Stay (s)? h\n\nPlayer drew 5.\nPlayer's total is 21.\n\n"
        "The dealer has 4 and Q.\nDealer's total is 14.\n\n"
        "Dealer drew 7.\nDealer's total is 21.\n\nYOU LOSE!\n\n"
        "Play again (Y/N)? N\n\nGoodbye.\n"
    )


def test_cs1114_02_a_dealer_who_busts_loses(tmp_path: Path) -> None:
    said = transcript(tmp_path / "bank", lines("s", "N"), "2s 3s Th 6d Qd")
    assert "Dealer drew Q.\nDealer's total is 26.\n\nYOU WIN!\n\n" in said


def test_cs1114_02_the_end_of_the_input_leaves_in_order(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "cs1114", "--stack", WIN_STACK) as host:
        done = run(host, lines("h"))
    assert done.returncode == 0
    assert done.stdout.endswith("14.\n\nHit (h) or Stay (s)? \n\nGoodbye.\n")


def test_cs1114_02_the_text_goes_on_when_the_time_is_up(tmp_path: Path) -> None:
    house = ("--house", "cs1114", "--stack", WIN_STACK, "--turn-seconds", "1")
    options = ["--style", "cs1114", "--handle", "ned21", "--server"]
    with (
        Host(tmp_path / "bank", *house) as host,
        Terminal("bj_client", *options, host.address) as terminal,
    ):
        terminal.until("Play again (Y/N)?")
        terminal.answer("N", "Goodbye.")
        assert terminal.end() == 0
    assert terminal.text == (
        WELCOME + "Player drew J and 3.\nPlayer's total is 13.\n\n"
        "Hit (h) or Stay (s)?\n\nThe dealer has 1 and 2.\nDealer's total is 3.\n\n"
        "Dealer drew 3.\nDealer's total is 6.\n\n"
        "Dealer drew 2.\nDealer's total is 8.\n\n"
        "Dealer drew 6.\nDealer's total is 14.\n\n"
        "Dealer drew 9.\nDealer's total is 23.\n\nYOU WIN!\n\n"
        "Play again (Y/N)? N\n\nGoodbye."
    )


def test_cs1114_03_the_transcripts_of_the_text_a_win(tmp_path: Path) -> None:
    typed = lines("e", "b", "h", "h", "h", "s", "y", "n", "b", "N")
    said = transcript(tmp_path / "bank", typed, WIN_STACK)
    assert said == FULL_WIN.removesuffix("Play again (Y/N)?") + INVALID


def test_cs1114_03_the_transcripts_of_the_text_a_bust(tmp_path: Path) -> None:
    said = transcript(tmp_path / "bank", lines("h", "h", "h", "h", "N"), BUST_STACK)
    assert said == FULL_BUST + " N\n\nGoodbye.\n"


def test_cs1114_03_the_transcripts_of_the_text_another_game(tmp_path: Path) -> None:
    typed = lines("h", "h", "h", "h", "Y", "h", "s", "N")
    said = transcript(tmp_path / "bank", typed, ANOTHER_STACK)
    first = FULL_BUST.removesuffix("YOU LOSE!\n\nPlay again (Y/N)?")
    assert said == first + ANOTHER + " N\n\nGoodbye.\n"


def test_cs1114_03_the_transcripts_of_the_text_in_a_terminal(tmp_path: Path) -> None:
    options = ["--plain", "--style", "cs1114", "--handle", "ned21", "--server"]
    with (
        Host(tmp_path / "bank", "--house", "cs1114", "--stack", WIN_STACK) as host,
        Terminal("bj_client", *options, host.address) as terminal,
    ):
        terminal.until("Hit (h) or Stay (s)?")
        terminal.answer("e", "? e\n\nHit (h) or Stay (s)?")
        terminal.answer("b", "? b\n\nHit (h) or Stay (s)?")
        for total in (14, 16, 19):
            terminal.answer("h", f"total is {total}.\n\nHit (h) or Stay (s)?")
        terminal.answer("s", "Play again (Y/N)?")
        assert terminal.text == FULL_WIN
        for wrong in "ynb":
            terminal.answer(wrong, f"? {wrong}\n\nPlay again (Y/N)?")
        terminal.answer("N", "Goodbye.")
        assert terminal.end() == 0
    shown = FULL_WIN.removesuffix("Play again (Y/N)?") + INVALID
    assert terminal.text == shown.rstrip("\n")


def test_cs1114_03_ctrl_c_in_a_terminal_is_no_traceback(tmp_path: Path) -> None:
    options = ["--style", "cs1114", "--handle", "ned21", "--server"]
    with (
        Host(tmp_path / "bank", "--house", "cs1114", "--stack", WIN_STACK) as host,
        Terminal("bj_client", *options, host.address) as terminal,
    ):
        terminal.until("Hit (h) or Stay (s)?")
        terminal.child.sendintr()
        assert terminal.end() == 130
    assert "Interrupted: ned21 has left after 1 round" in terminal.text


def test_cs1114_03_what_is_typed_ahead_in_a_terminal_waits(tmp_path: Path) -> None:
    options = ["--style", "cs1114", "--handle", "ned21", "--server"]
    with (
        Host(tmp_path / "bank", "--house", "cs1114", "--stack", WIN_STACK) as host,
        Terminal("bj_client", *options, host.address) as terminal,
    ):
        terminal.child.send("h\rh\rh\rs\rN\r")
        assert terminal.end() == 0
    assert terminal.text.endswith("YOU WIN!\n\nPlay again (Y/N)? N\n\nGoodbye.")


def test_cs1114_03_ctrl_d_in_a_terminal_leaves_in_order(tmp_path: Path) -> None:
    options = ["--style", "cs1114", "--handle", "ned21", "--server"]
    with (
        Host(tmp_path / "bank", "--house", "cs1114", "--stack", WIN_STACK) as host,
        Terminal("bj_client", *options, host.address) as terminal,
    ):
        terminal.until("Hit (h) or Stay (s)?")
        terminal.child.sendeof()
        assert terminal.end() == 0
    assert terminal.text == WELCOME + (
        "Player drew J and 3.\nPlayer's total is 13.\n\n"
        "Hit (h) or Stay (s)?\n\nGoodbye."
    )


def test_cs1114_03_a_table_of_another_house_is_no_place_for_it(tmp_path: Path) -> None:
    with Host(tmp_path / "bank") as host:
        done = run(host, "")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "--style cs1114 is for cs1114 and cs1114-baby, and this table plays cpsc386: "
        "leave --style out, or join another table.\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--handle", "ned21", "--handle", "lia9"),
        ("--handle", "ned21", "--bot", "basic"),
    ],
)
def test_cs1114_03_it_is_for_one_person(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with Host(tmp_path / "bank", "--house", "cs1114") as host:
        done = run(host, "", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--style cs1114 is for one person: name one handle alone." in done.stderr


def test_cs1114_04_seed_13_draws_5_5_and_j(tmp_path: Path) -> None:
    said = transcript(tmp_path / "bank", lines("h", "N"), "13", by="--seed")
    start = WELCOME + (
        "Player drew 5 and 5.\nPlayer's total is 10.\n\n"
        "Hit (h) or Stay (s)? h\n\nPlayer drew J.\nPlayer's total is 20.\n\n"
    )
    assert said.startswith(start)
