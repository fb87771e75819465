"""The players that look at the cards which are left: Hi-Lo, and the best of all."""

import pytest

from bj_game.house import House, house_of, rules_of
from bj_game.strategies import (
    BestPlayer,
    Card,
    Hand,
    HiLoPlayer,
    Player,
    PlayerBank,
    View,
)
from game.transcript import load

STRIP = load("vegas-strip")
LOW, HIGH = "2s 3s 4s 5s 6s " * 4, "Ts Js Qs Ks As " * 4
BANK = PlayerBank(990, 10)


def cards(text: str) -> list[Card]:
    return [Card.read(card) for card in text.split()]


def view(seen: str = "", house: House | None = STRIP, left: int | None = 188) -> View:
    return View(
        cards_seen=cards(seen),
        cards_left=left,
        is_shuffled=False,
        house=house,
        last_result=None,
    )


def watching(seen: str = "", **more: object) -> HiLoPlayer:
    player = HiLoPlayer(bet=10)
    player.observe(view(seen, **more))  # type: ignore[arg-type]
    return player


def asked(
    hand: str, up: str = "", seen: str = ""
) -> tuple[Hand, PlayerBank, list[Card], list[Card]]:
    return Hand(cards(hand)), BANK, cards(up), cards(seen)


def test_the_bet_climbs_with_the_true_count_and_stays_within_the_money() -> None:
    assert HiLoPlayer().place_bet(100) == 10
    bets = [watching(seen).place_bet(1000) for seen in (HIGH, "", LOW, LOW * 2)]
    assert bets == [10, 10, 50, 80]
    assert watching(LOW * 2).place_bet(35) == 35


def test_an_endless_shoe_has_no_count() -> None:
    assert watching(LOW, left=None).true_count == 0


def test_plays_change_with_the_count() -> None:
    sixteen = asked("Th 6d", "Td")
    assert watching(HIGH).want_card(*sixteen)
    assert not watching(LOW).want_card(*sixteen)
    tens = asked("Th Kd", "6d")
    assert watching(LOW * 2).want_split(*tens)
    assert not watching().want_split(*tens)
    eleven = asked("6h 5d", "Ac")
    assert watching(LOW).want_double(*eleven)
    assert not watching(HIGH).want_double(*eleven)


def test_it_surrenders_where_the_house_lets_it() -> None:
    player = HiLoPlayer()
    player.observe(view(house=load("atlantic-city")))
    assert player.want_surrender(*asked("Th 6d", "Tc"))
    assert not player.want_surrender(*asked("Th 9d", "Tc"))


@pytest.mark.parametrize(
    ("seen", "up", "pays", "amount"),
    [(LOW, "Ac", "2:1", 5), ("", "Ac", "2:1", 0), (LOW * 2, "Ac", "1:1", 0)]
    + [(LOW * 2, "Tc", "2:1", 0)],
)
def test_it_insures_where_that_pays(seen: str, up: str, pays: str, amount: int) -> None:
    house = house_of(rules_of(STRIP) | {"insurance_pays": pays})
    assert watching(seen, house=house).want_insurance(*asked("Th 9d", up)) == amount


@pytest.mark.parametrize("player", [HiLoPlayer(), BestPlayer()])
def test_without_the_rules_it_draws_below_17(player: Player) -> None:
    assert player.want_card(*asked("Th 6d", "Td"))
    assert not player.want_card(*asked("Th 7d", "Td"))
    assert not player.want_double(*asked("6h 5d", "6d"))  # type: ignore[attr-defined]
    if isinstance(player, HiLoPlayer):
        assert player.want_insurance(*asked("Th 6d", "Ad")) == 0


def test_the_best_player_looks_at_every_card_that_is_out() -> None:
    player = BestPlayer()
    player.observe(view())
    sixteen = "Th 6d"
    # Fives would help the hand; without them it stands.
    fives = "5s 5h 5d 5c " * 4
    assert player.want_card(*asked(sixteen, "Td", f"{sixteen} Td"))
    assert not player.want_card(*asked(sixteen, "Td", f"{sixteen} Td {fives}"))
    assert player.want_split(*asked("8h 8d", "6d", "8h 8d 6d"))
    assert player.want_double(*asked("6h 5d", "6d", "6h 5d 6d"))
    assert not player.want_surrender(*asked("Th 6d", "6d", "Th 6d 6d"))


def test_more_cards_than_a_shoe_has_are_those_of_another() -> None:
    player = BestPlayer()
    player.observe(view())
    assert player.want_card(*asked("Th 6d", "Td", "As " * 17))


def test_the_best_player_needs_no_count_where_the_shoe_has_no_end() -> None:
    player = BestPlayer()
    player.observe(view(house=load("cs1114"), left=None))
    assert player.want_card(*asked("Th 2d"))
    assert not player.want_card(*asked("Th 3d"))
