"""Check a record by docs/fairness.md alone: python docs/verify_record.py FILE.

Status 0: seeds were told, and all that was heard follows. 1: the last line says why.
"""

import hmac
import json
import re
import sys
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

RANKS, PREFIX = "23456789TJQKA", b"blackjack table, cut 1"


def below(ear: Any, n: int) -> int:
    """Draw a number below n from the stream."""
    block = hmac.digest(ear.key, (ear.words // 8).to_bytes(8, "big"), "sha256")
    word = int.from_bytes(block[ear.words % 8 * 4 :][:4], "big")
    ear.words += 1
    return word % n if word < 2**32 - 2**32 % n else below(ear, n)


def shuffle(ear: Any, kind: str, *, is_new: bool = True) -> int | None:
    """Lay a new shoe, or shuffle what is left; return the cards before the cut card."""
    if is_new:
        print(f"{ear.name}: shoe of seed {ear.seed[:8]}, from word {ear.words}")
        ear.order = [r + s for s in "shdc" for r in RANKS] * ear.terms["decks"]
        ear.place, ear.shoes = 0, ear.shoes + 1
    if kind == "never_refilled":
        by_rank = sorted(ear.order, key=lambda card: (RANKS.index(card[0]), card[1]))
        cards = by_rank if is_new else ear.order[ear.place :]
        mongean, overhand = below(ear, 6), below(ear, 6)
        for k in range(min(overhand, len(cards)), 0, -1):
            at = len(cards) // 2 - (k + 1 - len(cards) % 2) // 2
            cards = cards[at : at + k] + cards[:at] + cards[at + k :]
        for _ in range(mongean):
            cards = cards[1::2][::-1] + cards[::2]
        ear.order[ear.place :] = cards
    elif kind != "endless":
        for at in range(len(ear.order) - 1, 0, -1):
            pick = below(ear, at + 1)
            ear.order[at], ear.order[pick] = ear.order[pick], ear.order[at]
    low, high = ear.terms["cut_card_min"], ear.terms["cut_card_max"]
    places = len(ear.order) - low
    return places - below(ear, high - low + 1) if kind == "cut_card" else None


def take(ear: Any, said: dict[str, Any], seeds: dict[str, str]) -> None:  # noqa: C901
    """Follow what was heard or sent; ValueError if something else was due."""
    heard = due = None  # type: Any
    match said:  # type: ignore[exhaustive-match]
        case {"type": "update"}:
            for event in said["events"]:
                take(ear, event, seeds)
        case {"type": "snapshot", "you": you, "shoe": {"cards_left": left} as shoe}:
            ear.round, ear.terms, ear.hole = said["round"], said["house"]["terms"], ""
            ear.balances = {seat["seat"]: seat["balance"] for seat in said["seats"]}
            ear.seat, stream = you and you["seat"], shoe["stream"] or {"step": ""}
            ear.seed, ear.key, ear.shown = stream.get("seed_sha256", ""), b"", None
            if stream["step"] == "cut" and left and not stream["lefts"]:
                take(ear, stream | {"type": "shoe_cut", "missing": ()}, seeds)
            if ear.key:
                shuffle(ear, ear.terms["shoe"])
                ear.place = len(ear.order) - left
        case {"type": "seed_committed"}:
            ear.seed, ear.key, ear.shown = said["seed_sha256"], b"", {}
        case {"type": "cuts_committed"}:
            ear.shown = {cut["seat"]: cut["sha256"] for cut in said["committed"]}
            heard, due = [*ear.shown], sorted(ear.shown)
        case {"type": "reveal_cut", "nonce": nonce}:
            heard, due, ear.own[ear.seed] = bool(ear.shown), True, bytes.fromhex(nonce)
        case {"type": "shoe_cut", "cuts": cuts, "missing": missing}:
            nonces = {cut["seat"]: bytes.fromhex(cut["nonce"]) for cut in cuts}
            heard = {seat: sha256(nonces[seat]).hexdigest() for seat in nonces}
            heard |= {seat: ear.shown.get(seat) for seat in missing}
            due = heard if ear.shown is None else ear.shown
            if ear.seed in ear.own and ear.seat not in missing:
                due = due | {ear.seat: sha256(ear.own[ear.seed]).hexdigest()}
            message = b"".join(bytes([seat]) + nonces[seat] for seat in sorted(nonces))
            ear.words, seed = (
                said.get("words", 0),
                bytes.fromhex(seeds.get(ear.seed, "")),
            )
            ear.key = seed and hmac.digest(seed, PREFIX + message, "sha256")
        case {"type": "shoe_shuffled"} if ear.key:
            heard, word = (said["words"], said["until_cut"]), ear.words
            due = word, shuffle(ear, ear.terms["shoe"], is_new=not said["by_hand"])
        case {"type": "card_dealt", "card": card} if ear.key:
            if ear.terms["shoe"] == "endless":
                rank, suit = "A23456789TJQK"[below(ear, 13)], "shdc"[ear.place % 4]
                ear.order[ear.place :] = [rank + suit]
            heard, due = card, ear.order[ear.place]
            if card == "??":
                heard = ear.hole = due
            ear.place, ear.cards = ear.place + 1, ear.cards + 1
        case {"type": "hole_revealed"} if ear.key and ear.hole:
            heard, due = said["card"], ear.hole
        case {"type": "seed_revealed", "seed": seed}:
            heard, due = said["seed_sha256"], sha256(bytes.fromhex(seed)).hexdigest()
        case {"type": "round_ended"}:
            ear.round, ear.hole = ear.round + 1, ""
        case {"payout": payout, "seat": seat, "balance": heard}:
            due = ear.balances[seat] = ear.balances[seat] + payout
        case {"seat": seat, "balance": balance}:
            ear.balances[seat] = balance
    if heard != due:
        raise ValueError(f"round {ear.round}: {said['type']} is {heard}, not {due}")


def main(path: str) -> int:
    """Check the record in a file, and tell of it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    seeds = dict(re.findall(r'"seed_sha256": ?"(\w+)", ?"seed": ?"(\w+)"', text))
    ears, visits = dict[str, Any](), 0
    for line in map(json.loads, text.splitlines()):
        visits += "record" in line
        name = f"visit {visits}, {line.get('handle') or 'watching'}"
        new = SimpleNamespace(name=name, own={}, shoes=0, cards=0, round=0, hole="")
        try:
            if "handle" in line:
                said = line.get("heard") or line["sent"]
                take(ears.setdefault(name, new), said, seeds)
        except (ValueError, LookupError, AttributeError) as wrong:
            print(f"WRONG: {name}, {wrong}")
            return 1
    shoes = sum(ear.shoes for ear in ears.values())
    cards = sum(ear.cards for ear in ears.values())
    right = f"{shoes} shoes and {cards} cards are as they had to be."
    print(right if shoes else "No seed was told, so nothing could be checked.")
    return 0 if shoes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
