from collections import Counter

import pytest

from bj_game.card import PACK, parse_cards
from bj_game.house import House
from bj_game.play import Reply
from bj_game.player import Stake
from bj_game.round import Round
from bj_game.shoe import Shoe, ShoeEmpty, fill_shoe
from bj_game.shuffle import KeyedStream, NumberedStream

HOUSE = House(name="cpsc386", title="")


def test_R21_eight_decks_hold_every_card_eight_times_at_every_moment() -> None:
    shoe = fill_shoe(HOUSE, NumberedStream(21))
    table: list[str] = []
    while not shoe.is_cut_card_out:
        played = Round(HOUSE, shoe, [Stake(seat=1, amount=100, funds=0)])
        while played.prompt:
            played.answer(1, Reply(play=played.prompt.default))
        hands = [player.hands[0] for player in played.players] + [played.dealer]
        table += [str(card) for hand in hands for card in hand.cards]
        rest = [str(card) for card in shoe.order[shoe.dealt :]]
        census = Counter(table + rest)
        assert len(census) == 52
        assert set(census.values()) == {8}


def test_the_cut_card_lies_sixty_to_eighty_cards_from_the_bottom() -> None:
    places = set()
    for seed in range(400):
        shoe = fill_shoe(HOUSE, NumberedStream(seed))
        places.add(shoe.left - shoe.until_cut)
    assert places == set(range(60, 81))


def test_a_stacked_shoe_deals_its_cards_first_and_stays_complete() -> None:
    top = parse_cards("As 9d Kh 7c")
    shoe = fill_shoe(HOUSE, NumberedStream(1), top)
    assert tuple(shoe.draw() for _ in top) == top
    assert Counter(shoe.order) == Counter(PACK * 8)


def test_a_stack_cannot_hold_more_of_a_card_than_the_decks() -> None:
    with pytest.raises(ValueError, match="only 8 of As"):
        fill_shoe(HOUSE, NumberedStream(1), parse_cards("As " * 9))


def test_an_empty_shoe_says_so() -> None:
    shoe = Shoe(parse_cards("As"), below_cut=0)
    shoe.draw()
    with pytest.raises(ShoeEmpty):
        shoe.draw()


def test_a_shoe_can_be_taken_up_where_it_was_left() -> None:
    key = bytes(range(32))
    first, second = (fill_shoe(HOUSE, KeyedStream(key)) for _ in range(2))
    for _ in range(100):
        first.draw()
    resumed = Shoe(
        second.order, below_cut=second.left - second.until_cut, dealt=first.dealt
    )
    assert resumed.until_cut == first.until_cut
    assert resumed.draw() == first.draw()
