"""P6: a real server whose files may not grow: it pauses, and stops when it is told."""

import json
import re
import resource
import signal
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from bj_server.bank.bank import Bank
from support.nursery import Child
from support.serving import hello

LIMITS = {resource.RLIMIT_FSIZE: (9000, 9000)}


def play_until_refused(line: ClientConnection) -> tuple[list[str], dict[str, Any], int]:
    """Bet and stand; return the announcements, the refusal, and the told balance."""
    line.send(hello("ned21"))
    said: list[str] = []
    balance = 0
    while True:
        message: dict[str, Any] = json.loads(line.recv(timeout=60))
        if message["type"] == "refused":
            return said, message, balance
        for event in message.get("events", ()):
            balance = event.get("balance", balance)
            if event["type"] == "announced":
                said.append(event["text"])
        for ask in (message.get("turn") or {"asks": []})["asks"]:
            answer = {"prompt": ask["prompt"], "type": ask["actions"][-1]}
            if "place_bet" in ask["actions"]:
                answer |= {"type": "place_bet", "amount": 100}
            elif "stand" in ask["actions"]:
                answer["type"] = "stand"
            line.send(json.dumps(answer))


def test_P6_a_server_on_a_full_disk_pauses_and_stops_with_status_5(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "bank"
    where = ("--port", "0", "--bank", str(folder))
    with Child("bj_server", *where, limits=LIMITS) as server:
        found = re.search(r"(ws://[\d.]+:\d+)", server.stdout.readline())
        assert found
        with connect(found[1], compression=None) as line:
            said, refused, balance = play_until_refused(line)
            assert len(said) == 1
            assert "so the table pauses" in said[0]
            assert refused["code"] == "bank_stalled"
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate()
    assert server.returncode == 5
    assert "cannot be written: File too large" in errors
    assert "Traceback" not in errors
    bank = Bank.open(folder)
    bank.audit()
    assert bank.balance("ned21") >= balance
    bank.close()
