"""The line mode with its input from a pipe, against a real server."""

import sys
from pathlib import Path

import pytest

from support.nursery import run_quickly
from whole.host import Host

WRONG_BETS = ["", "letters", "-5", "0", "0.5", "1e3", "10001", "9" * 5000]
WRONG_BETS += ["\x07\x1b[2J"]
WRONG_PLAYS = ["", "letters", "-5", "0.5", "\x07\x1b[2J", "9" * 5000]


def play(host: Host, handle: str, lines: list[str]) -> list[str]:
    """Play with the lines as input, and return those of the output."""
    options = ["--plain", "--handle", handle, "--server", host.address]
    done = run_quickly(
        [sys.executable, "-m", "bj_client", *options],
        input="".join(line + "\n" for line in lines),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    return done.stdout.splitlines()


def test_C1_a_pipe_can_play_whatever_is_dealt(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--seed", "3") as host:
        for game in range(5):
            said = play(host, f"ned{game}", ["50", "s", "n"])
            assert said[-1].startswith(f"Good-bye, ned{game}: 1 round, ")


@pytest.mark.parametrize(
    ("stack", "plays"),
    [
        ("Ts 9h 9s 9d", ["s"]),
        ("Ts Ah 9s 9d", ["n", "s"]),
        ("8s 9h 8d 9d", ["s"]),
        ("8s Ah 8d 9d", ["n", "n", "s"]),
    ],
)
def test_wrong_input_gets_a_sentence_and_the_same_prompt_again(
    tmp_path: Path, stack: str, plays: list[str]
) -> None:
    lines = [*WRONG_BETS, "100"]
    for answer in plays:
        lines += [*WRONG_PLAYS, answer]
    lines += ["", "maybe", "n"]
    with Host(tmp_path / "bank", "--stack", stack) as host:
        said = play(host, "ned21", lines)
    prompts = [line for line in said if line.endswith("?")]
    times = len(WRONG_PLAYS) + 1
    assert len([p for p in prompts if p.startswith("Bet (")]) == len(WRONG_BETS) + 1
    assert len([p for p in prompts if p.startswith("Play again")]) == 3
    assert len(prompts) == len(WRONG_BETS) + 1 + times * len(plays) + 3
    assert said[-1].startswith("Good-bye, ned21: 1 round, ")


def test_B15_a_broke_player_is_offered_the_gift_and_wrong_answers_explained(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank", "--stack", "Ts 9h 6s 9d") as host:
        said = play(host, "ned21", ["10000", "s", "y", "perhaps", "", "y", "q"])
    offers = [line for line in said if "anonymous donor offers" in line]
    assert len(offers) == 3
    assert said[-1].endswith("bank $10,000.00.")
