"""The sheet: figures that are kept, and files that are not what they should be."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bj_server.odds_cli import sheet as sheets
from bj_server.odds_cli.drawing import WORDS
from bj_server.odds_cli.sheet import compute, cost_of_rules
from bj_server.settings import HOUSES, load_house

# Of two decks, so that it is none of the shipped ones; an endless shoe has no end.
BABY = replace(load_house("cs1114-baby"), decks=2)


def test_what_is_kept_is_found_for_the_same_rules_under_any_name(cache: Path) -> None:
    sheet = compute(BABY)
    assert sheets.find(BABY) is None
    sheets.keep(BABY, sheet)
    named = replace(BABY, name="own", title="Own", minimum_bet=500, bet_step=500)
    assert sheets.find(named) == sheet
    assert sheets.find(replace(BABY, decks=3)) is None
    assert [path.suffix for path in cache.iterdir()] == [".json"]


def test_costs_are_kept_for_two_houses() -> None:
    full = load_house("cs1114")
    assert sheets.find_costs(full, BABY) is None
    costs = sheets.costs_of(full, BABY)
    assert costs == cost_of_rules(full, BABY)
    assert sheets.find_costs(full, BABY) == costs
    assert sheets.find_costs(BABY, full) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "[1, 2]",
        lambda text: text.replace('"edge": -0.06', '"edge": -0.07'),
        lambda text: json.dumps(json.loads(text) | {"figures": 3}),
        lambda text: text + " " * 2**20,
    ],
)
def test_a_torn_or_foreign_file_counts_as_none_and_is_written_anew(
    cache: Path, spoil: object
) -> None:
    sheet = compute(BABY)
    sheets.keep(BABY, sheet)
    (path,) = cache.iterdir()
    spoiled = spoil(path.read_text())  # type: ignore[operator]
    assert spoiled != path.read_text()
    path.write_text(spoiled)
    assert sheets.find(BABY) is None
    sheets.keep(BABY, sheet)
    assert sheets.find(BABY) == sheet


def test_figures_of_another_version_are_not_those_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheets.keep(BABY, compute(BABY))
    monkeypatch.setattr(sheets, "VERSION", sheets.VERSION + 1)
    assert sheets.find(BABY) is None


def test_without_a_place_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    sheets.keep(BABY, compute(BABY))
    assert sheets.find(BABY) is None


def test_a_sheet_that_lacks_a_figure_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = compute(BABY).fields()
    del fields["rows"]
    sheets._write(sheets.rules_that_count(BABY), fields)
    assert sheets.find(BABY) is None


@pytest.mark.parametrize("name", HOUSES)
def test_the_figures_of_every_shipped_house_come_with_the_command(name: str) -> None:
    sheet = sheets.find(load_house(name))
    assert sheet is not None, "run python docs/make_figures.py"
    if name.startswith("cs1114"):
        assert sheet == compute(load_house(name))


def test_the_figures_of_another_version_are_not_shipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheets.shipped.cache_clear()
    monkeypatch.setattr(sheets, "VERSION", sheets.VERSION + 1)
    assert sheets.shipped() == {}
    sheets.shipped.cache_clear()


@pytest.mark.torture
@pytest.mark.parametrize("name", HOUSES)
def test_the_shipped_figures_are_those_that_are_reckoned(name: str) -> None:
    sheet, again = sheets.find(load_house(name)), compute(load_house(name))
    assert sheet is not None
    assert sheet.edge == pytest.approx(again.edge, abs=1e-9)
    assert (sheet.rows, sheet.exceptions) == (again.rows, again.exceptions)


@pytest.mark.parametrize("name", HOUSES)
def test_a_total_that_only_a_pair_makes_is_told_for_a_hand_that_is_not_split(
    name: str,
) -> None:
    sheet = sheets.find(load_house(name))
    assert sheet is not None
    rows = {f"{row.section} {row.label}": row for row in sheet.rows}
    assert all(word in WORDS for row in sheet.rows for word in row.cells)
    if load_house(name).hit:
        assert {"H"} == {*rows["hard 4"].cells}
        assert "P" not in {*rows["hard 20"].cells}
