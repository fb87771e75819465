"""The style ``dsc20``: text made of the table, and when a game stops."""

import pytest

from bj_client.bot.adviser import nearest_amount
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.style.dsc20 import log, summary
from bj_client.style.dsc20_game import Game, drawing, in_order, is_penniless, shown
from bj_protocol import events
from bj_protocol.action import SettleReason
from bj_protocol.views import HouseView, Outcome, WagerRange

BEGAN = events.RoundBegan(round=3, seats=(2,))
OPENED = events.BettingOpened(round=4)


def dealt(seat: int, *cards: str) -> list[events.CardDealt]:
    return [
        events.CardDealt(seat=seat, hand=0, card=card, total=16, soft=False)
        for card in cards
    ]


def settled(outcome: Outcome, balance: int = 1_000_000) -> events.HandSettled:
    return events.HandSettled(
        seat=2,
        hand=0,
        outcome=outcome,
        reason=SettleReason.LOWER_TOTAL,
        stake=1000,
        payout=0,
        balance=balance,
    )


def fold(table: Table, *all_events: events.Event) -> Table:
    for event in all_events:
        table.fold(event)
    return table


def shuffled(cards: int) -> events.ShoeShuffled:
    return events.ShoeShuffled(decks=1, cards=cards, until_cut=None)


def test_every_card_is_in_the_order_of_the_text() -> None:
    ranks = "23456789TJQKA"
    pack = [rank + suit for rank in ranks for suit in "cdhs"]
    assert in_order(reversed(pack)) == pack


def test_a_hand_with_a_hidden_card_lies_as_it_was_dealt() -> None:
    assert shown(["Kh", "??"]) == ["Kh", "??"]
    assert shown(["Kh", "2s", "Kc"]) == ["2s", "Kc", "Kh"]


@pytest.mark.parametrize("suit", "shdc")
def test_every_drawing_has_the_same_size(suit: str) -> None:
    mark = dict(zip("shdc", "♠♥♦♣", strict=True))[suit]
    for rank in "A9T":
        top, *lines = drawing([rank + suit], Faces(symbols=True))
        assert top == "----"
        assert [len(line) for line in lines] == [6, 6, 6]
        assert lines[1] == f"| {mark}  |"


def test_there_is_no_log_before_all_have_two_cards(table: Table) -> None:
    assert log(table) == []
    assert log(fold(table, BEGAN, *dealt(2, "Kh", "2s"), *dealt(0, "9c"))) == []


def test_the_log_grows_and_never_changes(table: Table) -> None:
    fold(table, BEGAN, *dealt(2, "Kh", "2s"), *dealt(0, "9c", "??"))
    logs = [log(table)]
    happened: list[events.Event] = [
        *dealt(2, "4d"),
        events.HoleRevealed(card="5h", total=14, soft=False),
        *dealt(0, "2c"),
        settled(Outcome.PUSH),
    ]
    for event in happened:
        logs.append(log(fold(table, event)))
        assert logs[-1][:-1] == logs[-2]
    assert logs[-1] == [
        "Player Cards: (2, spades) (K, hearts)",
        "Dealer Cards: (9, clubs) (?, ?)",
        "Player pulled a (4, diamonds)",
        "Dealer Cards Revealed: (5, hearts) (9, clubs)",
        "Dealer pulled a (2, clubs)",
        "Player and Dealer tie.",
    ]


@pytest.mark.parametrize(
    ("outcome", "winner"),
    [(Outcome.WIN, "Player"), (Outcome.LOSE, "Dealer"), (Outcome.PUSH, "Tie")],
)
def test_the_summary_names_the_winner(
    table: Table, outcome: Outcome, winner: str
) -> None:
    fold(table, BEGAN, *dealt(2, "Kh", "2s"), *dealt(0, "9c", "8c"))
    lines = summary(12, table, outcome)
    assert lines[:2] == ["ROUND 12:", ""]
    assert lines[-2:] == ["", f"Winner of ROUND 12: {winner}"]


@pytest.mark.parametrize(
    ("outcome", "wallet", "sentence"),
    [
        (Outcome.WIN, 1499, "Wallet amount $14.99 is less than bet amount $15."),
        (Outcome.WIN, 1500, ""),
        (Outcome.PUSH, 500, "Wallet amount $5 is less than bet amount $10."),
        (Outcome.LOSE, 500, ""),
        (Outcome.LOSE, 0, "Wallet amount $0 is less than bet amount $5."),
    ],
)
def test_a_game_stops_when_the_wallet_does_not_cover_the_next_bet(
    table: Table, outcome: Outcome, wallet: int, sentence: str
) -> None:
    game = Game()
    game.begin()
    game.close_round(1000, outcome, 500)
    fold(table, BEGAN, settled(outcome, wallet), OPENED)
    assert game.stop(OPENED, table) == sentence
    assert game.is_on is (sentence == "")
    assert game.stop(OPENED, table) == ""


def test_a_game_stops_with_a_new_deck_whatever_is_in_the_wallet(table: Table) -> None:
    game = Game()
    game.begin()
    game.look(fold(table, shuffled(8)))
    for cards, sentence in ((4, ""), (52, "Not enough cards for a game.")):
        fold(table, shuffled(cards))
        assert game.stop(shuffled(cards), table) == sentence
    game.close_round(1_000_000, Outcome.WIN, 500)
    assert game.stop(OPENED, fold(table, OPENED)) == ""


def test_13_6_a_new_game_begins_with_a_new_deck_and_with_nothing_else(
    table: Table,
) -> None:
    game = Game()
    game.look(fold(table, shuffled(52)))
    assert game.begin()
    game.close_round(1000, Outcome.LOSE, 500)
    fold(table, shuffled(40), BEGAN, settled(Outcome.LOSE, 400), OPENED)
    assert game.stop(OPENED, table).startswith("Wallet amount $4")
    assert not game.is_on
    assert not game.begin()  # with money from the donor, and the same deck
    assert game.rounds == 1
    assert game.stop(shuffled(52), fold(table, shuffled(52))) != ""
    assert game.begin()
    assert game.rounds == 0


def test_13_6_a_deck_that_comes_while_no_game_is_on_is_for_the_next(
    table: Table,
) -> None:
    game = Game()
    game.look(fold(table, shuffled(40)))
    assert game.begin()
    game.close_round(1000, Outcome.LOSE, 500)
    fold(table, BEGAN, settled(Outcome.LOSE, 400), OPENED)
    assert game.stop(OPENED, table) != ""
    game.stop(shuffled(52), fold(table, shuffled(52)))
    assert game.begin()


def test_the_lowest_bet_is_never_less_than_a_rung(table: Table) -> None:
    game = Game()
    game.begin()
    game.close_round(500, Outcome.LOSE, 500)
    fold(table, BEGAN, settled(Outcome.LOSE, 499), OPENED)
    sentence = "Wallet amount $4.99 is less than bet amount $5."
    assert game.stop(OPENED, table) == sentence


def test_who_is_offered_money_is_not_penniless(table: Table) -> None:
    table.house = HouseView(name="dsc20", title="", rules=(), minimum_bet=500)
    assert not is_penniless(table)
    fold(table, BEGAN, settled(Outcome.LOSE, 0))
    assert not is_penniless(table)  # what is at stake may come back
    assert is_penniless(fold(table, OPENED))


@pytest.mark.parametrize("asked", [1, 10, 99])
def test_a_bot_need_not_guess_the_bet_that_the_house_sets(asked: int) -> None:
    ladder = WagerRange(minimum=1500, maximum=1500, step=500)
    assert nearest_amount(asked, ladder) == (1500, "")
    assert nearest_amount(0, ladder) == (0, "")


def test_a_card_that_is_hidden_is_written_down_as_it_lies(table: Table) -> None:
    fold(
        table, BEGAN, *dealt(2, "5s", "??"), *dealt(0, "Ad", "??"), settled(Outcome.WIN)
    )
    assert "Player Cards: (5, spades) (?, ?)" in log(table)
