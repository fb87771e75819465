"""Shoes that run dry: the discards are shuffled, and every check knows of it.

The cut card lies at the very bottom here, of as few decks as the house can do with.
"""

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import verify_record

from bj_client.fair.finding import Finding
from bj_game.house import House
from bj_server.bank_cli.audit import Audit
from bj_server.bank_cli.reading import Reading
from bj_server.settings import HOUSES, load_house
from support.company import Company, record_of, repeatable, verified
from support.evening import Evening

# Long, and measuring what is run would double it; other tests cover the same.
pytestmark = pytest.mark.no_cover

WITH_A_CUT_CARD = [name for name in HOUSES if load_house(name).shoe == "cut_card"]


def dried(name: str) -> House:
    """Return a house whose shoes run dry, if they can."""
    house = load_house(name)
    if house.shoe != "cut_card":
        return house
    few: dict[str, Any] = {"decks": 1, "cut_card_min": 0, "cut_card_max": 0}
    return replace(house, **few, max_seats=3, max_spots=min(house.max_spots, 2))


class DryEvening(Evening):
    """What is not calm happens while the shoe is nearly dry, or was."""

    def _step(self, *, is_calm: bool) -> None:
        shoe = self._rig.table.context.shoe
        is_wet = shoe.discards is None and (shoe.left or 0) > 14
        super()._step(is_calm=is_calm or is_wet)


def spend(
    folder: Path, name: str, seed: int, rounds: int, *, is_calm: bool
) -> tuple[Counter[str], list[bytes]]:
    """Spend an evening at a house; return what was told, and the record of it."""
    chance, house = random.Random(f"{name} {seed}"), dried(name)
    with (
        repeatable(chance),
        Company(folder, house=house, seats=house.max_seats) as rig,
    ):
        rig.watch()
        evening = DryEvening(rig, chance)
        evening.play(rounds, is_calm=is_calm)
        evening.close()
        rig.bank.journal.write()
        found = Audit(None)
        Reading(rig.settings.bank).read(found.visit)
        assert found.is_sound, (name, seed, found.findings.lines)
        for player in rig.everyone():
            player.remarks += player.checker.finish()
            wrong = [str(finding) for finding in player.findings]
            assert not wrong, (name, seed, player.handle, wrong)
        watched = rig.watchers[0]
        told = Counter(re.findall(r'"type":"(\w+)"', "".join(watched.log)))
        if is_calm:
            tally = watched.checker.tally
            assert told["round_voided"] == tally.void == 0
            assert tally.proven == tally.whole >= rounds - 1
        return told, record_of(watched)


@pytest.mark.parametrize("name", WITH_A_CUT_CARD)
def test_R1_a_dry_shoe_is_refilled_and_all_is_proven(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told, lines = spend(tmp_path / "bank", name, 8, 16, is_calm=True)
    assert told["discards_shuffled"] > 0
    remarks, _ = verified(lines)
    assert not [str(remark) for remark in remarks if isinstance(remark, Finding)]
    verify_record.main(b"".join(lines).splitlines())
    assert capsys.readouterr().out.startswith("Right")


def test_13_4_restarts_and_pictures_around_dry_shoes_are_right(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for number in range(6):
        name = WITH_A_CUT_CARD[number % len(WITH_A_CUT_CARD)]
        total += spend(tmp_path / str(number), name, number + 6, 12, is_calm=False)[0]
    assert total["discards_shuffled"] > 1


@pytest.mark.torture
def test_13_4_dry_shoes_at_random_in_every_house_void_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    total: Counter[str] = Counter()
    for number in range(400):
        name = HOUSES[number % len(HOUSES)]
        is_calm = number % 4 > 0
        folder = tmp_path / str(number)
        told, lines = spend(folder, name, number, 20, is_calm=is_calm)
        total += told
        if is_calm:
            verify_record.main(b"".join(lines).splitlines())
    with capsys.disabled():
        refills, rounds = total["discards_shuffled"], total["round_ended"]
        print(f"{refills} refills in {rounds} rounds of {total['shoe_shuffled']} shoes")
