"""One bit of a record that is another: what there is to change, and how."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bj_game.card import PACK
from bj_server.settings import load_house
from support.company import Company, record_of, repeatable
from support.evening import Evening

CARDS = [str(card) for card in PACK]


def record_rounds(folder: Path, house_name: str, seed: int, rounds: int) -> list[bytes]:
    """Play so many rounds; return the record of a watcher and of all players."""
    chance, house = random.Random(f"{house_name} {seed}"), load_house(house_name)
    with (
        repeatable(chance),
        Company(folder, house=house, seats=min(2, house.max_seats)) as rig,
    ):
        rig.watch()
        rig.join("ned21")
        if rig.plan.seats > 1:
            rig.join("lia9")
        evening = Evening(rig, chance)
        evening.play(rounds + 1, is_calm=True)
        evening.close()
        players = [rig.players[name] for name in ("ned21", "lia9") if name in rig.line]
        return record_of(rig.watchers[0], *players)


Place = tuple[dict[str, Any], str]
"""An object of the record, and the name of the value in it."""


def events_of(line: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    """Return the events of some kinds, if it is the watcher who has heard them."""
    told = line.get("heard", {}) if line["handle"] is None else {}
    return [event for event in told.get("events", ()) if event["type"] in kinds]


def secrets_(line: dict[str, Any]) -> list[Place]:
    return [(event, "secret") for event in events_of(line, "round_ended")]


def seals(line: dict[str, Any]) -> list[Place]:
    return [(event, "seal") for event in events_of(line, "bets_closed")]


def commitments(line: dict[str, Any]) -> list[Place]:
    bets = [bet for event in events_of(line, "bets_closed") for bet in event["bets"]]
    return [(bet, "commitment") for bet in bets if bet["commitment"]]


def links(line: dict[str, Any]) -> list[Place]:
    told = [each for e in events_of(line, "round_began") for each in e["links"]]
    return [(link, "link") for link in told]


def signatures(line: dict[str, Any]) -> list[Place]:
    heard = line.get("heard", {})
    is_signed = line["handle"] is None and heard.get("type") == "signed"
    names = ("signature", "head", "seq", "round")
    return [(heard, name) for name in names] if is_signed else []


def cards(line: dict[str, Any]) -> list[Place]:
    dealt = events_of(line, "card_dealt", "hole_revealed")
    return [(event, "card") for event in dealt if event["card"] != "??"]


def payouts(line: dict[str, Any]) -> list[Place]:
    return [(e, "payout") for e in events_of(line, "hand_settled", "insurance_settled")]


def answers(line: dict[str, Any]) -> list[Place]:
    sent = line.get("sent", {})
    kinds = {"bet_placed": "amount", "hand_insured": "amount", "hand_stood": "total"}
    told = [(event, kinds[event["type"]]) for event in events_of(line, *kinds)]
    if sent.get("type") in SWAPS:
        told.append((sent, "type"))
    return told + ([(sent, "amount")] if "amount" in sent else [])


SWAPS = {
    "hit": "stand",
    "stand": "hit",
    "double": "hit",
    "split": "decline",
    "ace_high": "ace_low",
    "ace_low": "ace_high",
}
"""Plays, and what they may be taken for."""

KINDS: dict[str, Callable[[dict[str, Any]], list[Place]]] = {
    "secret": secrets_,
    "seal": seals,
    "commitment": commitments,
    "link": links,
    "signature": signatures,
    "card": cards,
    "answer": answers,
    "payout": payouts,
}


def flip(chance: random.Random, value: Any) -> Any:
    """Return a value of the same kind in which one bit is another."""
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(12))
    if value in SWAPS:
        return SWAPS[value]
    if value in CARDS:
        others = [CARDS.index(value) ^ (1 << bit) for bit in range(6)]
        return CARDS[chance.choice([other for other in others if other < 52])]
    bits = int(value, 16) ^ (1 << chance.randrange(4 * len(value)))
    return f"{bits:0{len(value)}x}"


def written(line: dict[str, Any]) -> bytes:
    """Return a line as the client writes it, the message as the server does."""
    if "heard" not in line:
        return json.dumps(line).encode() + b"\n"
    heard = json.dumps(line.pop("heard"), separators=(",", ":"), ensure_ascii=False)
    start = json.dumps(line)[:-1]
    return f'{start}, "heard": {heard}}}\n'.encode()
