"""The figures of the page on how a bank grows."""

import random
import re
from pathlib import Path

import pytest
from growth import grown

PAGE = Path(__file__).parents[3] / "docs" / "bank.md"
ROUNDS = 40


@pytest.mark.parametrize("players", [1, 3])
def test_14_10_a_round_takes_as_many_bytes_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    keys = random.Random(14)
    monkeypatch.setattr("secrets.token_bytes", keys.randbytes)
    monkeypatch.setattr("secrets.token_hex", lambda size: keys.randbytes(size).hex())
    row = re.search(
        rf"^\| {players} \| ([\d,]+) \| ([\d,]+) \|$", PAGE.read_text(), re.MULTILINE
    )
    assert row is not None
    told = [int(figure.replace(",", "")) for figure in row.groups()]
    assert grown(tmp_path / "bank", players, ROUNDS) == pytest.approx(told, rel=0.25)
