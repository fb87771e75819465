"""The cut of the shoe between a real server and real clients."""

import hashlib
from pathlib import Path
from typing import Any

from bj_server.desk.command import main
from whole.host import Host
from whole.nursery import Child
from whole.test_json import hear, program


def until(client: Child, kind: str) -> dict[str, Any]:
    """Return the next event of a kind that a client hears."""
    while True:
        message = hear(client)
        for event in message.get("events", []):
            if event["type"] == kind:
                found: dict[str, Any] = event
                return found


def leave(client: Child) -> None:
    client.stdin.close()


def test_all_who_sit_cut_the_shoe_and_hear_the_seed(tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    with Host(bank) as host, program(host, "--handle", "ned21") as ned:
        until(ned, "betting_opened")
        with program(host, "--handle", "lia9") as lia:
            until(ned, "player_joined")
            assert main(["--bank", str(bank), "shuffle"]) == 0
            old = until(ned, "seed_revealed")
            cut = until(ned, "shoe_cut")
            assert until(lia, "shoe_cut") == cut
            leave(lia)
            assert until(ned, "player_left")["handle"] == "lia9"
        leave(ned)
        new = until(ned, "seed_revealed")
    assert [who["handle"] for who in cut["cuts"]] == ["ned21", "lia9"]
    assert cut["missing"] == []
    assert old["seed"] != new["seed"]
    assert cut["seed_sha256"] == new["seed_sha256"]
    for told in (old, new):
        seed = bytes.fromhex(told["seed"])
        assert hashlib.sha256(seed).hexdigest() == told["seed_sha256"]
