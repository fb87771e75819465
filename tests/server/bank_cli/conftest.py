import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank_cli.command import main
from support.banks import play_bank


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bank with twenty rounds of two players; it must not be changed."""
    folder = tmp_path_factory.mktemp("office") / "bank"
    keys = random.Random(2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", keys.randbytes)
        patch.setattr("secrets.token_hex", lambda size: keys.randbytes(size).hex())
        play_bank(folder)
    return folder


@pytest.fixture
def ask(
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, list[str], str]]:
    """Return a way to run ``bj-bank``: status, lines of output, and remarks."""

    def run(*arguments: Any) -> tuple[int, list[str], str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err

    return run
