"""What a strategy receives: cards, hands and banks in the words of the text."""

import pytest

from bj_game.card import PACK
from bj_game.strategies import Card, Hand, PlayerBank


def hand(text: str, score: int | None = None) -> Hand:
    return Hand(map(Card.read, text.split()), score)


def test_a_card_is_printed_as_in_the_figures() -> None:
    assert repr(Card.read("6c")) == "Card(rank='6', suit='clubs')"
    assert repr(Card.read("Td")) == "Card(rank='10', suit='diamonds')"


@pytest.mark.parametrize("card", PACK, ids=str)
def test_every_card_is_read_and_written(card: object) -> None:
    text = str(card)
    assert Card.read(text).text == text


def test_points_are_those_of_the_game() -> None:
    assert [Card.read(str(card)).points for card in PACK] == [c.value for c in PACK]


@pytest.mark.parametrize(
    ("cards", "score", "low", "high", "has_ace"),
    [
        ("5s 7d", 12, 12, 12, False),
        ("5s 7d Ac", 13, 13, 23, True),
        ("As 6d", 17, 7, 17, True),
        ("As Ad", 12, 2, 22, True),
        ("Ts Jd Ac", 21, 21, 31, True),
        ("", 0, 0, 0, False),
    ],
)
def test_a_hand_is_scored(
    cards: str, score: int, low: int, high: int, has_ace: bool
) -> None:
    copy = hand(cards)
    assert copy.get_score() == score
    assert copy.score_hand(ace_hi=False) == low
    assert copy.score_hand(ace_hi=True) == high
    assert copy.has_ace() is has_ace
    assert len(copy) == len(cards.split())


def test_the_score_is_the_one_of_the_table_where_that_is_given() -> None:
    assert hand("As 6d", 7).get_score() == 7


def test_a_hand_and_a_bank_are_printed_as_in_the_figures() -> None:
    assert str(hand("Qh Jc")) == (
        "score: 20\nCard(rank='Q', suit='hearts') Card(rank='J', suit='clubs')"
    )
    assert str(PlayerBank(110, 10)) == "bet 10 balance 110"


def test_the_cards_of_a_hand_are_a_new_list_each_time() -> None:
    cards = [Card.read("Qh"), Card.read("Jc")]
    copy = Hand(cards)
    cards.clear()
    copy.get_cards().clear()
    assert len(copy) == 2
    assert copy.get_score() == 20


def test_a_bank_tells_balance_and_wager() -> None:
    bank = PlayerBank(90, 10)
    assert (bank.get_balance(), bank.get_wager()) == (90, 10)
    assert PlayerBank(5).get_wager() == 0
