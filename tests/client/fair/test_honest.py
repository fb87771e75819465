"""Honest evenings of every house: nothing is found, and what can be proven is."""

import random
from collections import Counter
from pathlib import Path

import pytest

from bj_server.bank_cli.audit import Audit
from bj_server.bank_cli.reading import Reading
from bj_server.settings import HOUSES, load_house
from support.company import Company, repeatable
from support.evening import Evening

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover


def spend(
    folder: Path, house_name: str, seed: int, rounds: int, *, is_calm: bool
) -> Counter[str]:
    """Spend an evening, with a watcher from the start; return the sum of the tallies.

    Secrets follow from the seed too, so that one that fails fails again.
    """
    chance, house = random.Random(f"{house_name} {seed}"), load_house(house_name)
    seats = chance.randint(1, min(4, house.max_seats))
    with (
        repeatable(chance),
        Company(folder, house=house, seats=seats) as rig,
    ):
        rig.watch()
        evening = Evening(rig, chance)
        evening.play(rounds, is_calm=is_calm)
        evening.close()
        audit(rig)
        total: Counter[str] = Counter()
        for player in rig.everyone():
            player.remarks += player.checker.finish()
            found = [str(finding) for finding in player.findings]
            assert not found, (house_name, seed, player.handle, found)
            tally = player.checker.tally
            total.update({n: getattr(tally, n) for n in type(tally).__slots__})
        watched = rig.watchers[0].checker.tally
        if is_calm:
            assert watched.partial == watched.void == watched.notes == 0
            assert watched.proven == watched.whole >= rounds - 1
    return total


def audit(rig: Company) -> None:
    """See that what was written down is sound to the inspector of the bank as well."""
    rig.bank.journal.write()
    found = Audit(None)
    Reading(rig.settings.bank).read(found.visit)
    assert found.is_sound, found.findings.lines


def spend_many(folder: Path, evenings: int, rounds: int) -> str:
    total: Counter[str] = Counter()
    for number in range(evenings):
        house = HOUSES[number % len(HOUSES)]
        total += spend(folder / str(number), house, number, rounds, is_calm=False)
    return f"{evenings} evenings: {dict(total)}"


@pytest.mark.parametrize("house", HOUSES)
def test_every_round_of_a_calm_evening_is_proven(tmp_path: Path, house: str) -> None:
    spend(tmp_path / "bank", house, 1, 12, is_calm=True)


def test_in_evenings_of_all_that_can_happen_nothing_is_found(tmp_path: Path) -> None:
    print(spend_many(tmp_path, 2 * len(HOUSES), 8))


@pytest.mark.torture
def test_in_thousands_of_rounds_nothing_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = spend_many(tmp_path, 600, 15)
    with capsys.disabled():
        print(figures)
