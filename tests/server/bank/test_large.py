"""Q16: a bank with a long history opens as fast as what came after its snapshot."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bank import make, timed_open

from bj_server.bank.history import read_history
from bj_server.bank.snapshot import Snapshot

pytestmark = pytest.mark.no_cover  # the same lines, over and over

if TYPE_CHECKING:
    from bj_server.bank.line import Line


def opened(folder: Path, lines: int, accounts: int) -> float:
    """Make such a bank, and return the seconds of its start."""
    make(folder, lines, accounts)
    seconds, saves = timed_open(folder)
    figures = f"{lines} lines, {accounts} accounts: opened in {seconds:.2f} s"
    print(f"Q16: {figures}, saved in {saves[98] * 1000:.0f} ms at p99")
    return seconds


def test_Q16_no_line_before_the_snapshot_is_taken_in_again(tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    opened(folder, 10_000, 1_000)
    taken_in: list[Line] = []
    history = read_history(folder, Snapshot.read(folder), taken_in.append)
    assert history.place.seq >= 10_000
    assert taken_in == []
    read_history(folder, None, taken_in.append)
    assert len({line.seq for line in taken_in}) == history.place.seq


@pytest.mark.torture
def test_Q16_a_million_lines_and_ten_thousand_accounts_open_within_two_seconds(
    tmp_path: Path,
) -> None:
    assert opened(tmp_path / "bank", 1_000_000, 10_000) < 2
