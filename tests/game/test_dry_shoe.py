"""A shoe that is empty within a round goes on with its discards."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bj_game.card import PACK, Card, parse_cards
from bj_game.event import CardDealt, DiscardsShuffled
from bj_game.house import House
from bj_game.play import IllegalPlayError, Play, Reason, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe, ShoeEmptyError, fill_shoe
from bj_game.shuffle import KeyedStream, NumberedStream, Randomness
from game.transcript import load

DRY = House(name="dry", title="", decks=1, cut_card_min=0, cut_card_max=0)
SEVEN = replace(DRY, max_seats=7, insurance="none")


def cards_of(played: Round) -> list[Card]:
    """Return the cards on the table."""
    hands = [played.dealer, *(hand for p in played.players for hand in p.hands)]
    return [card for hand in hands for card in hand.cards]


def seats(count: int) -> list[Stake]:
    """Return so many seats, of one hand each."""
    return [Stake(seat=seat, amount=100, funds=500) for seat in range(1, count + 1)]


def hit_on(played: Round) -> None:
    """Hit whenever that may be done."""
    while played.prompt:
        hit = Play.HIT if Play.HIT in played.prompt.plays else played.prompt.default
        played.answer(played.prompt.seat, Reply(play=hit))


@pytest.mark.parametrize("seed", range(30))
def test_R1_one_seat_hits_to_the_end_of_one_deck_and_the_round_goes_on(
    seed: int,
) -> None:
    shoe = fill_shoe(DRY, NumberedStream(seed))
    refills = 0
    while not shoe.is_cut_card_out:
        played = Round(DRY, shoe, [Stake(seat=1, amount=100, funds=0)])
        hit_on(played)
        events = played.take_events()
        refills = sum(isinstance(event, DiscardsShuffled) for event in events)
    assert refills == (shoe.discards is not None)
    assert shoe.until_cut == 0


@pytest.mark.no_cover  # the same lines, over and over
def test_R21_every_card_is_there_once_before_and_after_a_refill() -> None:
    for seed in range(40):
        shoe = fill_shoe(DRY, NumberedStream(seed))
        while not shoe.is_cut_card_out:
            discards = list(shoe.order[: shoe.dealt])
            stakes = [Stake(seat=seat, amount=100, funds=0) for seat in (1, 2, 3)]
            played = Round(DRY, shoe, stakes)
            while True:
                gone = discards if shoe.discards is None else []
                rest = shoe.order[shoe.dealt :]
                assert Counter([*gone, *cards_of(played), *rest]) == Counter(PACK)
                if played.prompt is None:
                    break
                hit = Play.HIT in played.prompt.plays
                play = Play.HIT if hit else played.prompt.default
                played.answer(played.prompt.seat, Reply(play=play))


def dealt_out(shoe: Shoe) -> Shoe:
    while shoe.left:
        shoe.draw()
    return shoe


def test_the_discards_are_told_before_the_card_that_needs_them() -> None:
    top = parse_cards("Ts 9h 2s 8h")
    shoe = fill_shoe(DRY, NumberedStream(1), top)
    rest = Shoe(shoe.order, below_cut=0, dealt=48, refills=NumberedStream(2))
    played = Round(DRY, rest, [Stake(seat=1, amount=100, funds=0)])
    played.take_events()
    played.answer(1, Reply(play=Play.HIT))
    first, second, *_ = played.take_events()
    assert first == DiscardsShuffled(cards=48)
    assert isinstance(second, CardDealt)
    assert second.card in map(str, top + shoe.order[4:48])


def test_a_shoe_may_run_dry_in_the_deal_as_well() -> None:
    order = fill_shoe(DRY, NumberedStream(1)).order
    shoe = Shoe(order, below_cut=0, dealt=50, refills=NumberedStream(2))
    played = Round(DRY, shoe, [Stake(seat=1, amount=100, funds=0)])
    assert DiscardsShuffled(cards=50) in played.take_events()
    assert len(set(cards_of(played))) == len(cards_of(played)) >= 4


def test_a_refill_keeps_the_cut_card_out_and_a_shoe_without_one_has_none() -> None:
    for house, until in ((DRY, 0), (load("iipp6"), None)):
        shoe = dealt_out(fill_shoe(house, NumberedStream(1)))
        assert shoe.refill(on_table=10) == shoe.discards == 42
        assert (shoe.left, shoe.until_cut) == (42, until)
        shoe.draw()
        assert not shoe.just_reached_cut


def test_with_every_card_on_the_table_there_is_nothing_to_refill() -> None:
    shoe = dealt_out(fill_shoe(DRY, NumberedStream(1)))
    with pytest.raises(ShoeEmptyError):
        shoe.refill(on_table=52)


@pytest.mark.parametrize("source", [KeyedStream, NumberedStream])
def test_a_refill_disturbs_no_number_of_the_shoes_that_follow(
    source: type[KeyedStream | NumberedStream],
) -> None:
    def fresh() -> Randomness:
        return KeyedStream(bytes(32)) if source is KeyedStream else NumberedStream(5)

    one, other = fresh(), fresh()
    first, again = (dealt_out(fill_shoe(DRY, numbers)) for numbers in (one, other))
    first.refill(on_table=9)
    second = fill_shoe(DRY, one)
    assert second.order == fill_shoe(DRY, other).order
    again.refill(on_table=9)
    assert again.order == first.order
    dealt_out(second).refill(on_table=9)
    assert Counter(second.order) == Counter(PACK)
    assert second.order[9:] != first.order[9:]


def test_a_branch_is_neither_its_stream_nor_another_branch() -> None:
    for stream in (KeyedStream(bytes(32)), NumberedStream(3)):
        numbers = [
            [each.below(2**32) for _ in range(4)]
            for each in (stream, stream.branch(b"one label"), stream.branch(b"another"))
        ]
        assert len({tuple(few) for few in numbers}) == 3


@pytest.mark.no_cover  # the same lines, over and over
def test_a_refill_is_as_even_as_any_shuffle() -> None:
    firsts: Counter[Card] = Counter()
    for number in range(5200):
        shoe = Shoe(PACK, dealt=52, refills=KeyedStream(number.to_bytes(32, "big")))
        shoe.refill(on_table=12)
        firsts[shoe.draw()] += 1
    assert set(firsts) == set(PACK[:40])
    chi_square = sum((firsts[card] - 130) ** 2 / 130 for card in PACK[:40])
    assert chi_square < 62.4  # 39 degrees of freedom, 99%


# Every card on the table: that no house can come to.


@pytest.mark.parametrize(
    ("rules", "hands"),
    [
        ({"decks": 1}, 10),
        ({"decks": 2}, 22),
        ({"decks": 8, "complete_at_21": False}, 87),
        ({"decks": 1, "hit": False, "double": "none"}, 16),
    ],
)
def test_the_decks_are_enough_for_so_many_hands(
    rules: dict[str, Any], hands: int
) -> None:
    assert replace(SEVEN, **rules).most_hands == hands


def test_an_endless_shoe_is_enough_for_any_number_of_hands() -> None:
    assert load("cs1114").most_hands is None


@pytest.mark.no_cover  # the same lines, over and over
@pytest.mark.parametrize("decks", [1, 2])
def test_no_order_of_the_cards_lacks_one_with_as_many_hands_as_there_may_be(
    decks: int,
) -> None:
    house = replace(SEVEN, decks=decks, shoe="every_round", complete_at_21=False)
    chance, least = random.Random(decks), 52
    spots = house.most_hands
    assert spots is not None
    for number in range(120):
        order = sorted(PACK * decks, key=lambda card: (card.value, chance.random()))
        if number % 3:
            # Small cards first, and tens to bust them all, with more or less disorder.
            for _ in range(number):
                place = chance.randrange(len(order) - 3)
                order[place : place + 3] = reversed(order[place : place + 3])
        shoe = Shoe(order[:: -1 if number % 2 else 1])
        played = Round(house, shoe, seats(spots))
        hit_on(played)
        assert shoe.left is not None
        least = min(least, shoe.left)
    assert 0 < least < 20


def test_no_split_makes_more_hands_than_the_decks_are_enough_for() -> None:
    house = replace(SEVEN, insurance_asked="all_first")
    shoe = Shoe([*PACK, *PACK])
    played = Round(house, shoe, seats(10))
    while played.prompt:
        assert Play.SPLIT not in played.prompt.plays
        played.answer(played.prompt.seat, Reply(play=Play.STAND))


@pytest.mark.parametrize("insurance", ["none", "ace_or_ten"])
def test_a_split_is_refused_where_the_cards_are_enough_for_no_more_hands(
    insurance: Any,
) -> None:
    house = replace(SEVEN, insurance=insurance)
    eights = [Card(rank="8", suit=suit) for suit in "shdc"]
    tens = [Card(rank=rank, suit=suit) for rank in "TJ" for suit in "shdc"]
    first = [eights[0], *tens, eights[1], Card(rank="K", suit="s")]
    order = [*first, eights[2], *tens, eights[3], *PACK]
    played = Round(house, Shoe(order), seats(10))
    refused = set()
    while played.prompt:
        try:
            played.answer(played.prompt.seat, Reply(play=Play.SPLIT))
        except IllegalPlayError as illegal:
            refused.add(illegal.reason)
        else:
            pytest.fail("an eleventh hand is on the table")
        stand = Play.STAND in played.prompt.plays
        play = Play.STAND if stand else Play.DECLINE
        played.answer(played.prompt.seat, Reply(play=play))
    assert Reason.TOO_MANY_HANDS in refused
