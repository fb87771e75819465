"""A server whose table's edge is still reckoned beside it: it starts, and it stops."""

import os
import signal
import time
from pathlib import Path

import bj_game
from support.nursery import PATIENCE
from whole.host import Host

STRIP = Path(bj_game.__file__).parent / "houses" / "vegas-strip.toml"


def beside_of(server: int) -> int:
    """Return the process that reckons beside a server, once it is one of its own."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
            if b"odds_cli.sheet" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    raise AssertionError("nothing is reckoned beside")


def test_what_reckons_an_edge_delays_neither_start_nor_stop(tmp_path: Path) -> None:
    house = tmp_path / "own.toml"
    rules = STRIP.read_text().replace("decks = 4", "decks = 3")
    house.write_text(rules.replace('"vegas-strip"', '"own"'))
    with Host(tmp_path / "bank", "--house", str(house)) as host:
        # It serves by now; what is stopped here comes to no end by itself.
        beside = beside_of(host.process.pid)
        os.kill(beside, signal.SIGSTOP)
    assert not Path(f"/proc/{beside}").exists()
    assert "has an edge of" not in host.output
