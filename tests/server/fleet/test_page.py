"""What docs/fleet.md has a host type, typed by a real shell."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from psycopg import connect
from psycopg.conninfo import conninfo_to_dict

from bj_server.bank.bank import Bank
from bj_server.bank.signer import Signer
from support.nursery import PATIENCE

PAGE = (Path(__file__).parents[3] / "docs" / "fleet.md").read_text("utf-8")


def blocks(heading: str) -> list[str]:
    """Return the commands under a heading of the page."""
    (section,) = re.findall(
        rf"^## {heading}\n(.*?)(?=^## )", PAGE, re.DOTALL | re.MULTILINE
    )
    return re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


class Shell:
    """A shell in a folder, in which the database has another URL than on the page."""

    def __init__(self, folder: Path, database: str) -> None:
        known = {name: str(value) for name, value in conninfo_to_dict(database).items()}
        name = known.pop("dbname")
        rest = "&".join(f"{key}={value}" for key, value in known.items())
        self._folder, self._url = folder, f"postgresql:///{name}?{rest}"

    def type(self, commands: str) -> str:
        commands = re.sub(r"postgresql://[^']+", lambda _: self._url, commands)
        commands = commands.replace("/srv/cards/", f"{self._folder}/")
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["/bin/bash", "-euc", commands],
            cwd=self._folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def shell(tmp_path: Path, empty: str) -> Shell:
    return Shell(tmp_path, empty)


def test_the_page_sets_two_servers_up(shell: Shell, tmp_path: Path) -> None:
    *setting_up, starting = blocks("Set one up")
    for commands in setting_up:
        shell.type(commands)
    key = Signer.read(tmp_path / "fleet.key").key
    for name in ("n1", "n2"):
        word = Signer.open(tmp_path / name).fleet
        assert word is not None
        assert (word.key, word.name) == (key, name)
        assert word.doors == ("wss://cards.example",)
    said = shell.type(f"exec 3< <({starting.strip()} --port 0); head -n 1 <&3; kill $!")
    assert said.startswith("Blackjack is open at ws://127.0.0.1:")


def test_the_page_brings_a_folder_in_and_out(
    shell: Shell, tmp_path: Path, empty: str
) -> None:
    bank = Bank.open(tmp_path / "bank")
    bank.put_account("ned21", 900, None)
    bank.journal.sync()
    bank.close()
    shell.type(blocks("Set one up")[0])
    for commands in blocks("A folder goes in, and out"):
        assert "1 accounts with $9.00" in shell.type(commands)
    with connect(empty) as connection:
        assert connection.execute("SELECT cents FROM players").fetchall() == [(900,)]
    bank = Bank.open(tmp_path / "again")
    assert bank.balance("ned21") == 900
    bank.close()
