"""What docs/fairness.md says of the deal and of the money, in every house."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_server.settings import HOUSES, load_house
from support.linked import LinkedRig
from whole.recorded import Recorded

ROUNDS = 25
STAKED = ("bet_placed", "hand_insured", "hand_split", "hand_doubled")
TIMES = {"lose": 0, "push": 1, "win": 2}
ODDS = {"plain": (1, 1), "1:1": (1, 1), "6:5": (6, 5), "3:2": (3, 2), "2:1": (2, 1)}

Event = dict[str, Any]


@pytest.fixture(scope="module", params=HOUSES)
def visit(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[House, dict[str, Any], list[Event]]:
    """Return a house, and the picture and the events of a visit to it."""
    house = load_house(request.param)
    folder = tmp_path_factory.mktemp("bank")
    with LinkedRig(folder / "bank", house=house, seats=house.max_seats) as rig:
        recorded = Recorded(rig, 11)
        recorded.sit(*("ned21", "lia9", "tess")[: house.max_seats])
        recorded.play(ROUNDS)
        heard = recorded.heard(1)
    return house, heard[0], [event for m in heard for event in m.get("events", ())]


def first_cards(house: House, seats: list[int], spots: dict[int, int]) -> list[Event]:
    """Return where the first cards go, in order, as the page has it."""
    hands = [(seat, hand) for seat in seats for hand in range(spots[seat])]
    twice = [hand for hand in hands for _ in range(2)]
    hole = [] if house.hole_card == "none" else [(0, 0)]
    places = {
        "alternating": [*hands, (0, 0), *hands, *hole],
        "by_hand": [*twice, (0, 0), *hole],
        "dealer_last": twice,
    }[house.deal]
    is_hidden = house.hole_card != "none" and house.deal != "dealer_last"
    backs = [False] * (len(places) - 1) + [is_hidden]
    return [
        {"seat": seat, "hand": hand, "is_back": is_back}
        for (seat, hand), is_back in zip(places, backs, strict=True)
    ]


def test_the_first_cards_go_where_the_page_says(
    visit: tuple[House, dict[str, Any], list[Event]],
) -> None:
    house, _, events = visit
    spots: dict[int, int] = {}
    due: list[Event] = []
    rounds = 0
    for event in events:
        if event["type"] == "bet_placed":
            spots[event["seat"]] = event["spots"]
        elif event["type"] == "round_began":
            assert not due
            due = first_cards(house, event["seats"], spots)
            rounds += 1
        elif event["type"] == "card_dealt" and due:
            is_back = event["card"] == "??"
            heard = {"seat": event["seat"], "hand": event["hand"], "is_back": is_back}
            assert heard == due.pop(0)
        elif event["type"] == "card_dealt":
            assert event["card"] != "??"
    assert rounds >= ROUNDS


def test_every_balance_follows_from_the_one_before(
    visit: tuple[House, dict[str, Any], list[Event]],
) -> None:
    _, picture, events = visit
    balances = {seat["seat"]: seat["balance"] for seat in picture["seats"]}
    for event in events:
        if event["type"] == "player_joined":
            balances[event["seat"]] = event["balance"]
        elif "balance" in event:
            balances[event["seat"]] += gain(event)
            assert event["balance"] == balances[event["seat"]], event


def gain(event: Event) -> int:
    names = ("payout", "amount", "stake")
    cents: int = next(event[name] for name in names if name in event)
    if event["type"] == "hand_doubled":
        cents //= 2
    return -cents * int(event.get("spots", 1)) if event["type"] in STAKED else cents


def test_every_payout_is_what_the_page_says(
    visit: tuple[House, dict[str, Any], list[Event]],
) -> None:
    house, _, events = visit
    settled = [event for event in events if "payout" in event]
    assert len(settled) >= ROUNDS
    for event in settled:
        assert event["payout"] == payout(house, event), event


def payout(house: House, event: Event) -> int:
    if event["type"] == "insurance_settled":
        wager, (times, over) = event["amount"], ODDS[house.insurance_pays]
        return wager + wager * times // over if event["outcome"] == "win" else 0
    stake: int = event["stake"]
    if event["reason"] == "surrendered":
        return stake // 2
    if event["reason"] == "natural":
        times, over = ODDS[house.natural]
        return stake + stake * times // over
    return stake * TIMES[event["outcome"]]


@pytest.mark.parametrize("name", ["cpsc386", "cs220", "dsc20", "vegas-strip"])
def test_the_cards_on_the_table_are_the_last_of_the_shoe(
    tmp_path: Path, name: str
) -> None:
    house = load_house(name)
    with LinkedRig(tmp_path / "bank", house=house, seats=house.max_seats) as rig:
        recorded = Recorded(rig, 12)
        recorded.sit(*("ned21", "lia9")[: house.max_seats])
        for _ in range(6):
            recorded.play_into_a_round()
            picture, shoe = rig.picture, rig.table.context.shoe
            left = picture.shoe.cards_left
            assert left == len(shoe.order) - shoe.dealt
            hands = [hand.cards for seat in picture.seats for hand in seat.hands]
            table = Counter(card for cards in hands for card in cards)
            table.update(picture.dealer.cards)
            last = shoe.order[shoe.dealt - table.total() : shoe.dealt]
            hidden = Counter(map(str, last)) - table
            assert hidden.total() == table["??"] <= 1
            recorded.play(1)
