"""The simulation: it plays the chart, agrees with it, and depends on its seed alone."""

import json
from dataclasses import replace

import pytest

from bj_game.odds import edge
from bj_server.odds_cli import simulation
from bj_server.odds_cli.command import main
from bj_server.odds_cli.sheet import compute
from bj_server.odds_cli.simulation import play_part, simulate
from bj_server.settings import HOUSES, load_house


@pytest.mark.parametrize("name", HOUSES)
def test_rounds_that_are_played_come_to_what_is_reckoned(name: str) -> None:
    # An endless shoe is reckoned in an instant, and has all that the rules say.
    rules = load_house(name)
    if rules.shoe != "never_refilled":
        rules = replace(rules, shoe="endless", decks=1, give_up=False)
    sheet = compute(rules)
    assert sheet.edge == edge(rules).player
    played = play_part(rules, sheet, 4000, seed=5)
    assert abs(played.edge - sheet.edge) < 4 * played.error
    assert played.deviation == pytest.approx(sheet.deviation, abs=0.08)


def test_the_result_is_that_of_the_seed_and_not_of_the_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation, "_PART", 50)
    house = load_house("cs1114")
    sheet = compute(house)
    steps: list[int] = []
    found = simulate(house, sheet, 120, 7, lambda played: steps.append(played.rounds))
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    again = simulate(house, sheet, 120, 7, lambda _: None)
    assert (found.rounds, found.total, found.squares) == (
        *(again.rounds, again.total),
        again.squares,
    )
    assert steps[-1] == 120
    assert simulate(house, sheet, 120, 8, lambda _: None) != found


def test_the_command_tells_the_edge_with_its_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cs1114", "--simulate", "2,000"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("2,000 rounds of cs1114 brought the player -1")
    assert "Expected are -14.691 %" in text
    assert main(["cs1114", "--simulate", "2000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rounds"], found["seed"]) == (2000, 1)
    assert abs(found["edge"] - found["expected"]) < 4 * found["error"]
