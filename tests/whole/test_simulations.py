"""The figures of the page on fairness are those that its programs print."""

from pathlib import Path

import simulate_ways_out as honest

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")


def test_the_rates_at_which_honest_servers_are_accused_are_those_of_the_page() -> None:
    row = honest.row(0.1, 0.1)
    assert f"| {' | '.join(row)} |" in PAGE


def test_the_worst_line_brings_fewer_than_one_finding_of_links_in_a_million() -> None:
    bad = honest.missing(0.1, 0.4)
    assert 0.02 < bad < 0.03
    assert honest.missing_of(6, bad) < 1e-6
    assert honest.ever(honest.one_in_ten, 1 - (1 - bad) ** 6, 200) > 0.9
