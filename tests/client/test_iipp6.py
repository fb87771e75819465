"""The style ``iipp6`` by itself, and where the server does what it seldom does."""

from typing import Any

import pytest

from bj_client.net.address import Address
from bj_client.question.question import Complaint, Word
from bj_client.style.iipp6 import hit_or_stand, new_deal, verdict
from bj_protocol import events
from bj_protocol.action import Action, SettleReason
from bj_protocol.commands import AcceptGift, GiveUp, Hit, PlaceBet, Stand
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import (
    DealerView,
    HouseView,
    Outcome,
    Phase,
)
from support.fake_server import fake_server
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.told import told
from support.visit import run_command

HOUSE = HouseView(name="iipp6", title="A fresh deck", rules=(), minimum_bet=100)
PLAYS = (Action.HIT, Action.STAND, Action.GIVE_UP)
GAP = "bj-client: Round 3: the updates before update 20 are not told.\n"
HEAD = "Blackjack\nDeal (d), Hit (h), Stand (s); ? helps, q leaves.\n"
HANDS = "Dealer: ?? 9H\nPlayer: JS 3S (13)\n"
DEALT = told("""
    2 bets 1 -> 9999
    round 3 begins: 2
    2a Js = 10
    dealer 9h = 9
    2a 3s = 13
    dealer ?? = 9
""")
LOST = "Dealer: 8D 9H (17)\nThe dealer wins.\nScore: -1\n"


def settled(reason: SettleReason, outcome: Outcome) -> events.HandSettled:
    return events.HandSettled(
        seat=2,
        hand=0,
        outcome=outcome,
        reason=reason,
        stake=100,
        payout=200 if outcome is Outcome.WIN else 0,
        balance=999_900,
    )


def over(reason: SettleReason) -> tuple[events.Event, ...]:
    """Return how a round is lost, and the next one opens."""
    return (
        events.HoleRevealed(card="8d", total=17, soft=False),
        settled(reason, Outcome.LOSE),
        *told("""
            round 3 ends: 48 left
            round 4 opens
        """),
    )


async def play(address: Address, *typed: str, errors: str = "") -> str:
    options = ("--ascii", "--style", "iipp6", "--handle", "ned21")
    lines = "".join(f"{line}\n" for line in typed)
    played = await run_command(*options, "--server", address.shown, typed=lines)
    assert (played.code, played.errors) == (0, errors)
    shown, _, closing = str(played.output).rpartition("Good-bye, ned21: ")
    assert closing
    return shown


def test_a_hand_takes_every_button() -> None:
    question = hit_or_stand(make_ask(7, *PLAYS))
    for text in ("hit", "h", "HIT", " Hit\r"):
        assert question.read(text) == Hit(prompt=7)
    assert question.read("Stand") == Stand(prompt=7)
    assert question.read("d") == GiveUp(prompt=7)
    assert question.read("q") is Word.LEAVE
    for wrong in ("", "y", "double", "hitt", "\x1b"):
        assert isinstance(question.read(wrong), Complaint)


@pytest.mark.parametrize(
    ("has_busted", "why"), [(True, "You have busted"), (False, "The round is over")]
)
def test_between_rounds_only_deal_is_good(has_busted: bool, why: str) -> None:
    question = new_deal(has_busted=has_busted)
    for text in ("deal", "D", "yes"):
        assert question.read(text) is Word.GO_ON
    for text in ("n", "no", "q"):
        assert question.read(text) is Word.LEAVE
    for text in ("hit", "s"):
        assert question.read(text) == Complaint(
            f"{why}: type deal for a new deal or q to leave."
        )
    assert isinstance(question.read("maybe"), Complaint)


@pytest.mark.parametrize(
    ("reason", "outcome", "said"),
    [
        ("higher_total", Outcome.WIN, "You win."),
        ("dealer_busted", Outcome.WIN, "The dealer has busted. You win."),
        ("lower_total", Outcome.LOSE, "The dealer wins."),
        ("tie_to_dealer", Outcome.LOSE, "The dealer wins ties."),
        ("busted", Outcome.LOSE, "You lose."),
        ("given_up", Outcome.LOSE, "You lost the round."),
    ],
)
def test_the_verdict_is_in_the_words_of_the_text(
    reason: str, outcome: Outcome, said: str
) -> None:
    assert verdict(settled(SettleReason(reason), outcome)) == said


async def test_the_gift_is_taken_and_the_minimum_staked_in_silence() -> None:
    async def script(server: Any) -> None:
        gift = make_ask(1, Action.ACCEPT_GIFT, Action.SIT_OUT, gift=1000)
        await server.hello(gift, house=HOUSE)
        assert await server.hear() == AcceptGift(prompt=1)
        given = events.GiftGiven(seat=2, amount=1000, balance=1000)
        await server.update(11, given, asks=(make_ask(2),))
        assert await server.hear() == PlaceBet(prompt=2, amount=100)
        await server.update(12, *DEALT, asks=(make_ask(3, *PLAYS),))
        assert await server.hear() == Stand(prompt=3)
        lost = over(SettleReason.LOWER_TOTAL)
        await server.update(13, *lost, asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "stand", "q")
    assert said == HEAD + HANDS + "Hit or stand? stand\n" + LOST + "New deal? q\n"


async def test_a_round_that_is_given_up_is_followed_by_a_bet_unasked() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, *PLAYS),))
        assert await server.hear() == GiveUp(prompt=3)
        lost = over(SettleReason.GIVEN_UP)
        await server.update(12, *lost, asks=(make_ask(4),))
        assert await server.hear() == PlaceBet(prompt=4, amount=100)
        await server.update(13, *DEALT, asks=(make_ask(5, *PLAYS),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "deal", "q")
    given_up = LOST.replace("The dealer wins.", "You lost the round.")
    asked = "Hit or stand? deal\n" + given_up + HANDS + "Hit or stand? q\n"
    assert said == HEAD + HANDS + asked


async def test_a_round_under_way_is_shown_and_played_on() -> None:
    hand = make_hand("Js 3s", 13, stake=100)
    mine = make_seat(2, "ned21", hands=(hand,))
    dealer = DealerView(name="Dealer", cards=("9h", "??"), total=9, soft=False)

    async def script(server: Any) -> None:
        shown = {"phase": Phase.PLAYING, "seats": (mine,), "dealer": dealer}
        await server.hello(make_ask(3, *PLAYS), house=HOUSE, **shown)
        assert await server.hear() == Stand(prompt=3)
        lost = over(SettleReason.LOWER_TOTAL)
        await server.update(11, *lost, asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "stand", "q")
    assert said == HEAD + HANDS + "Hit or stand? stand\n" + LOST + "New deal? q\n"


async def test_a_voided_round_is_explained_and_counts_nothing() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, *PLAYS),))
        assert await server.hear() == Stand(prompt=3)
        void = events.RoundVoided(round=3, text="The round cannot be played out.")
        await server.update(12, void, asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "stand", "q")
    void = "The table says: The round cannot be played out.\nNew deal? q\n"
    assert said == HEAD + HANDS + "Hit or stand? stand\n" + void


async def test_a_refused_answer_is_explained_and_asked_for_again() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, *PLAYS),))
        assert await server.hear() == GiveUp(prompt=3)
        code = RefusalCode.BANK_STALLED
        await server.say(Refused(code=code, text="Not in this house.", prompt=3))
        assert await server.hear() == Stand(prompt=3)
        lost = over(SettleReason.LOWER_TOTAL)
        await server.update(12, *lost, asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "deal", "stand", "q")
    again = "Hit or stand? deal\nNot in this house.\nHit or stand? stand\n"
    assert said == HEAD + HANDS + again + LOST + "New deal? q\n"


async def test_news_that_was_missed_is_made_up_for() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, *PLAYS),))
        assert await server.hear() == Stand(prompt=3)
        await server.say(make_snapshot(make_ask(9), house=HOUSE, seq=20, round=4))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "stand", "q", errors=GAP)
    missed = (
        "Some news was missed; this is the table now.\nNo cards are on the table.\n"
    )
    asked = "Hit or stand? stand\n" + missed + "New deal? q\n"
    assert said == HEAD + HANDS + asked
