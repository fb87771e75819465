"""The figures of the page on fairness are those that its programs print."""

from pathlib import Path

import pytest
import simulate_cheats as cheats
import simulate_ways_out as honest

from bj_server.settings import load_house

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")


def test_the_rates_at_which_honest_servers_are_accused_are_those_of_the_page() -> None:
    row = honest.row(0.1, 0.1)
    assert f"| {' | '.join(row)} |" in PAGE


def test_the_worst_line_brings_fewer_than_one_finding_of_links_in_a_million() -> None:
    bad = honest.missing(0.1, 0.4)
    assert 0.02 < bad < 0.03
    assert honest.missing_of(6, bad) < 1e-6
    assert honest.ever(honest.one_in_ten, 1 - (1 - bad) ** 6, 200) > 0.9


def test_the_least_of_some_draws_is_that_of_all_ways_to_draw_them() -> None:
    assert cheats.least_of([1, -1], 1) == pytest.approx(0)
    assert cheats.least_of([1, -1], 2) == pytest.approx(-0.5)
    assert cheats.least_of([2, 1, -1, -1], 2) == pytest.approx(-7 / 16)


def test_a_seat_in_league_only_makes_a_round_worse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cheats, "ROUNDS", 30)
    house = load_house("cpsc386")
    after = cheats.in_league(house, 0, 1)
    both = cheats.in_league(house, 1, 1)
    assert len(after) == len(both) == 30
    assert sum(both) < sum(after) < 0
    assert cheats.refused([1, 1, -1, 0]) == -0.25
