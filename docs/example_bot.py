"""Bet the least and stand, for some rounds; the rest are options of bj-client.

python docs/example_bot.py 3 --handle tess
"""

import json
import subprocess
import sys

PLAYS = ("place_bet", "accept_gift", "stand", "decline")
PIPE = subprocess.PIPE

client = subprocess.Popen(
    ["bj-client", "--json", *sys.argv[2:]], stdin=PIPE, stdout=PIPE
)
assert client.stdin is not None
assert client.stdout is not None
rounds, seat, answered = int(sys.argv[1]), 0, 0
for message in map(json.loads, client.stdout):
    seat = message["you"]["seat"] if "you" in message else seat
    ended = [e for e in message.get("events", ()) if e["type"] == "round_ended"]
    rounds -= len(ended)
    if rounds <= 0:
        client.stdin.close()  # which is leaving
        continue
    for ask in (message.get("turn") or {"asks": ()})["asks"]:
        if ask["seat"] == seat and ask["prompt"] > answered:
            answered = ask["prompt"]
            action = next(play for play in PLAYS if play in ask["actions"])
            amount = (
                {"amount": ask["wager"]["minimum"]} if action == "place_bet" else {}
            )
            command = {"type": action, "prompt": answered, **amount}
            client.stdin.write(f"{json.dumps(command)}\n".encode())
            client.stdin.flush()
sys.exit(client.wait())
