"""The game of ``specs/iipp6.txt``, by the shipped commands and in its words."""

import re
import sys
from pathlib import Path

import pytest

from support.nursery import run_quickly
from support.terminal import Terminal
from whole.host import Host

HEAD = """\
Blackjack
Deal (d), Hit (h), Stand (s); ? helps, q leaves.
The first shoe is stacked, for teaching and tests.
"""
DEALT = """\
Dealer: ?? 9H
Player: 10S 9S (19)
"""
WON = """\
Hit or stand? stand
Dealer: 8D 9H (17)
You win.
Score: 1
"""
LEFT = "New deal? q\nGood-bye, ned21: 1 round, 1 won, 0 lost, 0 pushed, net $1.00, "
STACK = "Ts 9h 9s 8d"

# The rounds after the stacked one are those of a seed, in which nobody has 21.
SEEDED = ("--seed", "5")


def run(host: Host, *typed: str, options: tuple[str, ...] = ()) -> str:
    """Play with ``typed`` as the piped lines, and return what was printed."""
    place = ["--plain", "--ascii", "--style", "iipp6", "--server", host.address]
    done = run_quickly(
        [sys.executable, "-m", "bj_client", *place, "--handle", "ned21", *options],
        input="".join(f"{line}\n" for line in typed),
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def play(bank: Path, stack: str, *typed: str, options: tuple[str, ...] = ()) -> str:
    """Return what is printed at a table whose first cards are ``stack``."""
    house = ("--house", "iipp6", "--stack", stack, *options)
    with Host(bank, *house) as host:
        return run(host, *typed)


def scores(said: str) -> list[int]:
    return [int(score) for score in re.findall(r"^Score: (-?\d+)$", said, re.MULTILINE)]


def test_iipp6_01_title_buttons_both_hands_and_a_hidden_hole_card(
    tmp_path: Path,
) -> None:
    said = play(tmp_path / "bank", STACK, "stand", "q")
    assert said == HEAD + DEALT + WON + LEFT + "bank $10,001.00.\n"


def test_iipp6_01_the_same_in_a_terminal(tmp_path: Path) -> None:
    stack = ("--house", "iipp6", "--stack", STACK)
    options = ["--plain", "--ascii", "--style", "iipp6", "--handle", "ned21"]
    with (
        Host(tmp_path / "bank", *stack) as host,
        Terminal("bj_client", *options, "--server", host.address) as terminal,
    ):
        terminal.until("Hit or stand?")
        assert terminal.text == HEAD + DEALT + "Hit or stand?"
        terminal.answer("stand", "New deal?")
        terminal.answer("q", "Good-bye")
        assert terminal.end() == 0
    assert terminal.text == HEAD + DEALT + WON + LEFT + "bank $10,001.00."


def test_iipp6_01_buttons_go_by_name_or_letter_in_any_case(tmp_path: Path) -> None:
    stack = "2s 9h 3s 8d 4c 5c 6c"
    said = play(tmp_path / "bank", stack, "h", "HIT", " Stand ", "no")
    assert "Player: 2S 3S 4C 5C (14)\nHit or stand?  Stand \n" in said
    assert said.endswith("bank $9,999.00.\n")


def test_iipp6_01_the_table_can_be_seen_again(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", STACK, "t", "?", "stand", "t", "q")
    assert said.startswith(f"{HEAD}{DEALT}Hit or stand? t\n{DEALT}Hit or stand? ?\n")
    assert "Type hit, stand, or deal to lose this round and be dealt a new one." in said
    assert "New deal? t\nNo cards are on the table.\nNew deal? q\n" in said


def test_iipp6_02_who_has_busted_is_told_and_reminded(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", "Ts 9h 6s 8d Kd", "hit", "stand", "hit", "q")
    assert said.startswith(
        HEAD + "Dealer: ?? 9H\nPlayer: 10S 6S (16)\n"
        "Hit or stand? hit\nPlayer: 10S 6S KD (26)\nYou have busted\n"
        "Dealer: 8D 9H (17)\nYou lose.\nScore: -1\n"
        "New deal? stand\nYou have busted: type deal for a new deal or q to leave.\n"
        "New deal? hit\nYou have busted: type deal for a new deal or q to leave.\n"
        "New deal? q\n"
    )


@pytest.mark.parametrize(
    ("stack", "ending"),
    [
        ("Ts 9h 8s 8d", "Dealer: 8D 9H (17)\nYou win."),
        ("Ts 9h 8s Td", "Dealer: 10D 9H (19)\nThe dealer wins."),
        ("Ts 9h 8s 9d", "Dealer: 9D 9H (18)\nThe dealer wins ties."),
        ("Ts 9h 8s 7d Kc", "Dealer: 7D 9H KC (26)\nThe dealer has busted. You win."),
        ("Ts Ah 8s 5d Kc Ad", "Dealer: 5D AH KC AD (17)\nYou win."),
        ("As 9h Ks Kd", "Dealer: KD 9H (19)\nYou win."),
        ("As Kh Ks Ad", "Dealer: AD KH (soft 21)\nThe dealer wins ties."),
    ],
)
def test_iipp6_02_the_dealer_draws_to_17_and_wins_ties(
    tmp_path: Path, stack: str, ending: str
) -> None:
    said = play(tmp_path / "bank", stack, "stand", "q")
    assert f"\n{ending}\nScore: {1 if 'You win' in ending else -1}\nNew deal?" in said


def test_iipp6_02_hit_is_good_as_long_as_the_hand_is_not_bust(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", "Ts 9h As 8d 9d 2d", "hit", "hit", "stand", "q")
    assert "Player: 10S AS (soft 21)\nHit or stand? hit\n" in said
    assert "Player: 10S AS 9D (20)\nHit or stand? hit\n" in said
    assert "Player: 10S AS 9D 2D (22)\nYou have busted\n" in said


def test_iipp6_02_the_ace_has_the_best_value(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", "As 9h 6s 8d Kd 4c", "hit", "hit", "stand", "q")
    assert "Player: AS 6S (soft 17)\n" in said
    assert "Player: AS 6S KD (17)\n" in said
    assert "Player: AS 6S KD 4C (21)\n" in said


def test_iipp6_02_wrong_input_gets_a_sentence_and_the_prompt_again(
    tmp_path: Path,
) -> None:
    wrong = ["", "split", "y", "-5", "\x1b[2J", "9" * 5000]
    said = play(tmp_path / "bank", STACK, *wrong, "s", "", "maybe", "hit", "q")
    assert said.count("Hit or stand? ") == len(wrong) + 1
    assert said.count(": type hit, stand, or deal to lose this round") == len(wrong)
    assert said.count("New deal? ") == 4
    assert "\nNew deal? hit\nThe round is over: type deal for a new deal" in said
    assert "\x1b" not in said


def test_iipp6_02_the_end_of_the_input_leaves_in_order(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", STACK)
    start = HEAD + DEALT + "Hit or stand? \n"
    assert said == start + (
        "Good-bye, ned21: 1 round, 1 won, 0 lost, 0 pushed, net $1.00, bank $10,001.00."
        "\n"
    )


def test_iipp6_02_a_hand_whose_time_is_up_stands(tmp_path: Path) -> None:
    house = ("--house", "iipp6", "--stack", STACK, "--turn-seconds", "1")
    options = ["--ascii", "--style", "iipp6", "--handle", "ned21", "--server"]
    with (
        Host(tmp_path / "bank", *house) as host,
        Terminal("bj_client", *options, host.address) as terminal,
    ):
        terminal.until("New deal?")
        terminal.answer("q", "Good-bye")
        assert terminal.end() == 0
    late = "Hit or stand?\nTime is up: you stand.\nDealer: 8D 9H (17)\n"
    assert late + "You win.\nScore: 1\nNew deal? q\n" in terminal.text


def test_iipp6_03_a_round_is_dealt_when_the_program_starts(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "iipp6", "--stack", STACK) as host:
        said = run(host)
    assert said.startswith(HEAD + DEALT)


def test_iipp6_03_deal_in_mid_round_gives_it_up_and_deals_anew(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", STACK, "deal", "s", "q", options=SEEDED)
    given_up = "Hit or stand? deal\nDealer: 8D 9H (17)\nYou lost the round.\n"
    _, _, rest = said.partition(DEALT + given_up + "Score: -1\n")
    dealt = r"Dealer: \?\? \w+\nPlayer: \w+ \w+ \(\w.*\)\nHit or stand\? s\n"
    assert re.match(dealt, rest), said


def test_iipp6_03_deal_between_rounds_starts_the_next(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", STACK, "stand", "deal", "s", options=SEEDED)
    pattern = r"New deal\? deal\nDealer: \?\? \w+\nPlayer: \w+ \w+ \(\w.*\)\nHit or"
    assert re.search(pattern, said)


def test_iipp6_03_every_deal_is_from_a_fresh_shuffled_deck(tmp_path: Path) -> None:
    bot = ["--plain", "--handle", "ned21", "--bot", "dealer", "--rounds", "4"]
    with Host(tmp_path / "bank", "--house", "iipp6", *SEEDED) as host:
        done = run_quickly(
            [sys.executable, "-m", "bj_client", *bot, "--server", host.address],
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Shoe: 1 deck, 52 cards left.") == 1
    shuffled = "is over.\nThe dealer shuffles one deck, 52 cards.\n"
    assert done.stdout.count(shuffled) == 4
    hands = re.findall(r"^\w+ gets (?!a hidden)(\S+):", done.stdout, re.MULTILINE)
    assert len(set(hands)) > 8


def test_iipp6_04_the_score_is_wins_minus_losses(tmp_path: Path) -> None:
    typed = ["stand", "deal", "deal", "deal", "deal", "q"]
    said = play(tmp_path / "bank", STACK, *typed, options=SEEDED)
    assert scores(said) == [1, 0, -1, -2]
    assert said.count("You lost the round.\n") == 3


def test_iipp6_04_the_score_is_that_of_the_hands_shown(tmp_path: Path) -> None:
    typed = ["stand", "deal"] * 6
    said = play(tmp_path / "bank", STACK, *typed, options=SEEDED)
    counted, shown = 0, []
    for won in re.findall(r"(You win|You lose|The dealer wins)[^\n]*\nScore", said):
        counted += 1 if won == "You win" else -1
        shown.append(counted)
    assert len(shown) > 5
    assert scores(said) == shown


def test_iipp6_04_a_number_of_rounds_ends_it(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "iipp6", "--stack", STACK) as host:
        said = run(host, "stand", "deal", options=("--rounds", "1"))
    assert scores(said) == [1]
    assert "New deal?" not in said


def test_iipp6_04_money_is_staked_in_silence(tmp_path: Path) -> None:
    said = play(tmp_path / "bank", STACK, "deal", "q", options=SEEDED)
    *shown, closing = said.splitlines()
    assert not [line for line in shown if "$" in line or "bet" in line.casefold()]
    assert "net -$2.00" in closing


@pytest.mark.parametrize(
    "options", [("--handle", "lia9"), ("--bot", "basic")], ids=["two", "bot"]
)
def test_iipp6_04_it_is_for_one_person(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    who = ["--style", "iipp6", "--handle", "ned21", *options]
    done = run_quickly(
        [sys.executable, "-m", "bj_client", *who],
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "--style iipp6 is for one person: name one handle alone." in done.stderr
