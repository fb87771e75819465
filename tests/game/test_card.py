import pytest

from bj_game.card import PACK, parse_cards


def test_a_pack_has_fifty_two_different_cards() -> None:
    assert len(PACK) == len(set(PACK)) == len({str(card) for card in PACK}) == 52


def test_cards_are_written_and_read_alike() -> None:
    text = " ".join(str(card) for card in PACK)
    assert parse_cards(text) == PACK


@pytest.mark.parametrize("text", ["1s", "10s", "AS", "as", "A", "??", "As9d", "A♠"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card") as caught:
        parse_cards(f"As {text}")
    assert repr(text) in str(caught.value)


def test_court_cards_are_worth_ten_and_an_ace_one() -> None:
    values = {card.rank: card.value for card in PACK}
    assert [values[rank] for rank in "A23456789TJQK"] == [*range(1, 11), 10, 10, 10]
