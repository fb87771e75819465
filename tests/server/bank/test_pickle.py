"""S7: a pickle in the bank's folder is never loaded, whatever it is named."""

import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankError

NAMES = ("bank.json", "journal-000001.jsonl", "journal-000001.jsonl.gz", "bans.json")


class Harmful:
    """Makes a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self._path),)


@pytest.mark.parametrize("name", NAMES)
def test_S7_a_harmful_pickle_stops_the_start_and_does_no_harm(
    tmp_path: Path, small_journal: bytes, folder: Path, name: str
) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "journal-000001.jsonl").write_bytes(small_journal)
    harm = tmp_path / "harm"
    content = pickle.dumps(Harmful(harm))
    (folder / name).write_bytes(content)
    if name != "bans.json":  # which the bank itself does not read
        with pytest.raises(BankError):
            Bank.open(folder)
    assert not harm.exists()
    assert (folder / name).read_bytes() == content
