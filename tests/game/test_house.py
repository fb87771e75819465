from dataclasses import fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from bj_game.house import (
    House,
    HouseError,
    house_of,
    known_house,
    parse_house,
    rules_of,
)
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
    with pytest.raises(HouseError) as caught:
        parse_house(text)
    assert sentence in str(caught.value)


RULES = get_type_hints(House)
RANGES = {
    "max_seats": (1, 7),
    "decks": (1, 8),
    "cut_card_min": (0, 208),
    "cut_card_max": (60, 208),
    "charlie": (5, 10),
    "max_hands": (2, 4),
    "max_spots": (1, 4),
    "bet_step": (1, 2**53 - 1),
    "minimum_bet": (100, 2**53 - 1),
    "maximum_bet": (100, 2**53 - 1),
    "opening_balance": (1, 10**15),
    "donor_gift": (0, 10**15),
    "donor_wait_rounds": (0, 1000),
}
"""The whole numbers that each rule may be where the others are those of cpsc386."""


def why_not(text: str) -> str:
    """Return the sentence that refuses a house with these rules."""
    with pytest.raises(HouseError) as caught:
        parse_house(NAMED + text)
    return str(caught.value)


@pytest.mark.parametrize("key", [field.name for field in fields(House)][2:])
def test_a_value_of_the_wrong_type_is_refused_with_what_is_allowed(key: str) -> None:
    rule, wrong = RULES[key], {"7.5": "7.5", "[1]": "[1]"}
    allowed = {int: "a whole number", bool: "true or false", str: "text in quotes"}
    if get_origin(rule) is Literal:
        choices = ", ".join(f'"{choice}"' for choice in get_args(rule))
        must = f"one of {choices}"
    else:
        must = allowed[rule]
    wrong |= {} if rule is int else {"7": "7"}
    wrong |= {} if rule is bool else {"true": "True"}
    wrong |= {} if rule is str else {'"no such"': "'no such'"}
    for written, shown in wrong.items():
        assert why_not(f"{key} = {written}") == f"{key} is {shown}; it must be {must}."


@pytest.mark.parametrize("key", RANGES)
def test_a_number_out_of_range_is_refused_with_what_is_allowed(key: str) -> None:
    lowest, highest = RANGES[key]
    wrong = [-(10**20), lowest - 1, highest + 1, 10**20]
    for value in wrong:
        if value != 0 or key not in ("charlie", "maximum_bet"):
            said = why_not(f"{key} = {value}")
            assert said == f"{key} is {value}; it must be {lowest} to {highest}."


def test_every_number_has_a_range() -> None:
    numbers = {key for key, rule in RULES.items() if rule is int}
    assert numbers == {*RANGES, "maximum_wager"}


def test_the_largest_wager_is_an_exact_number_in_json() -> None:
    for value in (0, -1, 2**53):
        said = why_not(f"maximum_wager = {value}")
        assert said == f"maximum_wager is {value}; it must be 1 to {2**53 - 1}."


def test_a_shoe_without_a_cut_card_has_no_place_for_it() -> None:
    rules = 'decks = 1\nshoe = "every_round"\n'
    assert parse_house(NAMED + rules).cut_card_min == 60  # and means nothing


@pytest.mark.parametrize("key", ["name", "title", "dealer_name", "source"])
def test_a_text_is_printable_short_and_on_one_line(key: str) -> None:
    for wrong in ("\x1b[2J", "two\nlines", "\u202e", "x" * 501):
        rules: dict[str, Any] = {"name": "x", "title": "", key: wrong}
        with pytest.raises(HouseError) as caught:
            House(**rules)
        longest = {"name": 40, "title": 80, "dealer_name": 30, "source": 500}[key]
        assert str(caught.value) == (
            f"{key} must be printable, on one line, and have at most {longest} "
            "characters."
        )


@pytest.mark.parametrize("key", ["name", "dealer_name"])
def test_a_name_says_something(key: str) -> None:
    for wrong in ("", "   "):
        rules: dict[str, Any] = {"name": "x", "title": "", key: wrong}
        with pytest.raises(HouseError) as caught:
            House(**rules)
        assert str(caught.value) == f"{key} is empty; it must say something."


@pytest.mark.parametrize("decks", range(1, 9))
def test_the_cut_card_lies_in_the_lower_half_of_the_shoe(decks: int) -> None:
    half = 26 * decks
    rules = f"decks = {decks}\ncut_card_min = 0\ncut_card_max = "
    assert parse_house(NAMED + rules + str(half)).cut_card_max == half
    assert f"it must be 0 to {half}" in why_not(rules + str(half + 1))


_BLACKJACK = "needs a house with naturals or insurance."
_PEEK = 'hole_card = "peek" '
_NEVER = 'shoe = "never_refilled" '
_ONE = (
    'ace = "one" leaves no natural and no soft hand, so natural must be "plain", '
    'insurance "none" and hit_soft_17 false.'
)
_PLAYER = (
    'ace = "player" is for houses where natural is "plain", and insurance and split '
    'are "none".'
)
_SPOTS = (
    'max_spots must be 1 where bet = "ladder" or shoe = "never_refilled": both are for '
    "one hand a round."
)
_TIE = (
    'tie = "dealer" takes every equal total, so with insurance or a natural that pays '
    "blackjack_beats_21 must be true."
)
_DRAWS = 'dealer_draws must be "needed" or "always".'
_EVEN = "even_money needs a natural that pays, and a hole_card."


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"even_money": True}, _EVEN),
        ({"even_money": True, "natural": "3:2", "hole_card": "none"}, _EVEN),
        (
            {"blackjack_beats_21": True, "insurance": "none"},
            f"blackjack_beats_21 {_BLACKJACK}",
        ),
        ({"tie": "dealer", "natural": "3:2", "insurance": "none"}, _TIE),
        ({"hole_card": "peek", "insurance": "none"}, _PEEK + _BLACKJACK),
        (
            {"hole_card": "peek"},
            (
                f"{_PEEK}ends the round before any hand is played, so "
                'insurance_asked must be "all_first".'
            ),
        ),
        (
            {"surrender": "late"},
            'surrender = "late" comes after the look at a hole_card: "peek".',
        ),
        (
            {"deal": "dealer_last", "insurance": "none"},
            (
                'deal = "dealer_last" shows no upcard, so insurance and hole_card '
                'must be "none".'
            ),
        ),
        ({"ace": "one"}, _ONE),
        ({"ace": "one", "insurance": "none", "hit_soft_17": True}, _ONE),
        ({"ace": "player"}, _PLAYER),
        ({"ace": "player", "insurance": "none"}, _PLAYER),
        (
            {"shoe": "never_refilled"},
            f"{_NEVER}is for one deck: decks must be 1.",
        ),
        (
            {"bet": "ladder", "maximum_bet": 500},
            'bet = "ladder" sets every bet itself, so maximum_bet must be 0.',
        ),
        (
            {"give_up": True},
            'give_up deals anew, so shoe must be "every_round".',
        ),
        (
            {"charlie": 5, "hit": False},
            "charlie needs hands that may draw: hit must be true.",
        ),
        ({"max_spots": 2, "bet": "ladder"}, _SPOTS),
        ({"max_spots": 3, "bet": "ladder"}, _SPOTS),
        (
            {"max_spots": 2, "shoe": "never_refilled", "decks": 1, "split": "none"},
            _SPOTS,
        ),
        (
            {"shoe": "never_refilled", "decks": 1},
            (
                f"{_NEVER}may have no card for the second hand of a split, so "
                'split must be "none".'
            ),
        ),
        (
            {"shoe": "never_refilled", "decks": 1, "split": "none"}
            | {"hole_card": "none"},
            (
                f"{_NEVER}may have no second card for the dealer once all have "
                'played, so hole_card must be "peek" or "no_peek".'
            ),
        ),
        (
            {"max_spots": 4, "max_seats": 7, "decks": 2, "cut_card_min": 0}
            | {"cut_card_max": 0},
            (
                "max_spots times max_seats is too many: a full table has 28 hands, and "
                "decks = 2 has cards for 22 at most."
            ),
        ),
        (
            {"max_spots": 2, "max_seats": 7, "decks": 1, "cut_card_min": 0}
            | {"cut_card_max": 0},
            (
                "max_spots times max_seats is too many: a full table has 14 hands, and "
                "decks = 1 has cards for 10 at most."
            ),
        ),
        ({"tie": "dealer"}, _TIE),
        (
            {"hit": False},
            'hit = false lets nobody draw a card, so double must be "none".',
        ),
        (
            {"dealer_draws": "never", "hit_soft_17": True},
            f"hit_soft_17 needs a dealer who draws: {_DRAWS}",
        ),
        (
            {"dealer_draws": "never", "both_bust": "push"},
            f'both_bust = "push" needs a dealer who can bust: {_DRAWS}',
        ),
        (
            {"complete_at_21": False, "natural": "3:2"},
            'complete_at_21 = false is for houses where natural is "plain".',
        ),
        (
            {"opening_balance": 400, "minimum_bet": 500, "donor_gift": 0},
            (
                "opening_balance is 400, which is not even one minimum_bet, 500, and "
                "donor_gift is 0: nobody could bet."
            ),
        ),
    ],
)
def test_rules_that_contradict_each_other_are_refused(
    rules: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(HouseError) as caught:
        House(name="x", title="", **rules)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "rules",
    [
        {"opening_balance": 500, "minimum_bet": 500, "donor_gift": 0},
        {"max_spots": 2, "max_seats": 5, "decks": 1, "cut_card_min": 0}
        | {"cut_card_max": 0},
        {"title": "x" * 80, "name": "x" * 40, "dealer_name": "x" * 30}
        | {"source": "x" * 500},
    ],
)
def test_rules_that_are_just_enough_are_played(rules: dict[str, Any]) -> None:
    house = House(**{"name": "x", "title": ""} | rules)
    assert {key: getattr(house, key) for key in rules} == rules


@pytest.mark.parametrize("name", sorted(path.stem for path in HOUSES.glob("*.toml")))
def test_every_shipped_house_has_a_title_a_source_and_a_rules_card(name: str) -> None:
    house = load(name)
    assert house.name == name
    assert house.title
    assert house.source
    assert all(rule.endswith(".") for rule in rules_card(house))


def test_rules_of_another_program_are_no_house_that_is_known() -> None:
    rules = {"name": "ours", "title": "Ours"}
    assert known_house(rules) == House(name="ours", title="Ours")
    assert known_house(rules | {"from_a_newer_program": True}) is None


def test_the_rules_of_a_house_make_it_again() -> None:
    usual, strict = load("dsc20"), replace(load("dsc20"), hints=False)
    assert house_of(rules_of(usual)) == usual
    assert house_of(rules_of(strict)) == strict
    # An older program knows a house that says nothing of hints.
    assert rules_of(strict) == rules_of(usual) | {"hints": False}
    assert "hints" not in rules_of(usual)
