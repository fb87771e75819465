"""A round that is drawn between a real server and real clients."""

from pathlib import Path
from typing import Any

from bj_client.fair.verify import verify
from bj_protocol.proof import seal_of, terms_hash
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


def say(client: Child, text: str) -> None:
    client.stdin.write(text + "\n")
    client.stdin.flush()


def test_all_who_bet_have_a_part_in_the_draw_and_hear_the_secret(
    tmp_path: Path,
) -> None:
    record = tmp_path / "evening.jsonl"
    with (
        Host(tmp_path / "bank") as host,
        program(host, "--handle", "ned21", "--record", str(record)) as ned,
    ):
        snapshot = hear(ned)
        with program(host, "--handle", "lia9") as lia:
            until(ned, "player_joined")
            bet = '{"type": "place_bet", "prompt": %d, "amount": 500}'
            say(ned, bet % 1)
            say(lia, bet % 2)
            call = until(ned, "bets_closed")
            began = until(ned, "round_began")
            assert until(lia, "round_began") == began
            for client in (lia, ned):
                client.stdin.close()
            ended = until(ned, "round_ended")
    assert [each["handle"] for each in call["bets"]] == ["ned21", "lia9"]
    assert [each["seat"] for each in began["links"]] == [1, 2]
    story = snapshot["story"]
    assert call["seal"] == seal_of(
        key=story["key"],
        run=story["run"],
        table="main",
        round=1,
        terms=terms_hash(snapshot["house"]["terms"]),
        secret=ended["secret"],
    )
    assert verify([str(record)]) == 0
