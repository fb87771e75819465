"""``bj-odds``: each question, each form of the answer, and what is not understood."""

import csv
import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bj_server.odds_cli import command
from bj_server.odds_cli.command import main

BABY, FULL = "cs1114-baby", "cs1114"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    found = capsys.readouterr()
    assert found.err == ""
    return found.out


def test_a_house_is_told_with_edge_money_chart_dealer_and_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = told(capsys, FULL, "--beside", BABY, "--stake", "10")
    assert text.splitlines()[1] == (
        "In cs1114 the house has an edge of 14.69 % of the first bet; the standard "
        "deviation of a round is 0.989 first bets."
    )
    assert "100 rounds at $10 cost $146.91 on average" in text
    assert "A bank of $2,000 is lost within 1,000 rounds with a chance of " in text
    assert "without a bet; that of a host who takes them grows fastest with" in text
    rows = [line.split() for line in text.splitlines() if line.split()[:1] == ["hard"]]
    assert [row[2] for row in rows if int(row[1]) < 13] == ["H"] * 11
    assert [row[2] for row in rows if int(row[1]) > 12] == ["S"] * 8
    assert "     any      0.00 %" not in text
    assert "31.27 %" in text  # the dealer's busts
    assert "hit = true, not false" in text
    assert "\x1b[" not in text


def test_on_a_terminal_the_letters_are_in_colour(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_has_colours", lambda: True)
    text = told(capsys, BABY)
    assert "\x1b[30;43m S \x1b[0m" in text


def test_programs_get_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, FULL, "--json", "--bankroll", "500"))
    assert found["edge"] == pytest.approx(-0.14691384577671)
    assert found["stakes_of_bank"] == 500
    assert found["dealer"]["any"]["bust"] == pytest.approx(0.31272113601)
    assert ["hard", "12", "H"] in found["chart"]
    assert found["ruin"] == 1
    rows = list(csv.reader(StringIO(told(capsys, FULL, "--csv"))))
    assert rows[0] == ["kind", "hand", "none"]
    assert ["hard", "13", "S"] in rows


def test_people_get_a_picture_and_a_page_to_print(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    house = tmp_path / "own.toml"
    house.write_text(
        'name = "own"\ntitle = "A <b> & an endless shoe"\nshoe = "endless"\n'
        'max_hands = 2\nsurrender = "late"\nhole_card = "peek"\n'
        'insurance_asked = "all_first"\n'
    )
    picture = ElementTree.fromstring(told(capsys, str(house), "--svg"))
    texts = [each.text for each in picture.iter() if each.text and each.text.strip()]
    assert texts[0] == "own: A <b> & an endless shoe"
    assert {"Hard hands", "Soft hands", "Pairs", "H", "S", "Dh", "P"} <= set(texts)
    page = told(capsys, str(house), "--html", "--beside", BABY)
    assert page.startswith("<!DOCTYPE html>")
    assert "own: A &lt;b&gt; &amp; an endless shoe" in page
    assert page.count("<svg") == page.count("</svg>") == 1
    assert "<th>blackjack</th>" in page
    assert "Insurance against A: never" in page


def test_every_play_of_a_hand_is_valued_the_best_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = told(capsys, "vegas-strip", "--hand", "8c 8d", "--up", "Ts").splitlines()
    assert [line.split()[0] for line in lines[1:]] == [
        *("split", "hit", "stand", "double")
    ]
    assert lines[1].split()[1:] == ["-0.47201"]
    assert lines[2].split()[2:] == ["costs", "$0.31"]
    found = json.loads(
        told(capsys, "cpsc386", "--hand", "Tc 6d", "--up", "As", "--json")
    )
    assert list(found)[:2] == ["hit", "stand"]
    assert found["insurance"] == pytest.approx(-0.38, abs=0.01)


def test_insurance_is_no_worse_play_than_the_best_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = told(capsys, "vegas-strip", "--hand", "Ac Kd", "--up", "As")
    assert text.splitlines()[1:] == [
        "stand       +1.50000",
        "insurance   -0.07805  of itself",
    ]


def test_cards_that_were_seen_change_the_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("downtown", "--hand", "Td 6s", "--up", "Th", "--json")
    seen = (*asked, "--seen", "5c 5d 5h 5s 5c 5d 5h 5s 4c 4d 4h")
    whole, fewer = (json.loads(told(capsys, *each)) for each in (asked, seen))
    assert whole["hit"] > whole["stand"]
    assert fewer["hit"] < fewer["stand"]
    assert "insurance" not in whole


def test_two_houses_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "--compare", FULL, BABY)
    assert (
        "The player is better off in cs1114-baby, by 8.049 % or $8.05 in 100 rounds "
        "at $1." in text
    )
    assert "hard 12 against any: H S" in text
    assert "dealer_draws = never, not needed" in text
    found = json.loads(told(capsys, "--compare", FULL, BABY, "--json"))
    assert [house["house"] for house in found["houses"]] == [FULL, BABY]
    text = told(capsys, "--compare", BABY, BABY)
    assert "Hands that both charts have are played alike." in text
    assert "All rules that count are those of cs1114-baby." in text


def test_cards_may_be_written_as_the_screen_shows_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = ("--hand", "10♣ 6D", "--up", "A♠")
    written = ("--hand", "Tc 6d", "--up", "As")
    assert told(capsys, BABY, *shown[:2]) == told(capsys, BABY, *written[:2])
    assert told(capsys, "iipp6", *shown) == told(capsys, "iipp6", *written)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "the following arguments are required: HOUSE|FILE"),
        (("nowhere",), "There is no house 'nowhere': name one of atlantic-city, "),
        ((FULL, BABY), "one house is told of: name just so many"),
        (("--compare", FULL), "two houses are compared: name just so many"),
        ((FULL, "--hand", "8c 8x"), "cards are a rank and a suit each"),
        ((FULL, "--hand", "8c"), "--hand: a hand has two cards or more."),
        ((FULL, "--hand", "8c 8d", "--up", "Ts"), "of cs1114 shows no card."),
        (("cpsc386", "--hand", "8c 8d"), "shows a card: name it with --up."),
        (("iipp6", "--hand", "8c 8c", "--up", "Ts"), "there are only 1 of 8c in the"),
        (("cpsc386", "--up", "Ts"), "--up and --seen are about a hand"),
        (("--compare", FULL, BABY, "--svg"), "--svg is for a whole house"),
        ((FULL, "--simulate", "0"), "rounds are a whole number, from 1 to a billion"),
        ((FULL, "--simulate", "9", "--hand", "2c 2d"), "are three questions: ask one."),
        ((FULL, "--rounds", "0"), "rounds are a whole number, from 1 to a billion"),
        ((FULL, "--stake", "1" + "0" * 15), "12.50, up to ten trillion"),
        ((FULL, "--json", "--csv"), "not allowed with argument --json"),
    ],
)
def test_what_is_not_understood_ends_with_2_and_a_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_an_output_that_is_full_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main([BABY]) == 1
    assert "The output cannot be written: No space left" in capsys.readouterr().err


def test_an_interrupted_answer_ends_with_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_answer", interrupted)
    assert main([BABY]) == 130
    assert capsys.readouterr().err == "bj-odds: Interrupted.\n"
