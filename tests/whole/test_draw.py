"""A round that is drawn between a real server and real clients."""

import json
from pathlib import Path
from typing import Any

from bj_client.verify import verify
from bj_protocol.proof import seal_of, terms_hash
from support.nursery import Child
from whole.host import Host
from whole.test_json import hear, program


def event_of(message: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the event of a kind in a message; an empty one if there is none."""
    events = message.get("events", [])
    return next((event for event in events if event["type"] == kind), {})


def until(client: Child, kind: str) -> dict[str, Any]:
    """Return the next event of a kind that a client hears."""
    while not (found := event_of(hear(client), kind)):
        pass
    return found


def play_out(clients: dict[int, Child], message: dict[str, Any]) -> dict[str, Any]:
    """Stand every hand, from a message on; return the end of the round."""
    answered = 0
    while not (ended := event_of(message, "round_ended")):
        for ask in (message.get("turn") or {}).get("asks", ()):
            if ask["prompt"] > answered:
                answered = ask["prompt"]
                kind = "stand" if "stand" in ask["actions"] else "decline"
                answer = {"type": kind, "prompt": answered}
                say(clients[ask["seat"]], json.dumps(answer))
        message = hear(clients[1])
    return ended


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
            began = hear(ned)
            while not (found := event_of(began, "round_began")):
                began = hear(ned)
            assert until(lia, "round_began") == found
            ended = play_out({1: ned, 2: lia}, began)
    assert [each["handle"] for each in call["bets"]] == ["ned21", "lia9"]
    assert [each["seat"] for each in found["links"]] == [1, 2]
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
