"""The styles: text made of the table, and a game played against a fake server."""

from importlib import import_module
from pkgutil import iter_modules

import pytest

from bj_client import style
from bj_client.error import WrongHouseError
from bj_client.model.table import Table
from bj_client.options import read_options
from bj_client.options.rows import LOOK
from bj_client.question.question import Complaint, Word
from bj_client.style import cs220
from bj_client.style.cs220 import summary
from bj_client.style.cs1114 import another_game, hit_or_stay, silent_answer, story
from bj_protocol import events
from bj_protocol.action import Action, SettleReason
from bj_protocol.commands import AcceptGift, Hit, PlaceBet, Stand
from bj_protocol.views import Outcome
from support.message import make_ask
from support.visit import run_command

_MODULES = [each.name for each in iter_modules(style.__path__)]

BEGAN = events.RoundBegan(round=3, seats=(2,))


def dealt(seat: int, *cards: str) -> list[events.CardDealt]:
    return [
        events.CardDealt(seat=seat, hand=0, card=card, total=10, soft=False)
        for card in cards
    ]


def settled(outcome: Outcome, balance: int = 1_000_100) -> events.HandSettled:
    won = outcome is Outcome.WIN
    return events.HandSettled(
        seat=2,
        hand=0,
        outcome=outcome,
        reason=SettleReason.HIGHER_TOTAL if won else SettleReason.LOWER_TOTAL,
        stake=1000,
        payout=2000 if won else 0,
        balance=balance,
    )


def fold(table: Table, *all_events: events.Event) -> Table:
    for event in all_events:
        table.fold(event)
    return table


def test_there_is_no_story_before_two_cards(table: Table) -> None:
    assert story(table) == []
    assert story(fold(table, BEGAN)) == []
    assert story(fold(table, *dealt(2, "As"))) == []


def test_the_story_shows_an_ace_as_1_and_adds_up_by_itself(table: Table) -> None:
    fold(table, BEGAN, *dealt(2, "As", "Td", "Kh"))
    assert story(table) == [
        *("Player drew 1 and 10.", "Player's total is 11.", ""),
        *("Player drew K.", "Player's total is 21.", ""),
    ]


def test_the_story_ends_with_the_verdict(table: Table) -> None:
    fold(table, BEGAN, *dealt(2, "Ts", "9d"), *dealt(0, "2h", "6h", "9c"))
    assert story(fold(table, settled(Outcome.WIN)))[3:] == [
        *("The dealer has 2 and 6.", "Dealer's total is 8.", ""),
        *("Dealer drew 9.", "Dealer's total is 17.", ""),
        *("YOU WIN!", ""),
    ]


def test_a_card_that_is_hidden_counts_nothing(table: Table) -> None:
    fold(table, BEGAN, *dealt(2, "As", "??"))
    assert story(table) == ["Player drew 1 and ?.", "Player's total is 1.", ""]


def test_nothing_is_told_of_the_dealer_after_a_bust(table: Table) -> None:
    bust = events.HandBusted(seat=2, hand=0, total=25)
    fold(table, BEGAN, *dealt(2, "Ts", "9d", "6c"), bust, *dealt(0, "2h", "6h"))
    assert story(fold(table, settled(Outcome.LOSE)))[3:] == [
        *("Player drew 6.", "Player's total is 25.", ""),
        *("YOU LOSE!", ""),
    ]


def test_hit_or_stay_is_read_to_the_letter() -> None:
    question = hit_or_stay(make_ask(7, Action.STAND, Action.HIT))
    assert question.read("h") == Hit(prompt=7)
    assert question.read("s\r") == Stand(prompt=7)
    for wrong in ("", "H", " h", "s ", "hit", "q", "?"):
        assert isinstance(question.read(wrong), Complaint)


def test_another_game_is_read_to_the_letter() -> None:
    question = another_game()
    assert question.read("Y") is Word.GO_ON
    assert question.read("N") is Word.LEAVE
    for wrong in ("", "y", "n", "Yes", "q"):
        assert isinstance(question.read(wrong), Complaint)


def test_money_is_answered_in_silence() -> None:
    assert silent_answer(make_ask(1)) == PlaceBet(prompt=1, amount=100)
    gift = make_ask(2, Action.ACCEPT_GIFT, Action.SIT_OUT, gift=100)
    assert silent_answer(gift) == AcceptGift(prompt=2)
    assert silent_answer(make_ask(3, Action.STAND, Action.HIT)) is None


@pytest.mark.parametrize(
    ("outcome", "bust", "word"),
    [
        (Outcome.WIN, False, "winner!"),
        (Outcome.LOSE, True, "bust."),
        (Outcome.LOSE, False, "loses."),
    ],
)
def test_the_summary_says_how_each_hand_has_ended(
    table: Table, outcome: Outcome, bust: bool, word: str
) -> None:
    bet = events.BetPlaced(seat=2, amount=1000, balance=9000)
    fold(table, bet, BEGAN, *dealt(2, "Ts", "9d"), *dealt(0, "2h", "??"))
    fold(table, events.HoleRevealed(card="Ah", total=13, soft=True))
    if bust:
        fold(table, events.HandBusted(seat=2, hand=0, total=25))
    assert summary(fold(table, settled(outcome, 11_050))) == [
        "$$$$$ Game Summary  $$$$$$",
        "Dealer:",
        "score: 13",
        "Card(rank='2', suit='hearts') Card(rank='A', suit='hearts')",
        "",
        "Player: ned21",
        "score: 10",
        "Card(rank='10', suit='spades') Card(rank='9', suit='diamonds')",
        "Player assets:",
        f"bet 10 balance 110.50 {word}",
    ]


def test_a_style_is_for_its_own_houses(table: Table) -> None:
    with pytest.raises(WrongHouseError, match="this table plays cpsc386") as wrong:
        cs220.STYLE.check(table)
    assert wrong.value.exit == 2


async def test_a_style_and_solo_do_not_go_together() -> None:
    played = await run_command("--solo", "--style", "cs1114")
    assert played.code == 2
    assert "--solo plays cpsc386: leave --style cs1114 out." in played.errors


def test_the_styles_that_an_option_names_are_those_that_there_are() -> None:
    (row,) = [each for each in LOOK if each.typed.startswith("--style")]
    modules = [import_module(f"{style.__name__}.{name}") for name in _MODULES]
    names = [each.STYLE.name for each in modules if hasattr(each, "STYLE")]
    assert list(row.choices or ()) == sorted(names)
    for name in names:
        found = read_options(["--handle", "ned21", "--style", name], {}).style
        assert found is not None
        assert found.name == name
