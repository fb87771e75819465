"""A strategy: what it is told of the table, and what is made of its answers."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bj_client.bot.adviser import Adviser
from bj_client.bot.bot import Bot, read_bot
from bj_client.model.seat import Hand
from bj_client.model.table import Table
from bj_game.strategies import BasicPlayer, Card, PlayerBank
from bj_protocol.action import Action, SettleReason
from bj_protocol.commands import (
    Decline,
    Double,
    Hit,
    Insure,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from bj_protocol.events import HandSettled, HoleRevealed, RoundEnded, ShoeShuffled
from bj_protocol.views import (
    DealerView,
    Outcome,
)
from support.answering import Says, SaysMore, deal
from support.message import make_ask, make_hand, make_seat, make_snapshot

if TYPE_CHECKING:
    from bj_game.strategies import View

PLAYS = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT)


@pytest.fixture
def dealt(table: Table) -> Table:
    """Return the table with ned21's pair of eights against an ace."""
    return deal(table)


def test_methods_that_are_not_there_mean_no(dealt: Table) -> None:
    bot = Bot(Says(True))
    assert bot.answer(make_ask(1, *PLAYS), dealt) == Hit(prompt=1)
    assert bot.answer(make_ask(2, Action.SPLIT, Action.DECLINE), dealt) == Decline(
        prompt=2
    )
    insure = make_ask(3, Action.INSURE, Action.DECLINE)
    assert bot.answer(insure, dealt) == Decline(prompt=3)
    assert bot.adviser.remarks() == ()


def test_methods_that_are_there_are_asked(dealt: Table) -> None:
    bot = Bot(SaysMore(True))
    assert bot.answer(make_ask(1, *PLAYS), dealt) == Split(prompt=1)
    assert bot.answer(make_ask(2, *PLAYS[:3]), dealt) == Double(prompt=2)
    assert bot.answer(make_ask(3, *PLAYS[:2]), dealt) == Hit(prompt=3)
    assert bot.answer(make_ask(4, Action.STAND), dealt) == Stand(prompt=4)


def test_an_ask_that_no_strategy_knows_is_declined(dealt: Table) -> None:
    bot = Bot(SaysMore(True))
    assert bot.answer(make_ask(1, Action.DECLINE), dealt) == Decline(prompt=1)
    assert bot.answer(make_ask(2, Action.SIT_OUT), dealt) == SitOut(prompt=2)


def test_a_strategy_is_told_what_anyone_can_see(dealt: Table) -> None:
    strategy = Says(False)
    Bot(strategy).answer(make_ask(1, *PLAYS), dealt)
    hand, bank, dealer_up, cards_dealt = strategy.given["want_card"]
    assert hand.get_cards() == [Card("8", "spades"), Card("8", "hearts")]
    assert hand.get_score() == 16
    assert (bank.get_balance(), bank.get_wager()) == (10_000, 12)
    assert dealer_up == [Card("A", "diamonds")]
    assert [card.text for card in cards_dealt] == ["Td", "8s", "Ad", "8h"]


def test_the_hole_card_is_seen_once_it_is_turned(dealt: Table) -> None:
    seen = ["Td", "8s", "Ad", "8h"]
    assert list(dealt.shoe.seen) == seen
    dealt.fold(HoleRevealed(card="9c", total=20, soft=True))
    assert list(dealt.shoe.seen) == [*seen, "9c"]
    dealt.fold(ShoeShuffled(decks=8, cards=416, until_cut=345))
    assert list(dealt.shoe.seen) == []


def test_who_comes_late_has_seen_what_lies_on_the_table() -> None:
    hand = make_hand("8s 8h ??", 16, stake=1000)
    dealer = DealerView(name="Dealer", cards=("Ad", "??"), total=11, soft=True)
    late = Table(
        make_snapshot(seats=(make_seat(1, "lia9", hands=(hand,)),), dealer=dealer)
    )
    assert late.shoe.seen == ("8s", "8h", "Ad")


def test_before_the_dealer_is_dealt_there_is_no_upcard(dealt: Table) -> None:
    dealt.dealer = Hand()
    strategy = Says(True)
    assert Bot(strategy).answer(make_ask(1, *PLAYS), dealt) == Hit(prompt=1)
    assert strategy.given["want_card"][2] == []


def test_every_question_gets_copies_of_its_own(dealt: Table) -> None:
    class Spoiler(SaysMore):
        def _say(self, method: str, *given: Any) -> Any:
            hand, bank, dealer_up, cards_dealt = given
            super()._say(method, *given)
            assert len(hand) == 2
            assert len(cards_dealt) == 4
            hand.get_cards().clear()
            hand._cards.clear()
            hand._score = bank._balance = 0
            dealer_up.clear()
            cards_dealt.clear()
            return False

    strategy = Spoiler(False)
    bot = Bot(strategy)
    assert bot.answer(make_ask(1, *PLAYS), dealt) == Stand(prompt=1)
    assert bot.adviser.remarks() == ()
    assert dealt.me.hands[0].cards == ["8s", "8h"]
    assert dealt.shoe.seen == ("Td", "8s", "Ad", "8h")
    asked = list(strategy.given.values())
    for place in range(4):
        assert len({id(given[place]) for given in asked}) == 3


@pytest.mark.parametrize(
    ("answer", "cards", "high", "remark"),
    [
        (False, ["As", "6h"], False, ""),
        (True, ["As", "6h", "9d"], True, ""),
        (
            None,
            ["As", "6h"],
            True,
            "None, not True or False: the ace counts 11",
        ),
        (None, ["As", "6h", "9d"], False, "not True or False: the ace counts 1."),
    ],
)
def test_an_ace_is_high_or_low_as_the_strategy_says(
    dealt: Table, answer: Any, cards: list[str], high: bool, remark: str
) -> None:
    dealt.me.hands[0].cards = cards
    adviser = Adviser(Says(answer))
    assert adviser.ace_high(make_ask(1, *PLAYS), dealt) is high
    assert remark in "".join(adviser.remarks())


def test_the_cheating_player_gains_nothing(dealt: Table) -> None:
    bot = read_bot("cheating").make(1000)
    asks = [
        make_ask(1),
        make_ask(2, Action.INSURE, Action.DECLINE),
        make_ask(3, *PLAYS),
        make_ask(4, *PLAYS[:2]),
    ]
    for open_ask in asks * 20:
        answer = bot.answer(open_ask, dealt)
        assert answer.type in open_ask.actions
        if isinstance(answer, PlaceBet | Insure):
            assert answer.amount % 100 == 0
            assert 100 <= answer.amount <= 1_000_000
    assert len(bot.adviser.remarks()) == 8
    assert bot.adviser.faults > 40
    assert dealt.me.hands[0].cards == ["8s", "8h"]
    assert dealt.me.balance == 1_000_000
    assert PlayerBank(1).get_balance() == 1


class Watcher(Says):
    """Notes what it may look at, and spoils it."""

    def __init__(self) -> None:
        super().__init__(10)
        self.views: list[View] = []
        self.decks: list[int] = []

    def observe(self, view: "View") -> None:
        self.views.append(replace(view, cards_seen=list(view.cards_seen)))
        view.cards_seen.clear()
        if view.house is not None:
            self.decks.append(view.house.decks)
            object.__setattr__(view.house, "decks", 99)


def test_13_7_a_strategy_sees_the_shoe_the_rules_and_the_last_round_at_its_bet(
    dealt: Table,
) -> None:
    watcher = Watcher()
    bot = Bot(watcher)
    bot.answer(make_ask(1, *PLAYS), dealt)
    dealt.fold(HoleRevealed(card="Kd", total=21, soft=True))
    settled: dict[str, Any] = {"hand": 0, "outcome": Outcome.LOSE, "balance": 0}
    reason = SettleReason.LOWER_TOTAL
    dealt.fold(HandSettled(seat=2, reason=reason, stake=500, payout=0, **settled))
    dealt.fold(RoundEnded(round=3, cards_left=104, until_cut=30))
    bot.answer(make_ask(2), dealt)
    dealt.fold(ShoeShuffled(decks=8, cards=416, until_cut=340))
    bot.answer(make_ask(3), dealt)
    bot.answer(make_ask(4), dealt)
    first, second, third, fourth = watcher.views
    assert [card.text for card in second.cards_seen][-1] == "Kd"
    assert len(second.cards_seen) == len(first.cards_seen) + 1
    assert (first.last_result, second.last_result) == (None, -500)
    assert (second.cards_left, second.decks_left) == (104, 2.0)
    assert [view.is_shuffled for view in watcher.views[1:]] == [False, True, False]
    assert (third.cards_seen, fourth.cards_seen) == ([], [])
    assert watcher.decks == [8, 8, 8, 8]


def test_13_7_a_bot_surrenders_where_that_is_best(dealt: Table) -> None:
    actions = (Action.HIT, Action.STAND, Action.SURRENDER)
    terms = {"name": "own", "title": "", "surrender": "early"}
    dealt.house = dealt.house.model_copy(update={"terms": terms})
    bot = Bot(BasicPlayer())
    assert bot.answer(make_ask(1, *actions), dealt) == Surrender(prompt=1)
    offer = (Action.INSURE, Action.SURRENDER, Action.DECLINE)
    assert bot.answer(make_ask(2, *offer), dealt) == Surrender(prompt=2)
    assert Bot(Says(0)).answer(make_ask(3, *actions), dealt) == Stand(prompt=3)
