"""Play some rounds by betting the least and never taking a card.

Needs the package websockets, and nothing of this project:

    python docs/example_client.py ws://127.0.0.1:8765 tess 3
"""

import json
import secrets
import sys
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

Message = dict[str, Any]

WISHES = ("place_bet", "accept_gift", "stand", "decline", "sit_out")


class Player:
    """All that has to be remembered between two messages."""

    def __init__(self, rounds: int) -> None:
        """Want to play this many rounds."""
        self.rounds, self.seat, self.seq = rounds, 0, 0
        self.answered: set[int] = set()

    def hear(self, message: Message) -> list[Message]:
        """Return what is to be said to a message of the server."""
        match message["type"]:
            case "snapshot":
                self.seat, self.seq = message["you"]["seat"], message["seq"]
            case "update" if message["seq"] == self.seq + 1:
                self.seq += 1
                self.see(message["events"])
            case "update" if message["seq"] > self.seq:
                return [{"type": "resync"}]  # something was missed
            case "signed":
                return []  # for those who check the server
            case _:
                print(message)
                return []
        is_over = self.rounds <= 0 or message["turn"] is None
        asks = [] if is_over else message["turn"]["asks"]
        return [self.answer(ask) for ask in asks if self.is_new(ask)]

    def see(self, events: list[Message]) -> None:
        """Tell how each hand of this player ended."""
        for event in events:
            if event["type"] == "hand_settled" and event["seat"] == self.seat:
                self.rounds -= 1
                print(event["outcome"], event["reason"], event["balance"], "cents")

    def is_new(self, ask: Message) -> bool:
        """Tell whether an ask is for this player and not answered yet."""
        return ask["seat"] == self.seat and ask["prompt"] not in self.answered

    def answer(self, ask: Message) -> Message:
        """Answer with the first wish that the ask allows."""
        self.answered.add(ask["prompt"])
        action = next(wish for wish in WISHES if wish in ask["actions"])
        amount = {"amount": ask["wager"]["minimum"]} if action == "place_bet" else {}
        return {"type": action, "prompt": ask["prompt"], **amount}


def key_of(handle: str) -> str:
    """Return what proves that the handle is ours; make it once, and keep it."""
    path = Path(f"{handle.lower().replace('/', '-')}.key")
    if not path.exists():
        path.touch(mode=0o600)  # before anything is in it that others could read
        path.write_text(secrets.token_urlsafe(32))
    return path.read_text()


def play(uri: str, handle: str, rounds: int) -> None:
    """Join the first table of a server, play, and leave."""
    player = Player(rounds)
    hello = {"type": "hello", "version": 2, "handle": handle, "key": key_of(handle)}
    with connect(uri, compression=None) as line:
        line.send(json.dumps(hello))
        while player.rounds > 0:
            for reply in player.hear(json.loads(line.recv())):
                line.send(json.dumps(reply))
        line.send('{"type":"leave"}')
        for _ in line:  # until the server has closed it
            pass


if __name__ == "__main__":
    try:
        play(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    except ConnectionClosed as closed:
        sys.exit(f"The connection is over: {closed}.")
