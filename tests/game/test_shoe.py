from collections import Counter

import pytest

from bj_game.card import CARDS, PACK, parse_cards
from bj_game.house import House
from bj_game.play import Reply, Stake
from bj_game.round import Round
from bj_game.shoe import (
    HomemadeShoe,
    Shoe,
    ShoeContents,
    ShoeEmptyError,
    fill_shoe,
    new_shoe,
    shoe_of,
)
from bj_game.shuffle import KeyedStream, NumberedStream, modified_overhand, mongean
from game.transcript import load

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


@pytest.mark.no_cover  # the same lines, over and over
def test_the_cut_card_lies_sixty_to_eighty_cards_from_the_bottom() -> None:
    places = set()
    for seed in range(400):
        shoe = fill_shoe(HOUSE, NumberedStream(seed))
        assert shoe.until_cut is not None
        places.add(len(shoe.order) - shoe.until_cut)
    assert places == set(range(60, 81))


def test_a_stacked_shoe_deals_its_cards_first_and_stays_complete() -> None:
    top = parse_cards("As 9d Kh 7c")
    shoe = fill_shoe(HOUSE, NumberedStream(1), top)
    assert tuple(shoe.draw() for _ in top) == top
    assert Counter(shoe.order) == Counter(PACK * 8)
    assert all(card is CARDS[card.text] for card in shoe.order)


def test_a_stack_cannot_hold_more_of_a_card_than_the_decks() -> None:
    with pytest.raises(ValueError, match="only 8 of As"):
        fill_shoe(HOUSE, NumberedStream(1), parse_cards("As " * 9))


def test_an_empty_shoe_says_so() -> None:
    shoe = Shoe(parse_cards("As"), below_cut=0)
    shoe.draw()
    with pytest.raises(ShoeEmptyError):
        shoe.draw()


def test_a_shoe_can_be_taken_up_where_it_was_left() -> None:
    key = bytes(range(32))
    first, second = (fill_shoe(HOUSE, KeyedStream(key)) for _ in range(2))
    assert second.until_cut is not None
    below_cut = len(second.order) - second.until_cut
    for _ in range(100):
        first.draw()
    resumed = Shoe(second.order, below_cut=below_cut, dealt=first.dealt)
    assert resumed.until_cut == first.until_cut
    assert resumed.draw() == first.draw()


def test_the_cut_card_is_out_with_the_card_above_it() -> None:
    shoe = Shoe(parse_cards("As 9d Kh 7c"), below_cut=2)
    shoe.draw()
    assert (shoe.is_cut_card_out, shoe.just_reached_cut) == (False, False)
    shoe.draw()
    assert (shoe.is_cut_card_out, shoe.just_reached_cut) == (True, True)


def test_a_deck_that_is_laid_again_has_as_many_cards_left() -> None:
    first = fill_shoe(load("dsc20"), NumberedStream(1))
    for _ in range(12):
        first.draw()
    assert shoe_of(load("dsc20"), first.contents).left == first.left == 40


def test_cs1114_04_with_seed_13_the_first_draws_are_five_five_and_jack() -> None:
    shoe = fill_shoe(load("cs1114"), NumberedStream(13))
    assert [shoe.draw().rank for _ in range(3)] == ["5", "5", "J"]
    assert shoe.left is None
    assert shoe.until_cut is None
    assert not shoe.is_cut_card_out


def test_an_endless_shoe_can_be_stacked_too() -> None:
    shoe = fill_shoe(load("cs1114"), NumberedStream(13), parse_cards("As Kd"))
    assert [shoe.draw().rank for _ in range(3)] == ["A", "K", "5"]


def test_an_endless_shoe_deals_more_of_a_card_than_any_deck_has() -> None:
    shoe = fill_shoe(load("cs1114"), NumberedStream(2))
    ranks = Counter(shoe.draw().rank for _ in range(13_000))
    assert len(ranks) == 13
    chi_square = sum((count - 1000) ** 2 / 1000 for count in ranks.values())
    assert chi_square < 26.22  # 12 degrees of freedom, 99%


def test_a_shoe_for_every_round_has_no_cut_card() -> None:
    shoe = fill_shoe(load("iipp6"), NumberedStream(1))
    assert (shoe.left, shoe.until_cut) == (52, None)


class Wanted(NumberedStream):
    """A source that gives the numbers that a test wants."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(0)
        self.numbers = list(numbers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return self.numbers.pop(0)


def test_dsc20_01_a_new_deck_is_in_ascending_order() -> None:
    deck = [str(card) for card in HomemadeShoe().order]
    assert deck[:5] == ["2c", "2d", "2h", "2s", "3c"]
    assert deck[-4:] == ["Ac", "Ad", "Ah", "As"]


def test_dsc20_03_the_number_for_mongean_is_drawn_first_and_done_last() -> None:
    wanted = Wanted(2, 3)
    shoe = fill_shoe(load("dsc20"), wanted)
    deck = list(HomemadeShoe().order)
    assert list(shoe.order) == mongean(mongean(modified_overhand(deck, 3)))
    assert wanted.bounds == [6, 6]


def test_dsc20_03_only_what_is_left_is_shuffled() -> None:
    shoe = HomemadeShoe()
    dealt = [shoe.draw() for _ in range(10)]
    shoe.arrange(Wanted(1, 0))
    assert list(shoe.order[:10]) == dealt
    assert list(shoe.order[10:]) == mongean(HomemadeShoe().order[10:])


def test_dsc20_03_few_cards_can_be_shuffled_too() -> None:
    shoe = HomemadeShoe()
    for _ in range(49):
        shoe.draw()
    shoe.arrange(Wanted(0, 5))
    assert shoe.left == 3


def test_a_homemade_shoe_can_be_stacked() -> None:
    top = parse_cards("As Kd")
    shoe = fill_shoe(load("dsc20"), Wanted(5, 5), top)
    assert shoe.order[:2] == top
    assert Counter(shoe.order) == Counter(PACK)


def test_an_endless_shoe_is_empty_until_it_is_arranged() -> None:
    shoe = new_shoe(load("cs1114"))
    with pytest.raises(ShoeEmptyError):
        shoe.draw()


SPOILED: dict[str, ShoeContents] = {
    "more cards are stacked than there are": ShoeContents(
        left=(0,) * 52, top=parse_cards("As")
    ),
    "the cut card is where the house never puts it": ShoeContents(
        left=(8,) * 52, below_cut=81
    ),
    "the cut card was not placed when the first card came out": ShoeContents(
        left=(7,) * 52
    ),
    "there are no counts of the cards": ShoeContents(left=None),
    "there are only 8 of 2s in the shoe": ShoeContents(left=(9,) * 52),
}


@pytest.mark.parametrize("sentence", SPOILED)
def test_what_no_shoe_of_the_house_has_makes_none(sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        shoe_of(HOUSE, SPOILED[sentence])


@pytest.mark.parametrize("below_cut", [59, 81])
def test_no_cut_card_lies_beyond_its_band(below_cut: int) -> None:
    with pytest.raises(ValueError, match="the house never puts it"):
        shoe_of(HOUSE, ShoeContents(left=(8,) * 52, below_cut=below_cut))


@pytest.mark.parametrize("below_cut", [60, 80])
def test_a_cut_card_may_lie_at_either_end_of_its_band(below_cut: int) -> None:
    contents = ShoeContents(left=(8,) * 52, below_cut=below_cut)
    assert shoe_of(HOUSE, contents).contents == contents


def test_a_shoe_of_counts_without_a_cut_card_places_it_when_it_is_arranged() -> None:
    shoe = shoe_of(HOUSE, ShoeContents(left=(8,) * 52))
    assert shoe.until_cut is None
    shoe.arrange(NumberedStream(1))
    assert shoe.until_cut == fill_shoe(HOUSE, NumberedStream(1)).until_cut


def test_a_shoe_of_counts_may_lack_cards_and_have_others_stacked() -> None:
    left = (0, *(7,) * 51)
    top = parse_cards("3s 4s")
    shoe = shoe_of(HOUSE, ShoeContents(left=left, below_cut=70, top=top))
    shoe.arrange(NumberedStream(1))
    assert (shoe.draw(), shoe.draw()) == top
    assert shoe.left == 7 * 51 - 2
    assert "2s" not in {str(card) for card in shoe.order[shoe.dealt :]}


def test_a_shoe_that_nobody_stacked_is_shuffled_from_its_first_card_on() -> None:
    firsts = set()
    for seed in range(60):
        shoe = Shoe(PACK)
        shoe.arrange(NumberedStream(seed))
        firsts.add(shoe.draw())
    assert len(firsts) > 20


def test_a_card_that_is_drawn_is_no_more_among_those_that_are_left() -> None:
    shoe = fill_shoe(HOUSE, NumberedStream(1))
    drawn = Counter(shoe.draw() for _ in range(300))
    counts = shoe.contents.left
    assert counts is not None
    assert Counter(dict(zip(PACK, counts, strict=True))) + drawn == Counter(PACK * 8)


def test_the_stacked_cards_that_are_still_to_come_are_told() -> None:
    top = parse_cards("As 9d Kh 7c")
    shoe = fill_shoe(HOUSE, NumberedStream(1), top)
    assert shoe.contents.top == top
    shoe.draw()
    assert shoe.contents.top == top[1:]
    assert shoe_of(HOUSE, shoe.contents).contents == shoe.contents


def test_the_cut_card_is_reached_by_one_card_alone() -> None:
    shoe = fill_shoe(HOUSE, NumberedStream(1))
    above = shoe.until_cut
    assert above is not None
    assert not shoe.just_reached_cut
    reached: list[int] = []
    for number in range(1, above + 10):
        shoe.draw()
        if shoe.just_reached_cut:
            reached.append(number)
    assert reached == [above]


def test_a_stack_may_hold_as_many_of_a_card_as_the_decks() -> None:
    top = parse_cards("As " * 8)
    assert fill_shoe(HOUSE, NumberedStream(1), top).order[:8] == top


def test_a_homemade_shoe_is_begun_once_no_stacked_card_is_to_come() -> None:
    plain = HomemadeShoe()
    assert not plain.is_begun
    plain.draw()
    assert plain.is_begun
    stacked = HomemadeShoe(parse_cards("As Kd"))
    stacked.draw()
    assert not stacked.is_begun
    stacked.draw()
    assert stacked.is_begun


def test_a_deck_has_no_card_twice() -> None:
    deck = parse_cards("As As")
    with pytest.raises(ValueError, match="^a card is in the deck twice$"):
        shoe_of(load("dsc20"), ShoeContents(left=None, deck=deck))


@pytest.mark.parametrize("name", ["dsc20", "cs1114"])
def test_shoes_without_counts_keep_what_is_stacked(name: str) -> None:
    shoe = new_shoe(load(name), parse_cards("As Kd"))
    shoe.draw()
    contents = shoe.contents
    assert (contents.left, contents.top) == (None, parse_cards("Kd"))
    assert contents.deck == (shoe.order[1:] if name == "dsc20" else ())
    assert shoe_of(load(name), contents).contents == contents


def test_the_suits_of_an_endless_shoe_take_turns() -> None:
    shoe = fill_shoe(load("cs1114"), NumberedStream(13))
    assert [shoe.draw().suit for _ in range(9)] == [*"shdc" * 2, "s"]
