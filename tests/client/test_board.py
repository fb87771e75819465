from typing import Any

import pytest

from bj_client.model.seat import Faces, Hand
from bj_client.model.table import Table
from bj_client.words.board import (
    board,
    farewell,
    ruled,
    rules,
    status,
    summary,
    turn,
    welcome,
)
from bj_protocol.action import Action
from bj_protocol.views import HandState, Phase, Presence, Turn
from support.message import make_ask, make_snapshot

FACES = Faces(symbols=True)


def test_the_board_shows_every_seat(table: Table) -> None:
    table.dealer = Hand(["Kc", "??"], 10)
    table.seats[1].presence = Presence.AWAY
    table.seats[1].bet = 1000
    table.seats[2].hands = [
        Hand(["8s", "8h"], 16, stake=5000, insurance=1000, state=HandState.STOOD)
    ]
    hand = "8♠ 8♥ (16), stake $50.00, insurance $10.00, stands"
    assert board(table, FACES) == [
        "Table main, round 3, bets are open.",
        "Shoe: 8 decks, 416 cards left, 345 before the cut card.",
        "Dealer: K♣ and a hidden card",
        "Seat 1: lia9; bank $10,000.00; away; bet $10.00",
        f"Seat 2: ned21 (you); bank $10,000.00; {hand}",
    ]


def test_a_shoe_without_an_end_or_a_cut_card_is_named(table: Table) -> None:
    table.shoe.until_cut = 0
    assert board(table, FACES)[1] == (
        "Shoe: 8 decks, 416 cards left, the cut card is out."
    )
    table.shoe.decks, table.shoe.cards_left, table.shoe.until_cut = 1, 52, None
    assert board(table, FACES)[1] == "Shoe: 1 deck, 52 cards left."
    table.shoe.cards_left = None
    assert board(table, FACES)[1] == "Shoe: an endless deck."


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (HandState.SURRENDERED, "surrendered"),
        (HandState.CHARLIE, "wins by its number of cards"),
    ],
)
def test_the_board_shows_how_a_hand_ended(
    table: Table, state: HandState, shown: str
) -> None:
    table.seats[2].hands = [Hand(["8s", "8h"], 16, stake=5000, state=state)]
    assert board(table, FACES)[-1].endswith(f"8♠ 8♥ (16), stake $50.00, {shown}")


@pytest.mark.parametrize(
    ("dealer", "shown"),
    [
        (Hand(), "The dealer shows no cards."),
        (Hand(["As"], 11, soft=True), "The dealer shows A♠ (soft 11)."),
    ],
    ids=["none", "one"],
)
def test_a_turn_can_come_before_the_dealer_has_two_cards(
    table: Table, dealer: Hand, shown: str
) -> None:
    table.dealer = dealer
    table.seats[2].hands = [Hand(["As", "6h"], 7, stake=5000)]
    assert turn(make_ask(1, Action.HIT, Action.STAND), table, FACES)[0] == shown


def test_the_dealers_name_is_shown(table: Table) -> None:
    table.dealer_name = "Grace"
    assert board(table, FACES)[2] == "Grace (dealer): no cards"


def test_a_turn_shows_the_dealer_the_hands_and_the_bank(table: Table) -> None:
    table.dealer = Hand(["Kc", "??"], 10)
    table.seats[2].hands = [Hand(["As", "6h"], 17, soft=True, stake=5000)]
    assert turn(make_ask(1, Action.HIT, Action.STAND), table, FACES) == [
        "The dealer shows K♣ and a hidden card.",
        "ned21 has A♠ 6♥ (soft 17), stake $50.00; bank $10,000.00.",
    ]


def test_a_turn_shows_both_hands_of_a_split(table: Table) -> None:
    table.seats[2].hands = [Hand(["8s"], 8, stake=5000), Hand(["8h"], 8, stake=5000)]
    assert turn(make_ask(1, Action.HIT, Action.STAND, hand=1), table, FACES)[1:] == [
        "ned21, hand 1: 8♠ (8), stake $50.00.",
        "ned21, hand 2 (in turn): 8♥ (8), stake $50.00.",
        "ned21, bank $10,000.00.",
    ]


def test_a_bet_needs_no_hands(table: Table) -> None:
    assert turn(make_ask(1), table, FACES) == []


def test_the_welcome_says_where_we_sit(table: Table) -> None:
    assert welcome(table)[0] == ("Welcome, ned21: table main, seat 2, bank $10,000.00.")
    waiting = Table(make_snapshot(phase=Phase.PLAYING))
    assert welcome(waiting)[-1] == (
        "A round is being played: you are in from the next one."
    )


def test_the_rules_are_the_houses_own(table: Table) -> None:
    first, rule, clocks = rules(table)
    assert first == "The rules of Eight decks, even money:"
    assert rule == "- The dealer stands on 17."
    assert clocks == (
        "- The table waits 30 seconds for the bets, 20 for insurance, and 30 for each "
        "other decision."
    )


def test_the_closing_line_counts_the_visit(table: Table) -> None:
    table.record.rounds = 3
    table.record.won, table.record.lost, table.record.net = 1, 2, -5000
    (line,) = farewell(table)
    assert line == (
        "Good-bye, ned21: 3 rounds, 1 won, 2 lost, 0 pushed, net -$50.00, bank "
        "$10,000.00."
    )


def test_people_are_told_how_they_have_played(table: Table) -> None:
    assert summary(table) == []  # which is all that is told of a bot
    table.record.decisions = {3: True}
    (line,) = summary(table)
    assert line == "ned21 won no hand, and made 1 of 1 play as basic strategy does."
    table.record.decisions = {3: True, 5: False, 7: None}
    table.record.best = 7500
    (line,) = summary(table)
    assert line == (
        "ned21 won at most $75.00 with a hand, and made 1 of 2 plays as basic strategy "
        "does."
    )
    table.record.decisions = {7: None}
    assert summary(table) == ["ned21 won at most $75.00 with a hand."]


def test_the_closing_line_names_money_that_is_still_in_play(table: Table) -> None:
    table.phase = Phase.PLAYING
    table.seats[2].hands = [Hand(["As", "6h"], 17, stake=5000, insurance=1000)]
    assert farewell(table)[0].endswith(
        "bank $10,000.00 and $60.00 in play, to be settled there."
    )


def test_the_status_says_whose_clock_runs(table: Table) -> None:
    start = "ned21 | bank $10,000.00 | wins minus losses +0"
    assert status(table, None) == start
    table.turn = Turn(asks=(make_ask(1, seat=1),), milliseconds=1)
    assert status(table, 7) == f"{start} | lia9 decides: 7 s"
    table.turn = Turn(asks=(make_ask(1, seat=1), make_ask(2)), milliseconds=1)
    assert status(table, 7) == f"{start} | your turn: 7 s"
    table.turn = Turn(asks=(make_ask(1, seat=1), make_ask(2, seat=3)), milliseconds=1)
    assert status(table, 7) == f"{start} | others decide: 7 s"


PLAIN = "a natural is worth no more than any 21"
NO_SOFT = "an ace counts 1, so that no 17 is soft"


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        (
            {"tie": "push", "natural": "plain", "hit_soft_17": False},
            f" Ties push, {PLAIN}, and the dealer stands on soft 17.",
        ),
        (
            {"tie": "push", "natural": "3:2", "hit_soft_17": True},
            " Ties push, a natural pays 3 to 2, and the dealer hits soft 17.",
        ),
        (
            {"tie": "push", "natural": "6:5", "dealer_draws": "never"},
            " Ties push, a natural pays 6 to 5, and the dealer draws no card.",
        ),
        (
            {"tie": "dealer", "natural": "1:1", "ace": "one"},
            f" The dealer wins ties, a natural pays even money, and {NO_SOFT}.",
        ),
        ({}, ""),
        ({"tie": "push", "natural": "7:5"}, ""),
        ({"tie": ["push"], "natural": {}}, ""),
    ],
)
def test_13_6_who_sits_down_is_told_how_ties_naturals_and_soft_17_are_ruled(
    table: Table, terms: dict[str, Any], sentence: str
) -> None:
    table.house = table.house.model_copy(update={"terms": terms})
    assert ruled(table) == sentence
    lines = welcome(table)
    assert lines[1] == f"The house plays cpsc386: {table.house.title}.{sentence}"
