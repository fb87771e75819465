"""Check a record by docs/fairness.md alone: python docs/verify_record.py FILE.

It passes over what was joined in the middle, or has no seed yet; status 1 is a fault.
"""

import fileinput
import hmac
import json
import re
import struct
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count, cycle
from typing import Any

PACK = [rank + suit for suit in "shdc" for rank in "23456789TJQKA"]
BY_RANK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
unhex = bytes.fromhex


def key_of(seed: str, cuts: list[dict[str, Any]]) -> bytes:
    """Return the key that the seed and the nonces of a cut make."""
    parts = sorted(bytes([cut["seat"]]) + unhex(cut["nonce"]) for cut in cuts)
    message = b"blackjack table, cut 1" + b"".join(parts)
    return hmac.digest(unhex(seed), message, "sha256")


def drawer(key: bytes) -> Callable[[int], int]:
    """Return what draws numbers below n from the stream of a key."""
    blocks = (hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in count())
    words = (word for block in blocks for word in struct.unpack(">8I", block))
    return lambda n: next(word % n for word in words if word < 2**32 - 2**32 % n)


def refill(key: bytes, words: int) -> Callable[[int], int]:
    """Return what draws for the discards of the shoe that begins after some words."""
    label = b"blackjack table, refill 1" + words.to_bytes(8, "big")
    return drawer(hmac.digest(key, label, "sha256"))


def shuffle(below: Any, cards: list[str]) -> list[str]:
    """Shuffle as Fisher and Yates have it."""
    for at in range(len(cards) - 1, 0, -1):
        pick = below(at + 1)
        cards[at], cards[pick] = cards[pick], cards[at]
    return cards


def lay(below: Any, terms: Any, cards: list[str]) -> tuple[Iterator[str], int | None]:
    """Return the cards in the order of a shoe, and how many lie above the cut card."""
    if terms["shoe"] == "endless":
        return ("A23456789TJQK"[below(13)] + suit for suit in cycle("shdc")), None
    if terms["shoe"] == "never_refilled":
        mongean, overhand = below(6), below(6)
        for k in range(min(overhand, len(cards)), 0, -1):
            at = len(cards) // 2 - (k + 1 - len(cards) % 2) // 2
            cards = cards[at : at + k] + cards[:at] + cards[at + k :]
        for _ in range(mongean):
            cards = cards[1::2][::-1] + cards[::2]
        return iter(cards), None
    shuffle(below, cards)
    low, more = terms["cut_card_min"], terms["cut_card_max"] + 1
    is_cut = terms["shoe"] == "cut_card"
    return iter(cards), len(cards) - low - below(more - low) if is_cut else None


def facts(heard: list[Any], seeds: dict[str, str]) -> Iterator[Any]:  # noqa: C901
    """Yield the round, what was told of a fact, and what was due."""
    number, out, before = 0, list[str](), 0  # the cards out, those of earlier rounds
    key, below, shoe, bound, hole = [None] * 5  # type: Any, Any, Any, Any, Any
    for said in heard:
        number = said.get("round", number) + (said["type"] == "round_ended")
        match said:  # type: ignore[exhaustive-match]
            case {"house": {"terms": terms}, "shoe": {"stream": cut}}:
                below, shoe, shown = None, None, cut["committed"] if cut else ()
                bound = {cut["seat"]: cut["sha256"] for cut in shown}
            case {"type": "cuts_committed", "committed": cuts}:
                bound = {cut["seat"]: cut["sha256"] for cut in cuts}
            case {"type": "reveal_cut", "nonce": own}:
                yield number, sha256(unhex(own)).hexdigest() in bound.values(), True
            case {"type": "shoe_cut", "cuts": cuts, "seed_sha256": sealed}:
                told = {c["seat"]: sha256(unhex(c["nonce"])).hexdigest() for c in cuts}
                told |= {seat: bound.get(seat) for seat in said["missing"]}
                yield number, told, bound
                shoe, known = None, sealed in seeds
                key = key_of(seeds[sealed], cuts) if known else None
                below = drawer(key) if known else None
            case {"type": "shoe_shuffled", "decks": n, "by_hand": by_hand} if below:
                pack = BY_RANK if terms["shoe"] == "never_refilled" else PACK
                shoe, due = lay(below, terms, [*shoe] if by_hand else pack * n)
                yield number, said["until_cut"], due
                out = []
            case {"type": "round_began"}:
                before = len(out)
            case {"type": "discards_shuffled", "cards": left} if shoe:
                yield number, (left, [*shoe]), (before, [])
                shoe = iter(shuffle(refill(key, 0), out[:before]))  # of the first shoe
            case {"type": "card_dealt", "card": card} if shoe:
                out.append(top := next(shoe, "none"))
                hole = top if card == "??" else hole
                yield number, card, "??" if card == "??" else top
            case {"type": "hole_revealed", "card": card} if shoe:
                yield number, card, hole
            case {"type": "seed_revealed", "seed": seed, "seed_sha256": sealed}:
                yield number, sealed, sha256(unhex(seed)).hexdigest()


def main(text: str) -> None:
    """Check a record, and tell of it."""
    seeds = dict(re.findall(r'"seed_sha256": ?"(\w+)", ?"seed": ?"(\w+)"', text))
    heard = dict[Any, list[Any]]()
    for line in map(json.loads, text.splitlines()[1:]):
        said = line.get("heard") or line.get("sent") or {"type": "line"}
        heard.setdefault(line.get("handle"), []).extend([said, *said.get("events", ())])
    for handle in heard:
        for number, told, due in facts(heard[handle], seeds):
            if told != due:
                sys.exit(f"WRONG: {handle}, round {number}: {told}, not {due}")
    print(f"Right. Seeds that were told: {len(seeds)}.")


if __name__ == "__main__":
    with fileinput.input(encoding="utf-8") as lines:
        main("".join(lines))
