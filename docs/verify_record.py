"""Check a record by docs/fairness.md alone: python docs/verify_record.py FILE.

Chain, seals, commitments, links and cards; NEITHER SIGNATURES NOR MONEY.
"""

import hmac
import json
import sys
from hashlib import sha256
from itertools import chain, count, cycle, product
from pathlib import Path
from struct import pack, unpack
from typing import Any

PACK = [rank + suit for suit in "shdc" for rank in "23456789TJQKA"]
unhex = bytes.fromhex


def _digest(tag: str, *parts: bytes, key: bytes = b"") -> str:  # HMAC, if with a key
    tagged = (b"blackjack table 2, " + tag.encode(), *parts)
    whole = b"".join(pack(">I", len(part)) + part for part in tagged)
    return hmac.digest(key, whole, "sha256").hex() if key else sha256(whole).hexdigest()


def _drawer(key: bytes) -> Any:  # what draws numbers below n from a stream
    blocks = (hmac.digest(key, pack(">Q", i), "sha256") for i in count())
    words = (word for block in blocks for word in unpack(">8I", block))
    return lambda n: next(word % n for word in words if word < 2**32 - 2**32 % n)


def _drawn(below: Any, counts: list[int]) -> Any:  # of so many of each card
    pile = [PACK[i] for n, i in product(range(8), range(52)) if counts[i] > n]
    while pile:
        at = below(len(pile))
        pile[at], pile[-1] = pile[-1], pile[at]
        yield pile.pop()


def _cards_of(key: bytes, terms: Any, call: Any) -> Any:  # until the cut card; cards
    below, cut, cards = _drawer(key), call["below_cut"], call["deck"]
    if terms["shoe"] == "never_refilled":
        mongean, overhand = below(6), below(6)
        for k in range(min(overhand, len(cards)), 0, -1):
            at = len(cards) // 2 - (k + 1 - len(cards) % 2) // 2
            cards = cards[at : at + k] + cards[:at] + cards[at + k :]
        for _ in range(mongean):
            cards = cards[1::2][::-1] + cards[::2]
    if terms["shoe"] == "cut_card" and cut is None:
        cut = terms["cut_card_min"]
        cut += below(terms["cut_card_max"] - cut + 1)
    cards = list(_drawn(below, call["left"])) if call["left"] else cards
    yield None if cut is None else len(cards) - cut
    yield from cards
    if terms["shoe"] == "endless":
        yield from ("A23456789TJQK"[below(13)] + suit for suit in cycle("shdc"))
    refill = _drawer(hmac.digest(key, b"blackjack table, refill", "sha256"))
    yield from _drawn(refill, [terms["decks"] - cards.count(c) for c in PACK])


def check(at: Any, call: Any, told: Any) -> Any:
    """Yield what was told of a round from its call to its end, and what is due."""
    terms, secret, hole = at["house"]["terms"], unhex(told[-1]["secret"]), None
    at |= {"round": call["round"], "rounds": at["rounds"] + 1, "call": None}
    rules = json.dumps(terms, sort_keys=True, separators=(",", ":")).encode()
    named = (unhex(at["key"]), unhex(at["run"]), at["table"].encode())
    sealed = (pack(">Q", call["round"]), unhex(_digest("terms", rules)), secret)
    yield "seal", call["seal"], _digest("seal", *named, *sealed)
    for began in (event for event in told if event["type"] == "round_began"):
        bets = [bet for bet in call["bets"] if bet["seat"] not in began["missing"]]
        yield "seats", began["seats"], [bet["seat"] for bet in bets]
        links = [(pack(">Q", x["seat"]), unhex(x["link"])) for x in began["links"]]
        bound = {pack(">Q", bet["seat"]): bet for bet in bets if bet["commitment"]}
        yield "seats with links", [seat for seat, _ in links], [*bound]
        for seat, link in links:
            bind = (unhex(call["seal"]), seat, bound[seat]["handle"].encode(), link)
            yield "commitment", bound[seat]["commitment"], _digest("commitment", *bind)
            if bound[seat]["handle"] == at["handle"]:
                yield "own link", link.hex(), at["own"]
        key = _digest("draw", unhex(at["called"]), *chain(*links), key=secret)
        cards = _cards_of(unhex(key), terms, call)
        yield "cut card", began["until_cut"], next(cards)
    for event in (event for event in told if "card" in event):
        due = hole if event["type"] == "hole_revealed" else next(cards, None)
        hole, due = (due, "??") if event["card"] == "??" else (hole, due)
        yield "card", event["card"], due


def main(lines: list[bytes]) -> None:
    """Check a record, and tell of it."""
    visits = dict[Any, Any]()
    for line in lines:
        entry, raw = json.loads(line), line[:-1].partition(b', "heard": ')[2]
        said, facts = entry.get("heard") or entry.get("sent") or {}, list[Any]()
        who, kind, seq = entry.get("handle"), said.get("type"), said.get("seq")
        at = visits.setdefault(who, {"seq": None, "handle": who, "rounds": 0})
        at["own"] = said.get("link", at.get("own"))
        if kind == "snapshot":
            at |= {"told": [], **said, **(said["story"] or {"seq": None}), "call": None}
        elif kind == "signed" and seq == at["seq"]:
            at["round"], facts = said["round"], [("head", said["head"], at["head"])]
        elif kind == "update" and at["seq"] is not None and seq == at["seq"] + 1:
            at |= {"seq": seq, "head": _digest("update", unhex(at["head"]), raw)}
            for event in said["events"]:
                at["told"].append(event)
                if event["type"] == "bets_closed":
                    at |= {"call": event, "called": at["head"], "told": []}
                if event["type"] in ("round_ended", "round_voided") and at["call"]:
                    facts = check(at, at["call"], [*at["told"]])
        for what, told, due in facts:
            if told != due:
                sys.exit(f"WRONG: {who}, round {at['round']}: {what} {told}, not {due}")
    rounds = sum(at["rounds"] for at in visits.values())
    print(f"Right. Rounds: {rounds}. Neither signatures nor money were checked.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).read_bytes().splitlines())
