from io import StringIO
from typing import get_args

import pytest

from bj_client.model.seat import Faces, Hand
from bj_client.model.table import Table
from bj_client.play.output import PlainOutput
from bj_client.words.sentence import tell
from bj_protocol import events
from bj_protocol.action import Action, By, SettleReason
from bj_protocol.events import Event
from bj_protocol.views import Outcome, Presence, Turn
from support.message import make_ask


def settled(outcome: Outcome, reason: SettleReason, payout: int) -> Event:
    return events.HandSettled(
        seat=2,
        hand=0,
        outcome=outcome,
        reason=reason,
        stake=5000,
        payout=payout,
        balance=1_000_000,
    )


def insured(outcome: Outcome, payout: int) -> Event:
    return events.InsuranceSettled(
        seat=2, hand=0, outcome=outcome, amount=3000, payout=payout, balance=0
    )


BOTH_BUST = "the dealer is bust too, which is a tie here"
EMPTY = "The shoe is empty: the dealer shuffles the discards"
TIE = "a 21 does not lose to a blackjack here"

LATE = (
    "lia9's client did not send its part of the draw in time: the bet is back, and "
    "lia9 sits out five rounds."
)

TOLD: list[tuple[Event, str]] = [
    (
        events.PlayerJoined(seat=3, handle="tess", balance=1_000_000),
        "tess sits down at seat 3 with $10,000.00.",
    ),
    (events.PlayerLeft(seat=3, handle="tess"), "tess leaves seat 3."),
    (events.PresenceChanged(seat=1, presence=Presence.AWAY), "lia9 is away."),
    (events.PresenceChanged(seat=1, presence=Presence.HERE), "lia9 is back."),
    (events.PresenceChanged(seat=1, presence=Presence.LEAVING), "lia9 is leaving."),
    (events.BettingOpened(round=4), "Round 4: the bets are open."),
    (events.BetPlaced(seat=2, amount=5000, balance=0), "ned21 bets $50.00."),
    (
        events.BetPlaced(seat=2, amount=5000, spots=2, balance=0),
        "ned21 bets $50.00 on each of 2 spots.",
    ),
    (
        events.BetReturned(seat=2, amount=5000, balance=0),
        "$50.00 comes back to ned21.",
    ),
    (events.SatOut(seat=2, by=By.PLAYER), "ned21 sits this round out."),
    (
        events.SatOut(seat=2, by=By.CLOCK),
        "The time is up and ned21 sits this round out.",
    ),
    (events.SatOut(seat=2, by=By.ABSENCE), "ned21 is away and sits this round out."),
    (
        events.GiftGiven(seat=2, amount=1_000_000, balance=1_000_000),
        "An anonymous donor gives ned21 $10,000.00.",
    ),
    (
        events.ShoeShuffled(decks=8, cards=9, until_cut=5),
        "The dealer shuffles 8 decks, 9 cards.",
    ),
    (
        events.ShoeShuffled(decks=1, cards=52, until_cut=None),
        "The dealer shuffles one deck, 52 cards.",
    ),
    (
        events.ShoeShuffled(decks=1, cards=None, until_cut=None),
        "The cards come from an endless deck.",
    ),
    (
        events.RoundBegan(round=4, seats=(1, 2)),
        "The bets are closed and the dealer deals to lia9 and ned21.",
    ),
    (
        events.BetsClosed(round=4, seal="ab" * 32, bets=(), left=None, below_cut=None),
        "",
    ),
    (
        events.RoundBegan(round=4, seats=(2,), missing=(1,)),
        f"{LATE} The bets are closed and the dealer deals to ned21.",
    ),
    (
        events.CardDealt(seat=2, hand=0, card="7h", total=17, soft=True),
        "ned21 gets 7♥: soft 17.",
    ),
    (
        events.CardDealt(seat=0, hand=0, card="Kc", total=10, soft=False),
        "The dealer gets K♣: 10.",
    ),
    (
        events.CardDealt(seat=0, hand=0, card="??", total=10, soft=False),
        "The dealer gets a hidden card.",
    ),
    (
        events.HandSplit(seat=2, hand=0, new_hand=1, stake=5000, balance=0),
        "ned21 splits into two hands of $50.00 each.",
    ),
    (
        events.SplitDeclined(seat=2, hand=0, by=By.PLAYER),
        "ned21 keeps the pair together.",
    ),
    (
        events.HandInsured(seat=2, hand=0, amount=3000, balance=0),
        "ned21 buys insurance for $30.00.",
    ),
    (
        events.OfferDeclined(seat=2, hand=0, by=By.CLOCK),
        "The time is up and ned21 takes no insurance.",
    ),
    (
        events.AcesValued(seat=2, hand=0, high=True, total=18),
        "ned21 counts an ace 11: 18.",
    ),
    (
        events.AcesValued(seat=2, hand=0, high=False, total=8),
        "ned21 counts an ace 1: 8.",
    ),
    (
        events.EvenMoneyTaken(seat=2, hand=0),
        "ned21 takes even money for a blackjack.",
    ),
    (
        events.DealerPeeked(blackjack=True),
        "The dealer looks at the hidden card and has a blackjack.",
    ),
    (
        events.DealerPeeked(blackjack=False),
        "The dealer looks at the hidden card and has no blackjack.",
    ),
    (events.HandSurrendered(seat=2, hand=0), "ned21 surrenders."),
    (events.HandGivenUp(seat=2, hand=0), "ned21 gives the hand up."),
    (
        events.HandDoubled(seat=2, hand=0, stake=10_000, balance=0),
        "ned21 doubles the stake to $100.00.",
    ),
    (
        events.HandStood(seat=2, hand=0, total=20, by=By.PLAYER),
        "ned21 stands with soft 20.",
    ),
    (
        events.HandStood(seat=2, hand=0, total=12, by=By.ABSENCE),
        "ned21 is away and stands with 12.",
    ),
    (
        events.HandStood(seat=2, hand=0, total=12, by=By.RULES),
        "ned21 has nothing to decide and stands with 12.",
    ),
    (
        events.HandReachedCharlie(seat=2, hand=0),
        "ned21 has 2 cards without a bust, which wins here.",
    ),
    (
        events.HandReached21(seat=2, hand=0, natural=True),
        "ned21 has a blackjack: 21 with the first two cards.",
    ),
    (events.HandReached21(seat=2, hand=0, natural=False), "ned21 has reached 21."),
    (events.HandBusted(seat=2, hand=0, total=24), "ned21 has busted with 24."),
    (
        events.HoleRevealed(card="9s", total=19, soft=False),
        "The dealer turns the hidden card, 9♠: 19.",
    ),
    (events.DealerStood(total=18, blackjack=False), "The dealer stands with 18."),
    (
        events.DealerStood(total=21, blackjack=True),
        "The dealer stands with a blackjack.",
    ),
    (events.DealerBusted(total=26), "The dealer has busted with 26."),
    (
        insured(Outcome.WIN, 6000),
        "The insurance of ned21 wins $30.00: the dealer has a blackjack.",
    ),
    (
        insured(Outcome.LOSE, 0),
        "The insurance of ned21 loses $30.00: the dealer has no blackjack.",
    ),
    (
        insured(Outcome.PUSH, 3000),
        "The insurance of ned21 is void: $30.00 comes back.",
    ),
    (
        settled(Outcome.LOSE, SettleReason.BUSTED, 0),
        "ned21 loses $50.00 with 20: more than 21 is bust.",
    ),
    (
        settled(Outcome.PUSH, SettleReason.BOTH_BUSTED, 5000),
        f"ned21 pushes with 20: {BOTH_BUST}; $50.00 comes back.",
    ),
    (
        settled(Outcome.LOSE, SettleReason.GIVEN_UP, 0),
        "ned21 loses $50.00 with 20: it was given up.",
    ),
    (
        settled(Outcome.LOSE, SettleReason.SURRENDERED, 2500),
        "ned21 loses $25.00 with 20: half of the stake comes back for a surrender.",
    ),
    (
        settled(Outcome.WIN, SettleReason.NATURAL, 12_500),
        "ned21 wins $75.00 with 20: a blackjack pays $75.00 on $50.00 here.",
    ),
    (
        settled(Outcome.WIN, SettleReason.EVEN_MONEY, 10_000),
        "ned21 wins $50.00 with 20: even money was taken.",
    ),
    (
        settled(Outcome.WIN, SettleReason.CHARLIE, 10_000),
        "ned21 wins $50.00 with 20: 2 cards without a bust win here.",
    ),
    (
        settled(Outcome.LOSE, SettleReason.TIE_TO_DEALER, 0),
        "ned21 loses $50.00 with 20: the dealer wins equal totals here.",
    ),
    (
        settled(Outcome.WIN, SettleReason.DEALER_BUSTED, 10_000),
        "ned21 wins $50.00 with 20: the dealer is bust with 18.",
    ),
    (
        settled(Outcome.WIN, SettleReason.HIGHER_TOTAL, 10_000),
        "ned21 wins $50.00 with 20: the dealer has only 18.",
    ),
    (
        settled(Outcome.LOSE, SettleReason.LOWER_TOTAL, 0),
        "ned21 loses $50.00 with 20: the dealer has 18.",
    ),
    (
        settled(Outcome.PUSH, SettleReason.SAME_TOTAL, 5000),
        "ned21 pushes with 20: equal totals move no money here; $50.00 comes back.",
    ),
    (
        settled(Outcome.LOSE, SettleReason.DEALER_BLACKJACK, 0),
        "ned21 loses $50.00 with 20: the dealer has a blackjack.",
    ),
    (
        settled(Outcome.PUSH, SettleReason.TWENTY_ONE_TIES_BLACKJACK, 5000),
        f"ned21 pushes with 20: {TIE}; $50.00 comes back.",
    ),
    (
        events.CutCardReached(),
        "The cut card is out: the shoe is shuffled after this round.",
    ),
    (
        events.DiscardsShuffled(cards=31),
        f"{EMPTY}, 31 cards, and the round goes on.",
    ),
    (
        events.DiscardsShuffled(cards=1),
        f"{EMPTY}, 1 card, and the round goes on.",
    ),
    (events.RoundEnded(round=4, cards_left=1, until_cut=0), "Round 4 is over."),
    (
        events.RoundEnded(round=4, cards_left=None, until_cut=None),
        "Round 4 is over.",
    ),
    (
        events.RoundVoided(round=4, text="The shoe was lost."),
        "Round 4 is void: The shoe was lost.",
    ),
    (
        events.RoundVoided(round=4, text="No link came.", missing=(1,)),
        f"{LATE} Round 4 is void: No link came.",
    ),
    (
        events.Announced(text="The table pauses."),
        "The table says: The table pauses.",
    ),
    (events.Proclaimed(text="Last round!"), "The host says: Last round!"),
    (
        events.Said(seat=1, handle="lia9", text="<b>hit\u202e me</b>\x1b[31m"),
        "lia9 says: <b>hit me</b>[31m",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD, ids=lambda value: str(value)[:50])
def test_every_event_is_told_in_one_sentence(
    table: Table, event: Event, sentence: str
) -> None:
    table.seats[2].hands = [Hand(["As", "9d"], 20, soft=True)]
    table.dealer = Hand(["Kd", "8c"], 18)
    assert tell(event, table, Faces(symbols=True)) == sentence


def test_no_kind_of_event_is_left_out() -> None:
    union = get_args(events.Event)[0]
    assert {type(event) for event, _ in TOLD} == set(get_args(union))


def test_every_reason_of_a_settlement_is_told() -> None:
    reasons = [e.reason for e, _ in TOLD if isinstance(e, events.HandSettled)]
    assert set(reasons) == set(SettleReason)


def test_hands_are_numbered_where_there_are_several(table: Table) -> None:
    table.seats[2].hands = [Hand(["8s", "Kd"], 18), Hand(["8h", "9c"], 17)]
    event = events.HandStood(seat=2, hand=1, total=17, by=By.PLAYER)
    assert tell(event, table, Faces(symbols=True)) == "ned21 (hand 2) stands with 17."


def test_a_hand_that_is_split_again_is_named(table: Table) -> None:
    table.seats[2].hands = [Hand(["8s"], 8), Hand(["8h"], 8), Hand(["8d"], 8)]
    event = events.HandSplit(seat=2, hand=1, new_hand=2, stake=5000, balance=0)
    assert tell(event, table, Faces(symbols=True)) == (
        "ned21 splits hand 2 into hands 2 and 3 of $50.00 each."
    )


@pytest.mark.parametrize(
    ("offered", "told"),
    [
        ({Action.INSURE}, "ned21 takes no insurance."),
        ({Action.INSURE, Action.EVEN_MONEY}, "ned21 takes no insurance."),
        ({Action.EVEN_MONEY}, "ned21 takes no even money."),
        ({Action.EVEN_MONEY, Action.SURRENDER}, "ned21 takes no even money."),
        ({Action.SURRENDER}, "ned21 does not surrender."),
        ({Action.SPLIT}, "ned21 takes no insurance."),  # who left at the pair before
    ],
    ids=lambda case: case if isinstance(case, str) else "-".join(sorted(case)),
)
def test_what_was_offered_is_what_is_declined(
    table: Table, offered: set[Action], told: str
) -> None:
    others = make_ask(6, Action.INSURE, Action.DECLINE, seat=1)
    ours = make_ask(7, *offered, Action.DECLINE)
    table.turn = Turn(asks=(others, ours), milliseconds=1)
    event = events.OfferDeclined(seat=2, hand=0, by=By.PLAYER)
    assert tell(event, table, Faces(symbols=True)) == told


def test_an_offer_that_was_never_seen_is_taken_for_insurance(table: Table) -> None:
    table.turn = Turn(
        asks=(make_ask(7),), milliseconds=1
    )  # for a bet, in the same update
    event = events.OfferDeclined(seat=2, hand=0, by=By.ABSENCE)
    assert tell(event, table, Faces(symbols=True)) == (
        "ned21 is away and takes no insurance."
    )


def test_an_unknown_seat_is_still_told(table: Table) -> None:
    event = events.BetPlaced(seat=9, amount=100, balance=0)
    assert tell(event, table, Faces(symbols=True)) == "seat 9 bets $1.00."


def test_the_cut_card_is_told_in_the_first_round_of_a_shoe_alone(table: Table) -> None:
    event = events.RoundBegan(round=4, seats=(2,), until_cut=345)
    for left, is_told in ((416, True), (400, False)):
        table.shoe.cards_left = left
        table.fold(event)
        sentence = tell(event, table, Faces(symbols=True))
        assert sentence.endswith("The cut card comes after 345 cards.") is is_told


@pytest.mark.parametrize(
    "ours",
    [
        "Round 57 is proven: 9809 0754.",
        "\u2713 Round 57 is proven: 9809 0754.",
        "R\u043eund 57 is pr\u043even: 9809 0754.",
        "\u202e.4570 9089 :nevorp si 75 dnuoR",
        "\u2066Round 57 is proven: 9809 0754.\u2069",
        "\r\nRound 57 is proven: 9809 0754.",
        "THE SERVER IS WRONG. Round 57: it is not.",
    ],
)
async def test_no_announcement_reads_as_a_sentence_of_the_check(
    table: Table, ours: str
) -> None:
    stream = StringIO()
    event = events.Announced(text=ours)
    said = tell(event, table, Faces(symbols=False))
    await PlainOutput(stream).line(said)
    [line] = stream.getvalue().splitlines()
    assert line.startswith("The table says: ")
