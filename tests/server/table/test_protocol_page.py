"""14_14: a client that folds events by the table of docs/protocol.md alone is right.

Each sentence of the table stands here beside the few lines that do what it says, in the
plain objects of JSON. So a sentence that changes needs its lines looked at again.
"""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import pytest

from bj_protocol.codec import encode
from bj_server.settings import load_house
from support.company import Company
from support.evening import Evening

# Long, and other tests cover the same.
pytestmark = pytest.mark.no_cover

Picture = dict[str, Any]


class Change(Protocol):
    """Makes of one picture what the page says of the next."""

    def __call__(self, before: Picture, after: Picture, /) -> None: ...


PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")
HOUSES = (
    "cpsc386",
    "vegas-strip",
    "european",
    "dsc20",
    "iipp6",
    "cs1114",
    "cs220",
    "european, dry",
)
CHANGES: dict[str, Change] = {}


def does(sentence: str) -> Callable[[Change], Change]:
    def keep(change: Change) -> Change:
        CHANGES[" ".join(sentence.split())] = change
        return change

    return keep


class Unbroken(Evening):
    """An evening at one server, for all that is followed is told by it."""

    def _kill(self) -> None:
        pass

    def _change_rules(self) -> None:
        pass


@cache
def rows() -> dict[str, str]:
    """Return the sentence of each type of event."""
    _, _, part = PAGE.partition("### What each event does to the picture")
    table = re.findall(
        r"^\| (`[^|]*`) \| (.*) \|$", part.partition("\n## ")[0], re.MULTILINE
    )
    return {t: text for names, text in table for t in re.findall(r"`(\w+)`", names)}


def seat_of(picture: Picture, event: Picture) -> Picture:
    return next(s for s in picture["seats"] if s["seat"] == event["seat"])


def hand_of(picture: Picture, event: Picture) -> Picture:
    if event["seat"] == 0:
        dealer: Picture = picture["dealer"]
        return dealer
    hand: Picture = seat_of(picture, event)["hands"][event["hand"]]
    return hand


def clear(picture: Picture) -> None:
    for seat in picture["seats"]:
        seat["hands"] = []
    picture["dealer"] |= {"cards": [], "total": None, "soft": False}


def told(picture: Picture) -> Picture:
    """Return what the page promises to follow; the rest is not of the round."""
    kept = ("table", "seq", "seat_count", "phase", "round", "seats", "dealer", "shoe")
    shown: Picture = json.loads(json.dumps({name: picture[name] for name in kept}))
    for hand in (hand for seat in shown["seats"] for hand in seat["hands"]):
        if hand["state"] == "playing":  # no event says so
            hand["state"] = "waiting"
    asks = [] if picture["turn"] is None else picture["turn"]["asks"]
    return shown | {"asks": asks}


def fold(picture: Picture, update: Picture) -> None:
    """Apply one update as the page says."""
    for event in update["events"]:
        CHANGES[rows()[event["type"]]](picture, event)
    picture["seq"], picture["turn"] = update["seq"], update["turn"]
    is_anyone_here = any(seat["presence"] == "here" for seat in picture["seats"])
    is_called = picture["phase"] == "calling"
    if update["turn"] is None and not is_anyone_here and not is_called:
        picture["phase"] = "waiting"
        clear(picture)


def test_14_14_the_page_has_a_row_for_each_event_and_no_row_is_unread() -> None:
    assert set(rows().values()) == set(CHANGES)


@pytest.mark.parametrize("house", HOUSES)
def test_14_14_events_folded_by_the_page_are_what_a_snapshot_shows(
    tmp_path: Path, house: str
) -> None:
    name, _, is_dry = house.partition(", ")
    rules = load_house(name)
    if is_dry:
        few: Picture = {"decks": 1, "cut_card_min": 0, "cut_card_max": 0}
        rules = replace(rules, **few, max_seats=3)
    with Company(tmp_path / "bank", house=rules, seats=rules.max_seats) as rig:
        evening, compared = Unbroken(rig, random.Random(14)), 0
        picture: Picture = {}
        types: set[str] = set() if is_dry else {"discards_shuffled"}
        while rig.table.context.round < 15 or "discards_shuffled" not in types:
            evening._step(is_calm=bool(is_dry))
            if not list(rig.table.context.seats):
                picture = {}  # there is nobody to be shown anything
                continue
            shown = json.loads(encode(rig.picture))
            updates = [
                u for u in rig.outlet.updates if picture and u.seq > picture["seq"]
            ]
            for update in updates:
                fold(picture, json.loads(encode(update)))
                types |= {event.type for event in update.events}
            if updates:
                for name, value in told(shown).items():
                    assert told(picture)[name] == value, (name, updates[-1])
            compared += len(updates)
            picture = picture or shown
        assert compared > 40


@does("Add the seat: `here`, no bet, one spot, no hands, that balance.")
def _(picture: Picture, event: Picture) -> None:
    seat = {"seat": event["seat"], "handle": event["handle"]}
    seat |= {"balance": event["balance"], "presence": "here", "bet": 0, "spots": 1}
    picture["seats"].append(seat | {"hands": []})
    picture["seats"].sort(key=lambda seat: int(seat["seat"]))


@does("Remove the seat.")
def _(picture: Picture, event: Picture) -> None:
    picture["seats"].remove(seat_of(picture, event))


@does("Set the seat's `presence`.")
def _(picture: Picture, event: Picture) -> None:
    seat_of(picture, event)["presence"] = event["presence"]


@does(
    "`phase` is `betting`, and `round` as given. Every seat's `bet` is 0, its `spots` "
    "1, and its `hands` are empty. The dealer has no cards, `total` null and `soft` "
    "false."
)
def _(picture: Picture, event: Picture) -> None:
    picture |= {"phase": "betting", "round": event["round"]}
    for seat in picture["seats"]:
        seat |= {"bet": 0, "spots": 1}
    clear(picture)


@does("Set the seat's `bet`, to `amount`, `spots` and `balance`.")
def _(picture: Picture, event: Picture) -> None:
    seat = seat_of(picture, event)
    seat |= {name: event[name] for name in ("spots", "balance")}
    seat["bet"] = event["amount"]


@does("The seat's `bet` is 0 and its `hands` are empty. Set its `balance`.")
def _(picture: Picture, event: Picture) -> None:
    seat_of(picture, event).update(bet=0, hands=[], balance=event["balance"])


@does("Nothing.")
def _(picture: Picture, event: Picture) -> None:
    pass


@does("Nothing. A snapshot does not tell that even money was taken.")
def _(picture: Picture, event: Picture) -> None:
    pass


@does("Nothing; the hole card stays `??` until `hole_revealed`.")
def _(picture: Picture, event: Picture) -> None:
    pass


@does("Nothing; the total is known.")
def _(picture: Picture, event: Picture) -> None:
    pass


@does("Show the sentence; nothing on the table changes.")
def _(picture: Picture, event: Picture) -> None:
    pass


@does("Set the seat's `balance`.")
def _(picture: Picture, event: Picture) -> None:
    seat_of(picture, event)["balance"] = event["balance"]


@does(
    "Set the seat's `balance`. A snapshot does not keep outcomes; keep them yourself "
    "if you show them."
)
def _(picture: Picture, event: Picture) -> None:
    seat_of(picture, event)["balance"] = event["balance"]


@does("`phase` is `calling`.")
def _(picture: Picture, event: Picture) -> None:
    picture["phase"] = "calling"


@does("Set `decks`, `cards_left` (from `cards`) and `until_cut`.")
def _(picture: Picture, event: Picture) -> None:
    shoe = {"cards_left": event["cards"], "until_cut": event["until_cut"]}
    picture["shoe"] |= shoe | {"decks": event["decks"]}


@does(
    "`phase` is `playing`, and `round` as given. Each seat in `seats` has as many "
    "hands as it has `spots`: no cards, total 0, not soft, `stake` its bet, "
    "`insurance` 0, state `waiting`. Then every seat's `bet` is 0. Set `until_cut`."
)
def _(picture: Picture, event: Picture) -> None:
    picture |= {"phase": "playing", "round": event["round"]}
    picture["shoe"]["until_cut"] = event["until_cut"]
    for seat in picture["seats"]:
        if seat["seat"] in event["seats"]:
            hand = {"total": 0, "soft": False, "stake": seat["bet"], "insurance": 0}
            hand["state"] = "waiting"
            seat["hands"] = [{"cards": []} | hand for _ in range(seat["spots"])]
        seat["bet"] = 0


@does(
    "Add the card to the hand, or to the dealer's for seat 0, and set its `total` and "
    "`soft`. `cards_left` and `until_cut` are one less, `until_cut` not below 0; what "
    "is null stays null."
)
def _(picture: Picture, event: Picture) -> None:
    hand, shoe = hand_of(picture, event), picture["shoe"]
    hand["cards"].append(event["card"])
    hand |= {"total": event["total"], "soft": event["soft"]}
    for name in ("cards_left", "until_cut"):
        if shoe[name] is not None:
            shoe[name] = max(0, shoe[name] - 1)


@does(
    "Move the second card of `hand` to a new hand at the place `new_hand`, state "
    "`waiting`, `insurance` 0. Set both stakes, and the seat's `balance`. The two "
    "cards that follow bring the totals."
)
def _(picture: Picture, event: Picture) -> None:
    seat, hand = seat_of(picture, event), hand_of(picture, event)
    new = {"cards": [hand["cards"].pop()], "total": 0, "soft": False}
    new |= {"stake": event["stake"], "insurance": 0, "state": "waiting"}
    hand["stake"], seat["balance"] = event["stake"], event["balance"]
    seat["hands"].insert(event["new_hand"], new)


@does("Set the hand's `insurance` from `amount`, and the seat's `balance`.")
def _(picture: Picture, event: Picture) -> None:
    hand_of(picture, event)["insurance"] = event["amount"]
    seat_of(picture, event)["balance"] = event["balance"]


@does("The hand's `total` as given, and `soft` false.")
def _(picture: Picture, event: Picture) -> None:
    hand_of(picture, event).update(total=event["total"], soft=False)


@does("Set the hand's `stake` and the seat's `balance`.")
def _(picture: Picture, event: Picture) -> None:
    hand_of(picture, event)["stake"] = event["stake"]
    seat_of(picture, event)["balance"] = event["balance"]


def ends(state: str) -> Change:
    def change(picture: Picture, event: Picture) -> None:
        hand_of(picture, event)["state"] = state

    return change


for _state in ("stood", "twenty_one", "charlie", "busted"):
    does(f"The hand's `state` is `{_state}`.")(ends(_state))
for _state in ("given_up", "surrendered"):
    does(f"The hand's `state` is `{_state}`. Its `stake` stays.")(ends(_state))


@does(
    "Put the card in the place of the dealer's `??`. Set the dealer's `total` and "
    "`soft`."
)
def _(picture: Picture, event: Picture) -> None:
    dealer = picture["dealer"]
    cards = [event["card"] if c == "??" else c for c in dealer["cards"]]
    dealer |= {"cards": cards, "total": event["total"], "soft": event["soft"]}


@does("Set `cards_left` from `cards`.")
def _(picture: Picture, event: Picture) -> None:
    picture["shoe"]["cards_left"] = event["cards"]


@does("`until_cut` is 0.")
def _(picture: Picture, event: Picture) -> None:
    picture["shoe"]["until_cut"] = 0


@does(
    "Set `cards_left` and `until_cut`; `round` is the next one. The cards stay on the "
    "table until `betting_opened`."
)
def _(picture: Picture, event: Picture) -> None:
    picture["shoe"] |= {n: event[n] for n in ("cards_left", "until_cut")}
    picture["round"] = event["round"] + 1


@does(
    "Take all hands and the dealer's cards off the table; `round` is the next one, and "
    "`phase` is `waiting`. Set `cards_left` and `until_cut`."
)
def _(picture: Picture, event: Picture) -> None:
    clear(picture)
    picture |= {"round": event["round"] + 1, "phase": "waiting"}
    picture["shoe"] |= {n: event[n] for n in ("cards_left", "until_cut")}
