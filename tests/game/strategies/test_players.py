"""The players that ship, each by its own rule."""

from dataclasses import replace
from random import Random

import pytest

from bj_game.card import PACK
from bj_game.odds import values
from bj_game.play import Play
from bj_game.strategies import (
    BasicPlayer,
    Card,
    ConservativePlayer,
    CountingPlayer,
    DealerPlayer,
    FullPlayer,
    Hand,
    HiLoPlayer,
    Player,
    PlayerBank,
    RandomPlayer,
    SteadyPlayer,
    ThresholdPlayer,
    View,
)
from game.transcript import load

Asked = tuple[Hand, PlayerBank, list[Card], list[Card]]

BANK = PlayerBank(90, 10)
HOUSE = load("vegas-strip")


def read(text: str) -> list[Card]:
    return [Card.read(card) for card in text.split()]


def wants_card(player: Player, cards: str, upcard: str = "9h", seen: str = "") -> bool:
    return player.want_card(Hand(read(cards)), BANK, read(upcard), read(seen))


@pytest.mark.parametrize(
    "player",
    [
        BasicPlayer(bet=25),
        ConservativePlayer(bet=25),
        CountingPlayer(bet=25),
        DealerPlayer(bet=25),
        ThresholdPlayer(bet=25),
    ],
    ids=lambda player: type(player).__name__,
)
def test_a_steady_player_bets_the_same_and_never_more_than_it_has(
    player: Player,
) -> None:
    assert [player.place_bet(balance) for balance in (1000, 25, 7)] == [25, 25, 7]
    assert isinstance(player, SteadyPlayer)


def test_aces_are_high_unless_that_busts() -> None:
    player = DealerPlayer()
    assert player.use_ace_hi(Hand(read("As 6d")))
    assert not player.use_ace_hi(Hand(read("5s 7d Ac")))


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [("5s 6d", True), ("5s 7d", False), ("As 5d", True), ("As 6d", False)],
)
def test_the_conservative_player_draws_only_what_cannot_bust(
    cards: str, wanted: bool
) -> None:
    assert wants_card(ConservativePlayer(), cards) is wanted


@pytest.mark.parametrize(
    ("threshold", "cards", "wanted"),
    [
        (15, "Ts 4d", True),
        (15, "Ts 5d", False),
        (2, "2s 2d", False),
        (21, "Ts Td", True),
    ],
)
def test_the_threshold_player_stands_at_its_threshold(
    threshold: int, cards: str, wanted: bool
) -> None:
    assert wants_card(ThresholdPlayer(threshold), cards) is wanted


def test_the_dealer_draws_below_17() -> None:
    drawn = [wants_card(DealerPlayer(), cards) for cards in ("Ts 6d", "Ts 7d", "As 6d")]
    assert drawn == [True, False, False]


def test_the_random_player_repeats_itself_from_the_same_seed() -> None:
    def play(seed: int) -> list[int]:
        player = RandomPlayer(Random(seed))
        asked: Asked = (Hand(), BANK, [], [])
        return [
            answer
            for _ in range(20)
            for answer in (
                player.place_bet(100),
                player.use_ace_hi(Hand()),
                player.want_card(*asked),
                player.want_double(*asked),
                player.want_split(*asked),
            )
        ]

    assert play(1) == play(1) != play(2)
    assert all(1 <= bet <= 100 for bet in play(3)[::5])
    assert RandomPlayer(Random(1)).place_bet(0) == 0


def test_the_counting_player_reckons_from_the_cards_dealt() -> None:
    fourteen = Hand(read("Ts 4d"))
    player = CountingPlayer()
    assert player.chance_to_bust(fourteen, read("Ts 4d")) == pytest.approx(23 / 50)
    small = "2s 2h 2d 2c 3s 3h 3d 3c 4s 4h 4c 5s 5h 5d 5c 6s 6h"
    assert wants_card(player, "Ts 4d", seen="Ts 4d")
    assert not wants_card(player, "Ts 4d", seen=f"Ts 4d {small}")
    assert not wants_card(player, "As 7d", seen="As 7d")
    assert player.chance_to_bust(Hand(read("Ts 5d 8c")), []) == 1


def test_the_counting_player_sees_how_many_packs_there_must_be() -> None:
    sixteen = Hand(read("Ts 6d"))
    seen = read("Ts Ts Ts 6d")
    few, many = CountingPlayer(), CountingPlayer(8)
    assert few.chance_to_bust(sixteen, seen) == pytest.approx((96 - 4) / (156 - 4))
    assert many.chance_to_bust(sixteen, seen) == pytest.approx((256 - 4) / (416 - 4))


def test_the_counting_player_takes_a_shoe_that_is_all_seen_for_a_new_one() -> None:
    seen = [Card.read(str(card)) for card in PACK]
    assert CountingPlayer().chance_to_bust(Hand(read("Ts 6d")), seen) == 32 / 52


@pytest.mark.parametrize(
    ("cards", "upcard", "card", "double", "split"),
    [
        ("Ts 6d", "Th", True, False, False),
        ("Ts 6d", "6h", False, False, False),
        ("6s 5d", "6h", True, True, False),
        ("8s 8d", "Th", True, False, True),
        ("Ts 6d", "", True, False, False),
        ("8s 8d", "", True, False, False),
        ("Ts 8d", "", False, False, False),
        ("Ts 7d", "", False, False, False),
    ],
)
def test_the_basic_player_plays_by_the_table(
    cards: str, upcard: str, card: bool, double: bool, split: bool
) -> None:
    player = BasicPlayer(house=HOUSE)
    asked = (Hand(read(cards)), BANK, read(upcard), read(upcard))
    assert player.want_card(*asked) is card
    assert player.want_double(*asked) is double
    assert player.want_split(*asked) is split


def test_13_7_the_basic_player_stands_on_what_the_aces_count() -> None:
    asked: Asked = (Hand(read("As 8d"), 9), BANK, read("6h"), read("6h"))
    player = BasicPlayer(house=load("cs220"))
    assert player.want_card(*asked)
    assert not player.want_card(Hand(read("As 8d"), 19), *asked[1:])


def test_what_a_player_may_do_is_known_to_the_types() -> None:
    class Leaver(HiLoPlayer):
        def want_to_leave(self, balance: int) -> bool:
            return not balance

    player: FullPlayer = Leaver()
    assert callable(player.want_double)
    assert callable(player.want_split)


def test_13_7_the_counting_player_takes_the_packs_from_the_rules() -> None:
    sixteen, seen = Hand(read("Ts 6d")), read("Ts 6d")
    view = View(
        cards_seen=seen,
        cards_left=206,
        is_shuffled=False,
        house=HOUSE,
        last_result=None,
    )
    known, told = CountingPlayer(), CountingPlayer(8)
    for player in (known, told):
        player.observe(view)
    assert known.chance_to_bust(sixteen, seen) == pytest.approx((128 - 2) / (208 - 2))
    assert told.chance_to_bust(sixteen, seen) == pytest.approx((256 - 2) / (416 - 2))
    known.observe(replace(view, house=replace(HOUSE, shoe="endless")))
    assert known.chance_to_bust(sixteen, seen) == 32 / 52
    known.observe(replace(view, house=None))
    assert view.decks_left == 206 / 52
    assert replace(view, cards_left=None).decks_left is None


def test_20_5_the_basic_player_splits_no_pair_that_is_better_doubled() -> None:
    asked: Asked = (Hand(read("5s 5d")), BANK, read("6h"), read("6h"))
    house = replace(HOUSE, shoe="endless", dealer_draws="never")
    worths = values(house, ["5s", "5d"], "6h")
    best, second, *_ = sorted(worths, key=worths.__getitem__, reverse=True)
    assert (best, second) == (Play.DOUBLE, Play.SPLIT)
    assert not BasicPlayer(house=house).want_split(*asked)
    assert BasicPlayer(house=house).want_double(*asked)


def test_13_7_the_basic_player_takes_the_rules_from_the_view() -> None:
    player = BasicPlayer()
    asked: Asked = (Hand(read("8s 8d")), BANK, read("Ah"), read("Ah"))
    for name, splits in (("vegas-strip", True), ("european", False)):
        player.observe(
            View(
                cards_seen=[],
                cards_left=None,
                is_shuffled=False,
                house=load(name),
                last_result=None,
            )
        )
        assert player.want_split(*asked) is splits
    asked = (Hand(read("Ts 6d")), BANK, read("Th"), read("Th"))
    house = load("atlantic-city")
    assert BasicPlayer(house=house).want_surrender(*asked)
    for cards in ("Ts 9d", "Ts 4d"):  # a dealer who has looked has no blackjack
        hand = Hand(read(cards))
        assert not BasicPlayer(house=house).want_surrender(hand, *asked[1:])
    assert not BasicPlayer().want_surrender(*asked)
