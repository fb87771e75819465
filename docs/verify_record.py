"""Check a record by docs/fairness.md alone: python docs/verify_record.py FILE.

Status 0: seeds were told, and all that was heard follows. 1: the last line says why.
"""

import hmac
import json
import re
import sys
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

RANKS, ENDLESS = "23456789TJQKA", "A23456789TJQK"
NO_STREAM = {"step": "", "seed_sha256": ""}


def below(ear: Any, n: int) -> int:
    """Draw a number below n from the stream."""
    block = hmac.digest(ear.key, (ear.words // 8).to_bytes(8, "big"), "sha256")
    word = int.from_bytes(block[ear.words % 8 * 4 :][:4], "big")
    ear.words += 1
    return word % n if word < 2**32 - 2**32 % n else below(ear, n)


def shuffle(ear: Any, kind: str, *, is_new: bool = True) -> None:
    """Lay a new shoe with its cut card, or shuffle by hand what is left."""
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
    lowest = len(ear.order) - low
    ear.cut = lowest - below(ear, high - low + 1) if kind == "cut_card" else None


def take(ear: Any, said: dict[str, Any]) -> None:  # noqa: C901
    """Follow what was heard or sent; ValueError if something else was due."""
    heard = due = None  # type: Any
    match said:  # type: ignore[exhaustive-match]
        case {"type": "update", "seq": seq, "events": events} if seq > ear.seq:
            heard, due, ear.seq = seq, ear.seq + 1, seq  # and none that was missed
            for event in events if heard == due else ():
                take(ear, event)
        case {"type": "snapshot", "shoe": {"cards_left": left} as shoe}:
            ear.round, ear.terms, ear.hole = said["round"], said["house"]["terms"], ""
            ear.balances = {seat["seat"]: seat["balance"] for seat in said["seats"]}
            ear.seq, stream = said["seq"], shoe["stream"] or NO_STREAM
            take(ear, stream | {"type": "seed_committed"})
            if stream["step"] == "reveal":
                take(ear, stream | {"type": "cuts_committed"})
            if stream["step"] == "cut" and left and not stream["lefts"]:
                take(ear, stream | {"type": "shoe_cut", "missing": ()})
            if ear.key:
                shuffle(ear, ear.terms["shoe"])
                ear.place = len(ear.order) - left
        case {"type": "seed_committed"}:
            ear.seed, ear.key, ear.shown = said["seed_sha256"], b"", {}
        case {"type": "cuts_committed"}:
            ear.shown = {cut["seat"]: cut["sha256"] for cut in said["committed"]}
            heard, due = [*ear.shown], sorted(ear.shown)
        case {
            "type": "reveal_cut",
            "nonce": nonce,
        }:  # ours: not told too early, and in it
            own = sha256(bytes.fromhex(nonce)).hexdigest()
            heard, due = own in ear.shown.values(), True
        case {"type": "shoe_cut", "cuts": cuts, "missing": missing}:
            nonces = {cut["seat"]: bytes.fromhex(cut["nonce"]) for cut in cuts}
            heard = {seat: sha256(nonces[seat]).hexdigest() for seat in nonces}
            heard |= {seat: ear.shown.get(seat) for seat in missing}
            due = heard if "step" in said else ear.shown  # who came later saw none
            message = b"".join(bytes([seat]) + nonces[seat] for seat in sorted(nonces))
            message, seed = (
                b"blackjack table, cut 1" + message,
                ear.seeds.get(ear.seed, ""),
            )
            ear.key = seed and hmac.digest(bytes.fromhex(seed), message, "sha256")
            ear.words = said.get("words", 0)
        case {"type": "shoe_shuffled"} if ear.key:
            words = ear.words
            shuffle(ear, ear.terms["shoe"], is_new=not said["by_hand"])
            heard, due = (said["words"], said["until_cut"]), (words, ear.cut)
        case {"type": "card_dealt", "card": card} if ear.key:
            if ear.terms["shoe"] == "endless":
                ear.order[ear.place :] = [
                    ENDLESS[below(ear, 13)] + "shdc"[ear.place % 4]
                ]
            heard, due = card, [*ear.order, "no card"][ear.place]
            if card == "??":
                heard = ear.hole = due
            ear.place, ear.cards = ear.place + 1, ear.cards + 1
        case {"type": "hole_revealed"} if ear.key and ear.hole:
            heard, due = said["card"], ear.hole
        case {"type": "seed_revealed", "seed": seed}:
            heard, due = said["seed_sha256"], sha256(bytes.fromhex(seed)).hexdigest()
        case {"type": "round_ended", "until_cut": left}:
            until_cut = max(0, ear.cut - ear.place) if ear.key and ear.cut else left
            heard, due, ear.hole = left, until_cut, ""
            ear.round += heard == due
        case {"payout": payout, "seat": seat, "balance": heard}:
            due = ear.balances[seat] = ear.balances[seat] + payout
        case {"seat": seat, "balance": balance}:
            ear.balances[seat] = balance
    if heard != due:
        raise ValueError(f"round {ear.round}: {said['type']} is {heard}, not {due}")


def main(path: str) -> int:
    """Check the record in a file, and tell of it."""
    text = Path(path).read_text(encoding="utf-8")
    seeds = dict(re.findall(r'"seed_sha256": ?"(\w+)", ?"seed": ?"(\w+)"', text))
    ears, visits, name = dict[str, Any](), 0, "at the start"
    try:
        for line in map(json.loads, text.splitlines()):
            visits += "record" in line
            if "record" not in line:
                name = f"visit {visits}, {line['handle'] or 'watching'}"
                new = SimpleNamespace(name=name, seeds=seeds, shoes=0, cards=0)
                take(ears.setdefault(name, new), line.get("heard") or line["sent"])
    except (ValueError, LookupError, AttributeError, TypeError) as wrong:
        print(f"WRONG: {name}, {wrong}")
        return 1
    shoes, cards = (
        sum(getattr(e, n) for e in ears.values()) for n in ("shoes", "cards")
    )
    right = f"{shoes} shoes and {cards} cards are as they had to be."
    print(right if shoes else "No seed was told, so nothing could be checked.")
    return 0 if shoes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
