"""Figures 2 and 3 of ``specs/cs220.txt``, character for character."""

import re
from pathlib import Path

from support.nursery import Child
from whole.host import Host

FIGURE_2 = """\
$$$$$ Game Summary  $$$$$$
Dealer:
score: 21
Card(rank='6', suit='clubs') Card(rank='2', suit='hearts') \
Card(rank='7', suit='clubs') Card(rank='6', suit='spades')

Player: ned21
score: 27
Card(rank='7', suit='spades') Card(rank='K', suit='diamonds') \
Card(rank='K', suit='spades')
Player assets:
bet 10 balance 90 bust.

Player: lia9
score: 25
Card(rank='5', suit='spades') Card(rank='J', suit='diamonds') \
Card(rank='J', suit='clubs')
Player assets:
bet 10 balance 90 bust.
"""

FIGURE_3 = """\
$$$$$ Game Summary  $$$$$$
Dealer:
score: 18
Card(rank='J', suit='spades') Card(rank='2', suit='clubs') \
Card(rank='6', suit='clubs')

Player: ned21
score: 19
Card(rank='6', suit='hearts') Card(rank='Q', suit='diamonds') \
Card(rank='3', suit='hearts')
Player assets:
bet 10 balance 110 winner!

Player: lia9
score: 20
Card(rank='Q', suit='hearts') Card(rank='J', suit='clubs')
Player assets:
bet 10 balance 110 winner!
"""

# Two cards to each player and to the dealer, then what is drawn in turn.
STACK_2 = "7s Kd 5s Jd 6c 2h Ks Jc 7c 6s"
STACK_3 = "6h Qd Qh Jc Js 2c 3h 6c"


class Player:
    """A client with its input and its output at hand."""

    def __init__(self, host: Host, handle: str, *options: str) -> None:
        place = ["--plain", "--style", "cs220", "--server", host.address]
        self.process = Child("bj_client", *place, "--handle", handle, *options)
        self.said = ""

    def until(self, words: str) -> None:
        """Read until a line has these words."""
        for line in self.process.stdout:
            self.said += line
            if words in line:
                return
        raise AssertionError(f"never saw {words!r} in:\n{self.said}")

    def type(self, *lines: str) -> None:
        self.process.stdin.write("".join(f"{line}\n" for line in lines))

    def end(self) -> str:
        """Return all that was printed, once it is over."""
        rest, errors = self.process.communicate()
        assert (self.process.returncode, errors) == (0, "")
        return self.said + rest


def play(host: Host, ned: list[str], lia: list[str]) -> list[str]:
    """Seat ned21 before lia9, and play one round for bets of 10."""
    first = Player(host, "ned21")
    first.until("Bet (")
    second = Player(host, "lia9")
    second.until("Bet (")
    first.type("10", *ned)
    second.type("10", *lia)
    for player in (first, second):
        player.until("Play again (y/n)?")
        player.type("n")
    return [first.end(), second.end()]


def test_cs220_07_figure_2_of_the_text(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "cs220", "--stack", STACK_2) as host:
        for said in play(host, ["h"], ["h"]):
            assert said.count(f"\n{FIGURE_2}") == 1
            assert said.index(FIGURE_2) < said.index("Play again (y/n)?")


def test_cs220_07_figure_3_of_the_text(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "cs220", "--stack", STACK_3) as host:
        for said in play(host, ["h", "s"], ["s"]):
            assert said.count(f"\n{FIGURE_3}") == 1
            assert "ned21 wins $10.00 with 19" in said


def test_cs220_07_several_at_one_keyboard(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "cs220", "--stack", STACK_3) as host:
        both = Player(host, "ned21", "--handle", "lia9")
        both.type("10", "10", "h", "s", "s", "n")
        assert f"\n{FIGURE_3}" in both.end()


def test_cs220_07_of_bots_nothing_but_the_summaries(tmp_path: Path) -> None:
    stack = ("--stack", STACK_3)
    bots = ("--handle", "lia9", "--bot", "threshold:17", "--rounds", "1")
    with Host(tmp_path / "bank", "--house", "cs220", *stack) as host:
        assert Player(host, "ned21", *bots).end() == FIGURE_3


def test_cs220_07_a_blank_line_between_the_summaries(tmp_path: Path) -> None:
    bot = ("--bot", "basic", "--bet", "1", "--rounds", "3")
    with Host(tmp_path / "bank", "--house", "cs220", "--seed", "5") as host:
        said = Player(host, "ned21", *bot).end()
    heads = re.findall(r"(?:^|[^\n]\n\n)\$\$\$\$\$ Game Summary  \$\$\$\$\$\$\n", said)
    assert len(heads) == 3
    assert said.endswith((" winner!\n", " bust.\n", " loses.\n"))


def test_cs220_07_a_loss_without_a_bust(tmp_path: Path) -> None:
    bot = ("--bot", "threshold:12", "--rounds", "1")
    with Host(tmp_path / "bank", "--house", "cs220", "--stack", "Th 8h Js 8c") as host:
        said = Player(host, "ned21", *bot).end()
    assert said.endswith(
        "Player: ned21\nscore: 18\n"
        "Card(rank='10', suit='hearts') Card(rank='8', suit='hearts')\n"
        "Player assets:\nbet 10 balance 90 loses.\n"
    )


def test_cs220_07_a_table_of_another_house_is_no_place_for_it(tmp_path: Path) -> None:
    with Host(tmp_path / "bank") as host:
        process = Player(host, "ned21").process
        output, errors = process.communicate()
    assert (process.returncode, output) == (2, "")
    assert errors.startswith("--style cs220 is for cs220, and this table plays cpsc386")
