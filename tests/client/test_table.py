import pytest

from bj_client.model.table import Table
from bj_protocol.action import By, SettleReason
from bj_protocol.events import (
    AcesValued,
    BetPlaced,
    BetReturned,
    BettingOpened,
    CardDealt,
    CutCardReached,
    DealerBusted,
    DealerPeeked,
    DealerStood,
    EvenMoneyTaken,
    Event,
    GiftGiven,
    HandBusted,
    HandDoubled,
    HandGivenUp,
    HandInsured,
    HandReached21,
    HandReachedCharlie,
    HandSettled,
    HandSplit,
    HandStood,
    HandSurrendered,
    HoleRevealed,
    InsuranceSettled,
    OfferDeclined,
    PlayerJoined,
    PlayerLeft,
    PresenceChanged,
    RoundBegan,
    RoundEnded,
    RoundVoided,
    SatOut,
    ShoeShuffled,
)
from bj_protocol.views import (
    DealerView,
    HandState,
    Outcome,
    Phase,
    Presence,
    ShoeView,
    Turn,
    You,
)
from support.message import make_ask, make_hand, make_seat, make_snapshot, make_update


def fold(table: Table, *events: Event) -> None:
    for event in events:
        table.fold(event)


def settled(
    outcome: Outcome, reason: SettleReason, payout: int, balance: int, seat: int = 2
) -> HandSettled:
    return HandSettled(
        seat=seat,
        hand=0,
        outcome=outcome,
        reason=reason,
        stake=5000,
        payout=payout,
        balance=balance,
    )


def deal(table: Table) -> None:
    """Deal ned21 a pair of eights against a ten."""
    fold(
        table,
        BetPlaced(seat=2, amount=5000, balance=995_000),
        RoundBegan(round=3, seats=(2,)),
        CardDealt(seat=2, hand=0, card="8s", total=8, soft=False),
        CardDealt(seat=0, hand=0, card="Td", total=10, soft=False),
        CardDealt(seat=2, hand=0, card="8h", total=16, soft=False),
        CardDealt(seat=0, hand=0, card="??", total=10, soft=False),
    )


def test_a_picture_is_taken_over_whole() -> None:
    hand = make_hand("As 6d", 17, soft=True, insurance=1000, state=HandState.STOOD)
    table = Table(
        make_snapshot(
            seats=(make_seat(2, "ned21", hands=(hand,), bet=7),),
            dealer=DealerView(name="Dealer", cards=("Kd", "??"), total=10, soft=False),
            phase=Phase.PLAYING,
        )
    )
    mine = table.hand(2, 0)
    assert (mine.cards, mine.value, mine.insurance) == (["As", "6d"], "soft 17", 1000)
    assert table.dealer.cards == ["Kd", "??"]
    assert (table.me.bet, table.phase) == (7, Phase.PLAYING)


def test_a_bet_becomes_the_stake_of_a_hand(table: Table) -> None:
    deal(table)
    hand = table.hand(2, 0)
    assert (hand.cards, hand.total, hand.stake) == (["8s", "8h"], 16, 5000)
    assert (table.me.bet, table.me.balance, table.phase) == (0, 995_000, Phase.PLAYING)
    assert table.dealer.cards == ["Td", "??"]
    assert table.seat(1).hands == []
    assert table.shoe.cards_left == 412


def test_a_split_makes_two_hands_of_a_pair(table: Table) -> None:
    deal(table)
    fold(
        table,
        HandSplit(seat=2, hand=0, new_hand=1, stake=5000, balance=990_000),
        CardDealt(seat=2, hand=0, card="Kd", total=18, soft=False),
        CardDealt(seat=2, hand=1, card="3c", total=11, soft=False),
        HandDoubled(seat=2, hand=1, stake=10_000, balance=985_000),
        HandInsured(seat=2, hand=0, amount=1000, balance=984_000),
    )
    first, second = table.me.hands
    assert (first.cards, first.stake, first.insurance) == (["8s", "Kd"], 5000, 1000)
    assert (second.cards, second.total, second.stake) == (["8h", "3c"], 11, 10_000)
    assert table.me.balance == 984_000


def test_hands_remember_how_they_ended(table: Table) -> None:
    deal(table)
    states: list[tuple[Event, HandState]] = [
        (HandStood(seat=2, hand=0, total=16, by=By.PLAYER), HandState.STOOD),
        (HandReached21(seat=2, hand=0, natural=False), HandState.TWENTY_ONE),
        (HandBusted(seat=2, hand=0, total=26), HandState.BUSTED),
        (HandSurrendered(seat=2, hand=0), HandState.SURRENDERED),
        (HandGivenUp(seat=2, hand=0), HandState.GIVEN_UP),
        (HandReachedCharlie(seat=2, hand=0), HandState.CHARLIE),
    ]
    for event, state in states:
        fold(table, event)
        assert table.hand(2, 0).state is state


def test_a_split_hand_can_be_split_again(table: Table) -> None:
    deal(table)
    fold(
        table,
        HandSplit(seat=2, hand=0, new_hand=1, stake=5000, balance=990_000),
        CardDealt(seat=2, hand=0, card="8d", total=16, soft=False),
        CardDealt(seat=2, hand=1, card="3c", total=11, soft=False),
        HandSplit(seat=2, hand=0, new_hand=2, stake=5000, balance=985_000),
        CardDealt(seat=2, hand=0, card="2c", total=10, soft=False),
        CardDealt(seat=2, hand=2, card="9c", total=17, soft=False),
    )
    assert [(hand.cards, hand.total) for hand in table.me.hands] == [
        (["8s", "2c"], 10),
        (["8h", "3c"], 11),
        (["8d", "9c"], 17),
    ]
    assert table.me.balance == 985_000


def test_cs220_05_the_player_says_how_an_ace_counts(table: Table) -> None:
    deal(table)
    fold(table, AcesValued(seat=2, hand=0, high=True, total=23))
    assert table.hand(2, 0).value == "23"


@pytest.mark.parametrize(
    "event",
    [
        DealerPeeked(blackjack=False),
        DealerPeeked(blackjack=True),
        EvenMoneyTaken(seat=2, hand=0),
        OfferDeclined(seat=2, hand=0, by=By.RULES),
    ],
    ids=str,
)
def test_what_only_people_are_told_changes_no_picture(
    table: Table, event: Event
) -> None:
    deal(table)
    fold(table, event)
    assert table.dealer.cards == ["Td", "??"]
    hand = table.hand(2, 0)
    assert (hand.state, hand.stake, table.me.balance) == (
        HandState.WAITING,
        5000,
        995_000,
    )


def test_a_surrender_loses_half_of_the_stake(table: Table) -> None:
    deal(table)
    fold(
        table,
        HandSurrendered(seat=2, hand=0),
        settled(Outcome.LOSE, SettleReason.SURRENDERED, 2500, 997_500),
        RoundEnded(round=3, cards_left=400, until_cut=330),
    )
    record = table.record
    assert (record.lost, record.net, table.me.balance) == (1, -2500, 997_500)


def test_a_natural_wins_what_the_house_pays(table: Table) -> None:
    deal(table)
    fold(table, settled(Outcome.WIN, SettleReason.NATURAL, 12_500, 1_007_500))
    assert (table.record.won, table.record.net) == (1, 7500)


def test_a_dealer_without_a_hole_card_draws_in_the_open(table: Table) -> None:
    fold(
        table,
        BetPlaced(seat=2, amount=5000, balance=995_000),
        RoundBegan(round=3, seats=(2,)),
        CardDealt(seat=2, hand=0, card="8s", total=8, soft=False),
        CardDealt(seat=2, hand=0, card="Th", total=18, soft=False),
        HandStood(seat=2, hand=0, total=18, by=By.RULES),
    )
    assert (table.dealer.cards, table.dealer.total) == ([], 0)
    fold(
        table,
        CardDealt(seat=0, hand=0, card="As", total=11, soft=True),
        CardDealt(seat=0, hand=0, card="9d", total=20, soft=True),
        DealerStood(total=20, blackjack=False),
    )
    assert (table.dealer.cards, table.dealer.value) == (["As", "9d"], "soft 20")


def test_the_hole_card_takes_the_hidden_ones_place(table: Table) -> None:
    deal(table)
    fold(table, HoleRevealed(card="Ac", total=21, soft=True))
    assert (table.dealer.cards, table.dealer.value) == (["Td", "Ac"], "soft 21")
    fold(table, DealerStood(total=21, blackjack=True))
    assert (table.dealer.total, table.dealer.value) == (21, "21")
    assert table.dealer.natural
    fold(table, DealerBusted(total=25))
    assert (table.dealer.total, table.dealer.natural) == (25, False)


def test_the_record_counts_rounds_hands_and_money(table: Table) -> None:
    deal(table)
    fold(
        table,
        settled(Outcome.WIN, SettleReason.HIGHER_TOTAL, 10_000, 1_005_000),
        settled(Outcome.LOSE, SettleReason.LOWER_TOTAL, 0, 1_000_000),
        settled(Outcome.PUSH, SettleReason.SAME_TOTAL, 5000, 1_000_000),
        InsuranceSettled(
            seat=2,
            hand=0,
            outcome=Outcome.LOSE,
            amount=3000,
            payout=0,
            balance=997_000,
        ),
        RoundEnded(round=3, cards_left=400, until_cut=330),
    )
    record = table.record
    assert (record.rounds, record.won, record.lost, record.pushed) == (1, 1, 1, 1)
    assert (record.net, record.score, table.me.balance) == (-3000, 0, 997_000)
    assert (table.shoe.cards_left, table.shoe.until_cut) == (400, 330)


def test_the_rounds_of_others_are_not_ours(table: Table) -> None:
    others = settled(Outcome.WIN, SettleReason.DEALER_BUSTED, 10_000, 1_005_000, seat=1)
    fold(table, others, RoundEnded(round=3, cards_left=400, until_cut=330))
    assert (table.record.rounds, table.record.won, table.record.net) == (0, 0, 0)
    assert table.seat(1).balance == 1_005_000


def test_a_picture_keeps_the_record(table: Table) -> None:
    table.record.won = 3
    table.apply(make_snapshot(seq=50))
    assert (table.record.won, table.seq) == (3, 50)


def test_players_come_and_go(table: Table) -> None:
    fold(table, PlayerJoined(seat=3, handle="tess", balance=5))
    assert [seat.handle for seat in table.seats.values()] == ["lia9", "ned21", "tess"]
    fold(table, PresenceChanged(seat=3, presence=Presence.AWAY))
    assert table.seat(3).presence is Presence.AWAY
    fold(table, PlayerLeft(seat=1, handle="lia9"))
    assert list(table.seats) == [2, 3]


def test_our_money_is_still_known_after_our_seat_is_given_up(table: Table) -> None:
    fold(
        table,
        BetReturned(seat=2, amount=5000, balance=777),
        PlayerLeft(seat=2, handle="ned21"),
    )
    assert table.me.balance == 777


def test_new_bets_clear_the_table(table: Table) -> None:
    deal(table)
    fold(table, BettingOpened(round=4))
    assert (table.round, table.phase, table.me.hands) == (4, Phase.BETTING, [])
    assert table.dealer.cards == []


def test_a_void_round_clears_the_table_and_counts_for_nothing(table: Table) -> None:
    deal(table)
    fold(
        table,
        RoundVoided(round=3, text="The server failed."),
        BetReturned(seat=2, amount=5000, balance=1_000_000),
    )
    assert (table.me.hands, table.me.balance) == ([], 1_000_000)
    fold(table, RoundEnded(round=3, cards_left=400, until_cut=330))
    assert table.record.rounds == 0


def test_gifts_and_sitting_out_are_noted(table: Table) -> None:
    fold(
        table,
        GiftGiven(seat=2, amount=1_000_000, balance=1_000_000),
        SatOut(seat=2, by=By.CLOCK),
    )
    assert (table.me.balance, table.me.bet) == (1_000_000, 0)


def test_the_shoe_is_counted(table: Table) -> None:
    fold(table, CutCardReached())
    assert table.shoe.until_cut == 0
    fold(table, ShoeShuffled(decks=8, cards=416, until_cut=340))
    shoe = table.shoe
    assert (shoe.decks, shoe.cards_left, shoe.until_cut) == (8, 416, 340)


def test_a_shoe_without_an_end_or_a_cut_card_is_not_counted() -> None:
    endless = ShoeView(decks=1, cards_left=None, until_cut=None)
    table = Table(make_snapshot(shoe=endless))
    deal(table)
    assert (table.shoe.cards_left, table.shoe.until_cut) == (None, None)
    fold(table, RoundEnded(round=3, cards_left=None, until_cut=None))
    assert (table.shoe.cards_left, table.shoe.until_cut) == (None, None)
    fold(table, ShoeShuffled(decks=1, cards=52, until_cut=None))
    deal(table)
    assert (table.shoe.cards_left, table.shoe.until_cut) == (48, None)


@pytest.mark.parametrize(
    "event",
    [
        CardDealt(seat=9, hand=3, card="8s", total=8, soft=False),
        HandSplit(seat=9, hand=0, new_hand=1, stake=1, balance=1),
        HandStood(seat=2, hand=5, total=16, by=By.PLAYER),
        HandSurrendered(seat=9, hand=0),
        HandReachedCharlie(seat=2, hand=5),
        EvenMoneyTaken(seat=9, hand=0),
        PresenceChanged(seat=9, presence=Presence.AWAY),
        PlayerLeft(seat=9, handle="nobody"),
        BetPlaced(seat=9, amount=1, balance=1),
    ],
    ids=lambda event: event.type,
)
def test_an_unknown_seat_is_no_reason_to_stop(table: Table, event: Event) -> None:
    fold(table, event)
    assert list(table.seats) == [1, 2]


def test_an_update_brings_the_turn(table: Table) -> None:
    table.apply(make_update(11, asks=(make_ask(4, seat=1), make_ask(5))))
    assert table.seq == 11
    assert [a.prompt for a in table.asks] == [4, 5]
    assert [a.prompt for a in table.my_asks] == [5]


def test_several_seats_can_be_ours(table: Table) -> None:
    table.claim(You(handle="ned21", seat=2), You(handle="lia9", seat=1))
    asks = (make_ask(1, seat=1), make_ask(2), make_ask(3, seat=3))
    table.turn = Turn(asks=asks, milliseconds=1)
    assert table.our_asks == (asks[1], asks[0])
    assert table.my_asks == (asks[1],)
    for seats in ((1,), (1, 2), (3,)):
        fold(table, RoundBegan(round=3, seats=seats))
        for seat in seats:
            win = settled(Outcome.WIN, SettleReason.HIGHER_TOTAL, 10_000, 1, seat)
            fold(table, win)
        fold(table, RoundEnded(round=3, cards_left=1, until_cut=1))
    rounds = {own.handle: own.record.rounds for own in table.ours.values()}
    assert rounds == {"ned21": 1, "lia9": 2}
    assert table.rounds == 2
