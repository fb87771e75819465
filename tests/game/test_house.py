from typing import Any

import pytest

from bj_game.house import BadHouse, House, parse_house
from bj_game.rules import rules_card
from game.transcript import HOUSES, load

NAMED = 'name = "x"\ntitle = "y"\n'


def test_the_shipped_house_is_the_one_of_the_text() -> None:
    house = load("cpsc386")
    assert house == House(name="cpsc386", title=house.title, source=house.source)


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
        (NAMED + "charlie = 4", "charlie is 4; it must be 5 to 10"),
        (NAMED + "maximum_bet = 50", "maximum_bet is 50; it must be 100"),
        (NAMED + "maximum_bet = 150", "maximum_bet is 150, which is not a whole"),
        (
            NAMED + 'tie = "house"',
            'tie is \'house\'; it must be one of "push", "dealer"',
        ),
        (NAMED + "tie = true", "tie is True; it must be one of"),
        (NAMED + "hit_soft_17 = 1", "hit_soft_17 is 1; it must be true or false"),
        (NAMED + "max_hands = 5", "max_hands is 5; it must be 2 to 4"),
        (NAMED + "donor_wait_rounds = -1", "donor_wait_rounds is -1"),
    ],
)
def test_rules_that_cannot_be_played_are_named(text: str, sentence: str) -> None:
    with pytest.raises(BadHouse) as caught:
        parse_house(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"even_money": True}, "even_money needs a natural that pays"),
        (
            {"even_money": True, "natural": "3:2", "hole_card": "none"},
            "even_money needs a natural that pays, and a hole_card",
        ),
        (
            {"blackjack_beats_21": True, "insurance": "none"},
            "blackjack_beats_21 needs a house with naturals or insurance",
        ),
        ({"tie": "dealer", "natural": "3:2"}, 'tie = "dealer" is for houses'),
        (
            {"hole_card": "peek", "insurance": "none"},
            'hole_card = "peek" needs a house with naturals',
        ),
        ({"hole_card": "peek"}, 'insurance_asked must be "all_first"'),
        ({"surrender": "late"}, 'surrender = "late" comes after the look'),
        (
            {"deal": "dealer_last", "insurance": "none"},
            'insurance and hole_card must be "none"',
        ),
        ({"ace": "one"}, 'ace = "one" leaves no natural'),
        (
            {"ace": "one", "insurance": "none", "hit_soft_17": True},
            "hit_soft_17 false",
        ),
        ({"ace": "player"}, 'ace = "player" is for houses where natural is'),
        ({"ace": "player", "insurance": "none"}, 'split are "none"'),
        ({"shoe": "never_refilled"}, "is for one deck"),
        ({"bet": "ladder", "maximum_bet": 500}, "maximum_bet must be 0"),
        ({"give_up": True}, 'shoe must be "every_round"'),
        ({"charlie": 5, "hit": False}, "charlie needs hands that may draw"),
        ({"max_spots": 2, "bet": "ladder"}, "max_spots must be 1"),
        (
            {"max_spots": 2, "shoe": "never_refilled", "decks": 1}
            | {"cut_card_min": 0, "cut_card_max": 0},
            "max_spots must be 1",
        ),
        (
            {"max_spots": 4, "max_seats": 7, "decks": 1, "cut_card_min": 0}
            | {"cut_card_max": 0},
            "a full table is dealt 58 cards at once, and decks = 1 has 52",
        ),
    ],
)
def test_rules_that_contradict_each_other_are_refused(
    rules: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadHouse) as caught:
        House(name="x", title="", **rules)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", sorted(path.stem for path in HOUSES.glob("*.toml")))
def test_every_shipped_house_has_a_title_a_source_and_a_rules_card(name: str) -> None:
    house = load(name)
    assert house.name == name
    assert house.title
    assert house.source
    assert all(rule.endswith(".") for rule in rules_card(house))


def test_the_rules_card_follows_every_setting() -> None:
    rules: list[dict[str, Any]] = [
        {"hit_soft_17": True},
        {"charlie": 6},
        {"bet": "ladder"},
        {"give_up": True, "shoe": "every_round"},
        {"ace": "player", "insurance": "none", "split": "none"},
        {"dealer_draws": "always", "both_bust": "push"},
        {"insurance": "none"},
        {"insurance": "none", "natural": "6:5", "blackjack_beats_21": True},
        {"max_hands": 3, "resplit_aces": False},
        {"double": "none"},
        {"split": "none", "double": "10-11"},
        {"surrender": "early"},
        {"donor_gift": 0},
        {"donor_wait_rounds": 3},
        {"maximum_bet": 500},
    ]
    cards = [rules_card(House(name="x", title="", **setting)) for setting in rules]
    cards.append(rules_card(House(name="x", title="")))
    assert len(set(cards)) == len(rules) + 1


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
