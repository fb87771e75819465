import random
from pathlib import Path

import pytest

from support.banks import BankCommand, play_bank


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bank with twenty rounds of two players; it must not be changed."""
    folder = tmp_path_factory.mktemp("office") / "bank"
    keys = random.Random(7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", keys.randbytes)
        patch.setattr("secrets.token_hex", lambda size: keys.randbytes(size).hex())
        play_bank(folder)
    return folder


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> BankCommand:
    """Return a way to run ``bj-bank``: status, lines of output, and remarks."""
    return BankCommand(capsys)
