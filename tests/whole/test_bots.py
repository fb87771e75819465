"""Bots against a real server: people's own strategies, and one that cheats."""

import re
import signal
import sys
from pathlib import Path

from support.nursery import Child, run_quickly
from whole.host import Host

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "bots.md").read_text("utf-8")
EXAMPLE = ROOT / "docs" / "example_strategy.py"

HONEST = """
class MyPlayer:
    def place_bet(self, balance):
        return 7

    def use_ace_hi(self, hand):
        return True

    def want_card(self, hand, bank, dealer_up, cards_dealt):
        return hand.get_score() < 15
"""
SPOILER = """
class Spoiler(MyPlayer):
    def want_card(self, hand, bank, dealer_up, cards_dealt):
        wanted = super().want_card(hand, bank, dealer_up, cards_dealt)
        hand.get_cards().clear()
        hand._cards.clear()
        hand._score = 21
        bank._balance = bank._bets_placed = 10**9
        dealer_up.clear()
        cards_dealt[:] = ["nothing", "of", "this", "counts"]
        return wanted
"""
WITNESS = """
class Witness(MyPlayer):
    def want_card(self, hand, bank, dealer_up, cards_dealt):
        with open("seen.txt", "a") as file:
            print(*(f"{c.rank}-{c.suit}" for c in cards_dealt), file=file)
        return False
"""
THINKER = """
class Thinker(MyPlayer):
    def place_bet(self, balance):
        print("Let me think.", flush=True)
        while True:
            pass
"""


def command(host: Host, bot: str, *options: str) -> list[str]:
    shown = ["--plain", "--server", host.address, "--handle", "ned21"]
    return [sys.executable, "-m", "bj_client", *shown, "--bot", bot, *options]


def play(host: Host, folder: Path, bot: str, rounds: int, code: int = 0) -> list[str]:
    """Let a bot play from a folder, and return the lines that were shown."""
    done = run_quickly(
        command(host, bot, "--rounds", str(rounds)),
        cwd=folder,
        timeout=60,
    )
    assert done.returncode == code, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_cs220_02_people_can_load_their_own_player(tmp_path: Path) -> None:
    (tmp_path / "mymodule.py").write_text(HONEST)
    with Host(tmp_path / "bank", "--seed", "5") as host:
        said = play(host, tmp_path, "mymodule:MyPlayer", 3)
    assert said.count("ned21 bets $7.00.") == 3
    assert said[-1].startswith("Good-bye, ned21: 3 rounds, ")


def test_cs220_02_what_cannot_be_loaded_is_told_and_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "mymodule.py").write_text("class MyPlayer: pass\n")
    options = ["--handle", "ned21", "--bot", "mymodule:MyPlayer"]
    done = run_quickly(
        [sys.executable, "-m", "bj_client", *options],
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(
        "bj-client: error: argument --bot: MyPlayer has no method place_bet: a "
        "strategy has place_bet, use_ace_hi and want_card.\n"
    )


def test_cs220_03_what_a_strategy_receives_are_copies(tmp_path: Path) -> None:
    (tmp_path / "mymodule.py").write_text(HONEST + SPOILER)
    games = []
    for name in ("MyPlayer", "Spoiler"):
        with Host(tmp_path / name, "--seed", "5") as host:
            games.append(play(host, tmp_path, f"mymodule:{name}", 12))
    assert games[0] == games[1]


def test_cs220_03_the_player_that_tries_to_break_the_game_cannot(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank", "--seed", "5") as host:
        said = play(host, tmp_path, "cheating", 20, code=13)
    assert "CheatingPlayer.place_bet returned -1, less than nothing" in "\n".join(said)
    assert said[-1].startswith("Good-bye, ned21: 20 rounds, ")
    assert "bj-client" not in "".join(said)


def test_cs220_04_the_hole_card_is_never_among_the_cards_dealt(tmp_path: Path) -> None:
    (tmp_path / "mymodule.py").write_text(HONEST + WITNESS)
    stack = "Ts 9h 5s 8h Tc 7d 6c Td"
    with Host(tmp_path / "bank", "--stack", stack) as host:
        play(host, tmp_path, "mymodule:Witness", 2)
    first, second = (tmp_path / "seen.txt").read_text().splitlines()
    assert first == "10-spades 9-hearts 5-spades"
    assert second == f"{first} 8-hearts 10-clubs 7-diamonds 6-clubs"


def test_cpsc386_15_a_bot_plays_the_same_cards_the_same_way(tmp_path: Path) -> None:
    games = []
    for name in ("first", "second"):
        with Host(tmp_path / name, "--seed", "5") as host:
            games.append(play(host, tmp_path, "random:7", 5))
    assert games[0] == games[1]


def test_dsc20_06_a_player_stands_at_a_threshold(tmp_path: Path) -> None:
    stack = "Ts 9h 4s 8h 3c Tc 9d 5c Td"
    with Host(tmp_path / "bank", "--stack", stack) as host:
        said = play(host, tmp_path, "threshold:15", 2)
    told = [line for line in said if line.startswith("ned21 ")]
    assert [line for line in told if "stands" in line] == [
        "ned21 stands with 17.",
        "ned21 stands with 15.",
    ]


def test_a_strategy_that_never_comes_back_ends_by_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "mymodule.py").write_text(HONEST + THINKER)
    with (
        Host(tmp_path / "bank") as host,
        Child(*command(host, "mymodule:Thinker")[2:], folder=tmp_path) as client,
    ):
        assert any(line == "Let me think.\n" for line in client.stdout)
        client.send_signal(signal.SIGINT)
        _, errors = client.communicate()
    assert client.returncode == 130
    assert errors.startswith("Interrupted: ned21 has left")


def test_the_example_strategy_is_quoted_whole_and_plays(tmp_path: Path) -> None:
    source = EXAMPLE.read_text("utf-8")
    assert f"```python\n{source}```\n" in PAGE
    with Host(tmp_path / "bank", "--seed", "5") as host:
        said = play(host, EXAMPLE.parent, "example_strategy:TenWatcher", 5)
    assert said[-1].startswith("Good-bye, ned21: 5 rounds, ")
    assert not [line for line in said if "TenWatcher" in line]


def test_the_sentences_in_the_page_are_those_that_are_said(tmp_path: Path) -> None:
    quoted = re.search(r"```text\n(MyPlayer.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert quoted is not None
    said: list[str] = []
    for number, answer in enumerate(("'yes'", "1 / 0")):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = HONEST.replace("return 7", "return 20000")
        source = source.replace("hand.get_score() < 15", answer)
        (folder / "mymodule.py").write_text(source)
        with Host(folder / "bank", "--stack", "Ts 9h 5s 8h") as host:
            said += play(host, folder, "mymodule:MyPlayer", 1, code=13)
    assert [line for line in quoted[1].splitlines() if line not in said] == []


def test_a_script_is_played_to_its_last_line_and_the_bot_leaves(
    tmp_path: Path,
) -> None:
    script = re.search(r"```text\n(50 split.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert script is not None
    # A round that nobody plays lasts for as long as bets are waited for.
    lines = [line for line in script[1].splitlines() if not line.startswith("0")]
    assert len(lines) == 3
    (tmp_path / "evening.txt").write_text("\n".join(lines))
    # Eights that are split: 2 and ten make 20 of the first, 3 and 9 20 of the second.
    stack = "8s 7h 8d Th 2c 3d Td 9c  Ts Ah 9d 9s"
    with Host(tmp_path / "bank", "--stack", stack) as host:
        done = run_quickly(
            command(host, "script:evening.txt", "--unproven"), cwd=tmp_path, timeout=60
        )
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert [line for line in said if line.startswith("ned21 bets")] == [
        "ned21 bets $50.00.",
        "ned21 bets $10.00.",
    ]
    assert said[-1].startswith("Good-bye, ned21: 2 rounds, ")
    acts = "splits into|gets 10♦|stands with 20|doubles|buys insurance|stands with 19"
    done_so = [
        m[0] for line in said if (m := re.search(acts, line)) and "ned21" in line
    ]
    assert done_so == [
        *("splits into", "gets 10♦", "stands with 20", "doubles", "stands with 20"),
        *("buys insurance", "stands with 19"),
    ]
