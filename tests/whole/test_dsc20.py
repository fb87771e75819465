"""The rows of ``specs/dsc20.txt``, by the shipped commands."""

import re
from pathlib import Path

import pytest

from support.nursery import Child
from support.terminal import Terminal
from whole.dsc20_visit import (
    EXAMPLE,
    EXAMPLE_LOG,
    POOR,
    SUMMARY,
    SUMMARY_STACK,
    bot,
    command,
    played,
    run,
    summaries,
    typed,
)
from whole.host import Host
from whole.paper_game import whole_game


def test_dsc20_01_cards_are_drawn_as_in_the_text_and_written_in_short(
    tmp_path: Path,
) -> None:
    stack = "Ts Qs 6c 7c"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        said = run(host, tmp_path, typed=typed("s", "n"))
    drawn = (
        "\nPlayer Hand:\n"
        "\n----\n|6   |\n| ♣  |\n|--6 |\n"
        "\n----\n|10  |\n| ♠  |\n|--10|\n"
        "\nDealer Hand:\n"
        "\n----\n|Q   |\n| ♠  |\n|--Q |\n"
        "\n----\n|?   |\n| ?  |\n|--? |\n"
        "\nHit (h) or stand (s)?\n"
    )
    assert drawn in said
    assert "Player Cards: (6, clubs) (10, spades)\n" in said
    assert "Dealer Cards: (Q, spades) (?, ?)\n" in said


def test_dsc20_01_cards_are_drawn_with_letters_where_symbols_are_missing(
    tmp_path: Path,
) -> None:
    stack = "Ts Qh 6c 7c"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        said = run(host, tmp_path, typed=typed("s", "n"), ascii_only=True)
    assert "|10  |\n| S  |\n|--10|\n" in said
    assert "|Q   |\n| H  |\n|--Q |\n" in said
    assert said.isascii()
    assert "| ♠  |" in summaries(tmp_path)["game_summary1.txt"]


def test_dsc20_01_cards_are_ordered_by_rank_and_then_by_suit(tmp_path: Path) -> None:
    stack = "8s 2s 8c 2d Ah Jc Kd Qd Th Jh"
    said = played(tmp_path, stack, rounds=2)
    assert "Player Cards: (8, clubs) (8, spades)\n" in said
    assert "Dealer Cards Revealed: (2, diamonds) (2, spades)\n" in said


def test_dsc20_02_the_hands_are_sorted_and_the_dealers_once_it_is_revealed(
    tmp_path: Path,
) -> None:
    stack = "Ks Kh 2s 5h 3d 2d"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        said = run(host, tmp_path, typed=typed("h", "s", "n"))
    assert "Player Cards: (2, spades) (K, spades)\n" in said
    assert "Dealer Cards: (K, hearts) (?, ?)\n" in said
    assert "Dealer Cards Revealed: (5, hearts) (K, hearts)\n" in said
    assert ranks(said.split("Player Hand:")[2]) == ["2", "3", "K", "K", "?"]
    written = summaries(tmp_path)["game_summary1.txt"]
    assert ranks(written) == ["2", "3", "K", "2", "5", "K"]


def ranks(text: str) -> list[str]:
    """Return the ranks of the cards that are drawn, in order."""
    return re.findall(r"^----\n\|(\S+) *\|$", text, re.MULTILINE)


def test_dsc20_03_the_deck_is_shuffled_by_hand_before_each_round(
    tmp_path: Path,
) -> None:
    seed, threshold = 20, 15
    with Host(tmp_path / "bank", "--house", "dsc20", "--seed", str(seed)) as host:
        said = bot(host, tmp_path, threshold, rounds=100)
    assert said == "".join(f"{line}\n" for line in whole_game(seed, threshold))


@pytest.fixture
def poor(tmp_path: Path) -> list[str]:
    """Return the options of a table where the worked example is dealt."""
    (tmp_path / "poor.toml").write_text(POOR)
    return ["--house", str(tmp_path / "poor.toml"), "--stack", EXAMPLE]


def test_dsc20_04_the_worked_example_round_for_round(
    tmp_path: Path, poor: list[str]
) -> None:
    with Host(tmp_path / "bank", *poor) as host:
        said = run(host, tmp_path, typed=typed(*["s", "y"] * 3, "s", "n"))
    assert re.findall(r"The bet is \$(\d+)", said) == ["5", "10", "15", "15"]
    assert re.findall(r"The wallet has \$(\d+)\.", said) == ["10", "20", "20", "5"]
    assert said.index("The wallet has $5.") < said.index(
        "Wallet amount $5 is less than bet amount $10.\nPlay again (y/n)?\n"
    )


def test_dsc20_04_the_game_stops_for_want_of_money_and_begins_anew_at_5(
    tmp_path: Path, poor: list[str]
) -> None:
    with Host(tmp_path / "bank", *poor) as host:
        said = bot(host, tmp_path, rounds=20)
        again = run(host, tmp_path, "--rounds", "1", typed=typed("s"))
    assert said == EXAMPLE_LOG
    assert set(summaries(tmp_path)) == {f"game_summary{n}.txt" for n in (1, 2)}
    assert "The bet is $5; the wallet has $0 left.\n" in again


def test_dsc20_04_an_empty_wallet_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "poor.toml").write_text(POOR)
    options = ["--house", str(tmp_path / "poor.toml"), "--stack", "Ts 9h 8s Th"]
    broke = "Wallet amount $0 is less than bet amount $5.\n"
    with Host(tmp_path / "bank", *options) as host:
        said = bot(host, tmp_path, 17, rounds=5)
        again = bot(host, tmp_path, 17, rounds=5)
    assert said.endswith(f"Dealer won with a score of 19.\n{broke}")
    assert again == broke


def test_dsc20_04_the_bet_is_5_again_after_the_rounds_that_were_meant(
    tmp_path: Path,
) -> None:
    stack = "Ts 9h 9s 8h Tc 9d 9c 8d Kh 7d Kd Td"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        first = run(host, tmp_path, "--rounds", "2", typed=typed("s", "y", "s"))
        second = run(host, tmp_path, "--rounds", "1", typed=typed("s"))
    assert re.findall(r"The bet is \$(\d+)", first) == ["5", "10"]
    assert re.findall(r"The bet is \$(\d+)", second) == ["5"]


def test_dsc20_04_a_deck_is_played_to_its_end_and_the_next_game_has_a_new_one(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "bank", "--house", "dsc20", "--seed", "20") as host:
        said = run(host, tmp_path, typed=typed(*["s", "y"] * 40))
    stop = "Not enough cards for a game.\nPlay again (y/n)?\n"
    first, *later = said.split(stop)
    assert len(re.findall(r"Player Cards", first)) > 5
    bets = [re.findall(r"The bet is \$(\d+); .* left\.\n", game) for game in later]
    assert [bet[0] for bet in bets] == ["5"] * len(later)


def test_dsc20_04_nothing_is_staked_for_a_player_who_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    house = ["--house", "dsc20", "--stack", EXAMPLE, "--bet-seconds", "2"]
    with (
        Host(tmp_path / "bank", *house) as host,
        Terminal("bj_client", *command(host)[3:], "--pace", "0") as terminal,
    ):
        terminal.until("Hit (h) or stand (s)?")
        terminal.answer("s", "Play again (y/n)?")
        terminal.until("The time is up and ned21 sits this round out.")
        assert terminal.text.count("The bet is") == 1
        terminal.answer("y", "The bet is $10; the wallet has $95 left.")


def test_dsc20_05_the_log_in_the_words_of_the_text(tmp_path: Path) -> None:
    stack = "2s 9h 3s 5h 4d Td 6c Ks Kh 6h 6d Ts"
    assert played(tmp_path, stack, rounds=2) == (
        "Player Cards: (2, spades) (3, spades)\n"
        "Dealer Cards: (9, hearts) (?, ?)\n"
        "Player pulled a (4, diamonds)\n"
        "Player pulled a (10, diamonds)\n"
        "Dealer Cards Revealed: (5, hearts) (9, hearts)\n"
        "Dealer pulled a (6, clubs)\n"
        "Player lost with a score of 19. Dealer won with a score of 20.\n"
        "Player Cards: (6, hearts) (K, spades)\n"
        "Dealer Cards: (K, hearts) (?, ?)\n"
        "Dealer Cards Revealed: (6, diamonds) (K, hearts)\n"
        "Dealer pulled a (10, spades)\n"
        "Player won with a score of 16. Dealer lost with a score of 26.\n"
    )


def test_dsc20_05_the_games_are_numbered(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--house", "dsc20", "--seed", "20") as host:
        said = run(host, tmp_path, typed=typed(*["s", "y"] * 40))
        next_evening = bot(host, tmp_path)
        count = len(summaries(tmp_path))
    games = said.count("Not enough cards for a game.") + 1
    assert games > 2
    assert count == games + 1
    assert next_evening.startswith("Player Cards: ")
    for game in summaries(tmp_path).values():
        numbers = re.findall(r"^ROUND (\d+):", game, re.MULTILINE)
        assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_dsc20_06_a_player_stands_at_a_threshold_for_rounds_in_a_row(
    tmp_path: Path,
) -> None:
    three = "2s Th 5s 9h 7c 4c Ts Td 9s Kd Tc Kh 9c Jd"
    stack = f"{three} 2d Qh 5d 9d 7d 2c Qd 5c Qs"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        said = [bot(host, tmp_path, *plan) for plan in ((15, 3), (12, 1), (2, 1))]
    scores = [re.findall(r"Player \w+ with a score of (\d+)", log) for log in said]
    assert scores == [["18", "19", "19"], ["14"], ["7"]]
    assert [log.count("Player pulled") for log in said] == [2, 1, 0]


def test_dsc20_07_each_game_writes_its_summary_as_the_text_prints_it(
    tmp_path: Path,
) -> None:
    played(tmp_path, SUMMARY_STACK, rounds=2)
    assert summaries(tmp_path) == {"game_summary1.txt": SUMMARY}


def test_dsc20_07_no_summary_of_an_earlier_evening_is_written_over(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "game_summaries"
    folder.mkdir()
    (folder / "game_summary7.txt").write_text("kept")
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", SUMMARY_STACK) as host:
        first, second = bot(host, tmp_path), bot(host, tmp_path)
    assert first.startswith("Player Cards: ")
    assert second.startswith("Player Cards: ")
    written = summaries(tmp_path)
    assert set(written) == {f"game_summary{number}.txt" for number in (7, 8, 9)}
    assert written["game_summary7.txt"] == "kept"
    assert written["game_summary8.txt"] + "\n" == SUMMARY[: SUMMARY.index("ROUND 2")]
    assert written["game_summary9.txt"].endswith("Winner of ROUND 1: Dealer\n")


def test_dsc20_07_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path,
) -> None:
    (tmp_path / "game_summaries").write_text("no folder")
    said = played(tmp_path, SUMMARY_STACK, rounds=2)
    assert said.count("The game summaries cannot be written") == 1
    assert (
        "The game summaries cannot be written to the folder game_summaries "
        "(Not a directory): start bj-client where you may write. The game goes on "
        "without them.\n"
    ) in said
    assert said.startswith("The game summaries cannot")
    assert said.endswith("Dealer won with a score of 21.\n")


def test_dsc20_07_a_crash_leaves_the_rounds_before_it(tmp_path: Path) -> None:
    stack = "Ts 9h 9s 8h 5s 9d 5c 8d"
    with (
        Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host,
        Child(*command(host)[2:], folder=tmp_path) as process,
    ):
        process.stdin.write(typed("s", "y"))
        for line in process.stdout:
            if line.startswith("Player Cards: (5, clubs)"):
                break
        process.kill()
        process.communicate()
    written = summaries(tmp_path)["game_summary1.txt"]
    assert written.startswith("ROUND 1:\n")
    assert written.endswith("\n\nWinner of ROUND 1: Player\n")


def test_dsc20_08_aces_count_their_best_and_two_busts_are_a_tie(
    tmp_path: Path,
) -> None:
    aces = "As 9h Ad 8h Ac 9d Ah 8d Th Js"
    others = "Tc 9c 8c 9s Td 6h 6s Kh Kd 7h Ts 6c 6d Jh Ks 2h Qs 5c Qd Jc Qh"
    stack = f"{aces} {others}"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        said = [bot(host, tmp_path, *plan) for plan in ((12, 1), (21, 1), (17, 4))]
    ends = re.findall(r"^Player (?:won|lost|and) .*", "".join(said), re.MULTILINE)
    assert ends == [
        "Player lost with a score of 12. Dealer won with a score of 17.",
        "Player lost with a score of 22. Dealer won with a score of 17.",
        "Player and Dealer tie.",
        "Player and Dealer tie.",
        "Player lost with a score of 26. Dealer won with a score of 18.",
        "Player won with a score of 20. Dealer lost with a score of 25.",
    ]


def test_dsc20_08_a_tie_is_written_down_and_moves_no_money(tmp_path: Path) -> None:
    stack = "Ts 6h 6s Td Kd 9d"
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        said = run(host, tmp_path, typed=typed("h", "n"))
    assert "Player and Dealer tie.\nThe wallet has $100.\n" in said
    written = summaries(tmp_path)["game_summary1.txt"]
    assert written.endswith("\n\nWinner of ROUND 1: Tie\n")
