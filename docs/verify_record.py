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

RANKS = "23456789TJQKA"
NO_STREAM: dict[str, Any] = {"step": "", "seed_sha256": ""}


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
            if stream["seed_sha256"] != ear.seed:
                take(ear, stream | {"type": "seed_committed"})
            if stream["step"] == "reveal":
                take(ear, stream | {"type": "cuts_committed"})
            ear.key = b""
            if stream["step"] == "cut" and left and not stream["lefts"]:
                late = set(ear.shown or ()) - {cut["seat"] for cut in stream["cuts"]}
                ear.shown = ear.shown or None  # whoever comes later has seen none
                take(ear, stream | {"type": "shoe_cut", "missing": late})
            if ear.key:
                ear.words = stream["words"]
                shuffle(ear, ear.terms["shoe"])
                ear.place = len(ear.order) - left
        case {"type": "seed_committed"}:
            ear.seed, ear.key, ear.shown = said["seed_sha256"], b"", {}
        case {"type": "cuts_committed"}:
            ear.shown = {cut["seat"]: cut["sha256"] for cut in said["committed"]}
            heard, due = [*ear.shown], sorted(ear.shown)
        case {"type": "reveal_cut", "nonce": nonce}:  # ours, once all are bound
            own = sha256(bytes.fromhex(nonce)).hexdigest()
            heard, due = own in ear.shown.values(), True
        case {"type": "shoe_cut", "cuts": cuts, "missing": missing}:
            nonces = {cut["seat"]: bytes.fromhex(cut["nonce"]) for cut in cuts}
            heard = {seat: sha256(nonces[seat]).hexdigest() for seat in nonces}
            heard |= {seat: ear.shown.get(seat) for seat in missing}
            due = heard if ear.shown is None else ear.shown
            message = [b"blackjack table, cut 1"]
            message += [bytes([seat]) + nonces[seat] for seat in sorted(nonces)]
            seed, ear.words = bytes.fromhex(ear.seeds.get(ear.seed, "")), 0
            ear.key = seed and hmac.digest(seed, b"".join(message), "sha256")
        case {"type": "shoe_shuffled"} if not ear.key:
            print(f"{ear.name}: shoe of seed {ear.seed[:8]}, not told, so not checked")
        case {"type": "shoe_shuffled"}:
            words = ear.words
            shuffle(ear, ear.terms["shoe"], is_new=not said["by_hand"])
            heard, due = (said["words"], said["until_cut"]), (words, ear.cut)
        case {"type": "card_dealt", "card": card} if ear.key:
            if ear.terms["shoe"] == "endless":
                rank = "A23456789TJQK"[below(ear, 13)]
                ear.order[ear.place :] = [rank + "shdc"[ear.place % 4]]
            heard, due = card, [*ear.order, "no card"][ear.place]
            if card == "??" and said["seat"] == 0 and not ear.hole:
                heard = ear.hole = due
            ear.place, ear.cards = ear.place + 1, ear.cards + 1
        case {"type": "hole_revealed"} if ear.key and ear.hole:
            heard, due, ear.hole = said["card"], ear.hole, ""
        case {"type": "seed_revealed", "seed": seed}:
            heard, due = said["seed_sha256"], sha256(bytes.fromhex(seed)).hexdigest()
        case {"type": "round_ended", "until_cut": left}:
            until_cut = max(0, ear.cut - ear.place) if ear.key and ear.cut else left
            heard, due = (left, ear.hole), (until_cut, "")
            ear.round += heard == due
        case {"type": "round_voided"}:
            ear.round, ear.hole = ear.round + 1, ""
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
                new = SimpleNamespace(name=name, seeds=seeds, seed=None)
                new.shoes = new.cards = 0
                take(ears.setdefault(name, new), line.get("heard") or line["sent"])
    except (ValueError, LookupError, AttributeError, TypeError) as wrong:
        print(f"WRONG: {name}, {wrong}")
        return 1
    shoes = sum(ear.shoes for ear in ears.values())
    cards = sum(ear.cards for ear in ears.values())
    right = f"{shoes} shoes and {cards} cards are as they had to be."
    print(right if shoes else "No seed was told, so nothing could be checked.")
    return 0 if shoes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
