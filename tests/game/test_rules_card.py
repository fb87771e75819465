"""The card of rules: it says what is played, and all that differs shows on it."""

from typing import Any

import pytest

from bj_game.house import House
from bj_game.rules import rules_card
from game.transcript import load


def test_the_rules_card_follows_every_setting() -> None:
    rules: list[dict[str, Any]] = [
        {"hit_soft_17": True},
        {"charlie": 6},
        {"complete_at_21": False},
        {"max_spots": 2},
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
        {"hints": False},
        {"donor_wait_rounds": 3},
        {"maximum_bet": 500},
        {"maximum_wager": 20_000},
        {"hit": False, "double": "none"},
        {"tie": "dealer", "blackjack_beats_21": True},
        {"tie": "dealer", "blackjack_beats_21": True, "natural": "3:2"},
        {"deal": "dealer_last", "insurance": "none", "hole_card": "none"},
        {"deal": "dealer_last", "insurance": "none", "hole_card": "none"}
        | {"dealer_draws": "always"},
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


@pytest.mark.parametrize(
    ("least", "most", "where"),
    [
        (0, 0, "at the bottom"),
        (1, 1, "1 card from the bottom"),
        (13, 13, "13 cards from the bottom"),
        (0, 1, "at most 1 card from the bottom"),
        (0, 20, "at most 20 cards from the bottom"),
        (1, 20, "1 to 20 cards from the bottom"),
    ],
)
def test_13_8_the_rules_card_says_where_the_cut_card_lies(
    least: int, most: int, where: str
) -> None:
    house = House(name="x", title="", cut_card_min=least, cut_card_max=most)
    assert f"; the cut card lies {where}, and the shoe" in rules_card(house)[0]


def test_13_5_the_rules_card_says_what_pairs_of_rules_come_to() -> None:
    push = {"both_bust": "push"}
    last = {"deal": "dealer_last", "insurance": "none", "hole_card": "none"}
    cases: list[tuple[dict[str, Any], str]] = [
        (
            push,
            "The dealer draws to 17 and stands on every 17, soft or hard, also when ",
        ),
        (last, "The dealer gets cards only once you have played and are not bust."),
        (last | push, "The dealer gets cards only once you have played."),
        ({"hit": False, "double": "none"}, "each half gets one card and stands."),
        ({"surrender": "early"}, "stake, even before the dealer is known to have no"),
        (
            {"tie": "dealer", "natural": "3:2", "blackjack_beats_21": True},
            "The dealer wins equal totals, of two naturals too.",
        ),
    ]
    for rules, sentence in cases:
        assert sentence in " ".join(rules_card(House(name="x", title="", **rules)))


def test_the_rules_card_shows_cents_where_there_are_any() -> None:
    house = House(name="x", title="", minimum_bet=50, bet_step=50)
    assert "from $0.50 to" in " ".join(rules_card(house))
