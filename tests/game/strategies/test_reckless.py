"""The reckless player goes to the end of what is legal, and no further."""

import pytest

from bj_game.strategies import Card, Hand, PlayerBank, RecklessPlayer


@pytest.mark.parametrize(
    ("cards", "doubles"), [("5 6", False), ("10 2", True), ("10 9", True)]
)
def test_it_doubles_what_should_stand_and_draws_the_rest(
    cards: str, doubles: bool
) -> None:
    hand = Hand([Card(rank, "spades") for rank in cards.split()])
    player, bank = RecklessPlayer(), PlayerBank(90, 10)
    assert player.want_double(hand, bank, [], []) is doubles
    assert player.want_card(hand, bank, [], [])
    assert player.want_split(hand, bank, [], [])


def test_it_risks_all_it_has() -> None:
    player, bank = RecklessPlayer(), PlayerBank(90, 10)
    assert player.place_bet(70) == 70
    assert player.want_insurance(Hand(), bank, [], []) == 90
    assert player.use_ace_hi(Hand([Card("A", "spades")] * 3))
