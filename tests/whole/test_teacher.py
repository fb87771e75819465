"""The teacher on a real terminal: hints at a table, and the trainer without one."""

from pathlib import Path

import pytest

from support.terminal import Terminal
from whole.host import Host

STACK = "Ts 9h 6s 8d 5c"
"""16 against a nine, which a five makes 21."""


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_hints_show_what_each_play_is_worth_and_tell_what_a_mistake_has_cost(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with Host(tmp_path / "bank", "--no-clock", "--stack", STACK) as host:
        options = ("--server", host.address, "--handle", "ned21", "--hints")
        with Terminal(
            "bj_client", *options, "--pace", "0", size=size, HOME=str(tmp_path)
        ) as ned:
            ned.until("▶ Bet ")
            ned.press("50\r", "▶ Hit, stand or double?")
            ned.press("%", "▶ Best first: hit -0.5")
            ned.press("%", "▶ Hit, stand or double?")
            ned.press("s", "▶ New deal?")
            ned.press("q", "hard 16 against 9 $1.85.")
            assert ned.end() == 0


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
def test_the_trainer_asks_judges_and_keeps_the_score(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    words = ("--train", "16", "--house", "iipp6", "--seed", "5", "--handle", "ned21")
    with Terminal("bj_client", *words, size=size, HOME=str(tmp_path)) as ned:
        ned.until("▶ What do you do?")
        ned.press("h", "it is best to stand; to hit costs ")
        ned.press("s", "Right: stand with ")
        assert "1 of 2 right, mistakes cost $" in ned.text
        ned.press("q", "All drills of ned21 in iipp6: 1 of 2 plays were best.")
        assert ned.end() == 0


def test_the_trainer_is_stopped_by_ctrl_c(tmp_path: Path) -> None:
    with Terminal("bj_client", "--train", "deck", HOME=str(tmp_path)) as ned:
        ned.until("Enter goes on.")
        ned.press("\x03", "0 of 0 right.")
        assert ned.end() == 130
