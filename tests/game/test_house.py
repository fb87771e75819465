import pytest

from bj_game.house import BadHouse, House, parse_house
from bj_game.rules import rules_card
from game.transcript import load

NAMED = 'name = "x"\ntitle = "y"\n'


def test_the_shipped_house_is_the_one_of_the_text() -> None:
    house = load("cpsc386")
    assert house == House(name="cpsc386", title=house.title)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("decks = ", "not valid TOML"),
        ("title = 'x'", "lack the key name"),
        ("name = 'x'", "lack the key title"),
        (NAMED + "deks = 6", "deks is not a rule; the rules are name, title"),
        (NAMED + "decks = '6'", "decks is '6'; it must be a whole number"),
        (NAMED + "decks = 6.5", "decks is 6.5; it must be a whole number"),
        (NAMED + "decks = true", "decks is True; it must be a whole number"),
        (NAMED + "dealer_name = 6", "dealer_name is 6; it must be text"),
        (NAMED + "decks = 0", "decks is 0; it must be 1 to 8"),
        (NAMED + "decks = 9", "decks is 9; it must be 1 to 8"),
        (NAMED + "decks = 1\ncut_card_max = 30", "cut_card_min is 60; it must be 0"),
        (NAMED + "cut_card_max = 59", "cut_card_max is 59; it must be 60 to 208"),
        (NAMED + "bet_step = 0", "bet_step is 0"),
        (NAMED + "minimum_bet = 50", "minimum_bet is 50; it must be 100"),
        (NAMED + "minimum_bet = 150", "not a whole multiple of bet_step, 100"),
        (NAMED + "max_seats = 8", "max_seats is 8; it must be 1 to 7"),
        (NAMED + "donor_gift = -1", "donor_gift is -1"),
    ],
)
def test_rules_that_cannot_be_played_are_named(text: str, sentence: str) -> None:
    with pytest.raises(BadHouse) as caught:
        parse_house(text)
    assert sentence in str(caught.value)


def test_R6_the_rules_card_says_what_the_engine_plays() -> None:
    card = " ".join(rules_card(load("cpsc386")))
    assert "stands on every 17, soft or hard" in card
    assert "8 decks; the cut card lies 60 to 80 cards from the bottom" in card
    assert "no more than any other 21" in card
    assert "A 21 of any kind does not lose to the dealer's blackjack" in card
    assert "$10,000 by an anonymous donor" in card


def test_the_rules_card_shows_cents_where_there_are_any() -> None:
    house = House(name="x", title="", minimum_bet=50, bet_step=50)
    assert "from $0.50 to" in " ".join(rules_card(house))
