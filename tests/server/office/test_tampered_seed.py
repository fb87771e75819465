"""Seeds and cuts that are not as they were told, in banks whose chain is right."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from banks import Lines, of_kind, tamper
from bj_server.settings import load_house
from bj_server.table.inbox import Reshuffle
from company import Company, Evening

Ask = Callable[..., tuple[int, list[str], str]]
Change = Callable[[Lines], None]


@pytest.fixture(scope="module")
def cut_bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bank with three shoes that were cut; it must not be changed."""
    folder, chance = tmp_path_factory.mktemp("cut") / "bank", random.Random(5)
    with (
        pytest.MonkeyPatch.context() as patch,
        Company(folder, house=load_house("iipp6"), seats=1) as rig,
    ):
        patch.setattr("secrets.token_bytes", chance.randbytes)
        rig.join("ned21")
        evening = Evening(rig, chance, folder)
        for _ in range(3):
            evening.play(evening.rounds + 3, is_calm=True)
            rig.send(Reshuffle())
        evening.close()
    return folder


def another_seed_is_told(lines: Lines) -> None:
    of_kind(lines, "reveal")[0]["data"]["seed_sha256"] = "ab" * 32


def a_seed_is_told_too_early(lines: Lines) -> None:
    reveal = of_kind(lines, "reveal")[0]
    lines.remove(reveal)
    lines.insert(lines.index(of_kind(lines, "deal")[1]) + 1, reveal)


def a_seed_is_told_and_dealt_from(lines: Lines) -> None:
    reveal = of_kind(lines, "reveal")[0]
    lines.remove(reveal)
    lines.insert(lines.index(of_kind(lines, "deal")[1]), reveal)


def a_seed_is_used_again(lines: Lines) -> None:
    first, *_, last = of_kind(lines, "shoe")
    last["data"] = {**first["data"], "words": 0}


def a_cut_is_left_out(lines: Lines) -> None:
    del of_kind(lines, "shoe")[1]["data"]["cuts"]


def another_nonce(lines: Lines) -> None:
    of_kind(lines, "shoe")[0]["data"]["cuts"][0][2] = "ab" * 32


def words_are_passed_over(lines: Lines) -> None:
    of_kind(lines, "shoe")[1]["data"]["words"] += 1


def words_before_the_first(lines: Lines) -> None:
    of_kind(lines, "shoe")[0]["data"]["words"] = 1


def a_shoe_in_a_round(lines: Lines) -> None:
    shoe = of_kind(lines, "shoe")[1]
    lines.remove(shoe)
    lines.insert(lines.index(of_kind(lines, "deal")[0]) + 1, shoe)


def test_a_bank_of_shoes_that_were_cut_is_sound(cut_bank: Path, ask: Ask) -> None:
    status, lines, _ = ask("audit", "--bank", cut_bank)
    assert (status, lines[-1]) == (0, "The bank is sound.")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (another_seed_is_told, "The seed that is told, by its SHA-256,"),
        (a_seed_is_told_too_early, "a line of kind reveal while a round is on"),
        (a_seed_is_told_and_dealt_from, "by which rules or from which shoe"),
        (a_seed_is_used_again, "whose seed was told before"),
        (a_cut_is_left_out, "The cuts of a shoe are not those of the one before"),
        (another_nonce, "should be"),
        (words_are_passed_over, "The number of words before the shoe"),
        (words_before_the_first, "The words before the first shoe"),
        (a_shoe_in_a_round, "a line of kind shoe while a round is on"),
    ],
)
def test_seeds_and_cuts_that_were_changed_are_found(
    cut_bank: Path, tmp_path: Path, ask: Ask, change: Change, words: str
) -> None:
    folder = tamper(cut_bank, tmp_path / "bank", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any(words in line for line in lines), lines
