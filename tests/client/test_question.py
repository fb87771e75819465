import pytest

from bj_client.model.seat import Hand
from bj_client.model.table import Table
from bj_client.question.asked import question_for
from bj_client.question.question import Complaint, Question, Word, addressed, play_again
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    AceHigh,
    AceLow,
    Decline,
    Double,
    EvenMoney,
    GiveUp,
    Hit,
    Insure,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from bj_protocol.views import WagerRange
from support.message import make_ask

HALF = WagerRange(minimum=1, maximum=2550, step=1)
"""Up to half of a stake of 51 dollars."""

BOTH = "e for even money, u for surrender"
CENTS = f"insure for an amount from $0.01 to $25.50, {BOTH}, or type n for no insurance"
DOLLARS = "insure for whole dollars from $1 to $10,000, or type n for no insurance"

KINDS: dict[str, tuple[Action, ...]] = {
    "bet": (Action.PLACE_BET, Action.SIT_OUT),
    "gift": (Action.ACCEPT_GIFT, Action.SIT_OUT),
    "insurance": (Action.INSURE, Action.DECLINE),
    "half stake": (
        Action.INSURE,
        Action.EVEN_MONEY,
        Action.SURRENDER,
        Action.DECLINE,
    ),
    "even money": (Action.EVEN_MONEY, Action.DECLINE),
    "early": (Action.SURRENDER, Action.DECLINE),
    "even money, early": (Action.EVEN_MONEY, Action.SURRENDER, Action.DECLINE),
    "pair": (Action.SPLIT, Action.DECLINE),
    "play": (Action.HIT, Action.STAND),
    "play, first": (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT),
    "play, late": (
        Action.HIT,
        Action.STAND,
        Action.DOUBLE,
        Action.SPLIT,
        Action.SURRENDER,
    ),
    "split aces": (Action.STAND, Action.SPLIT),
    "play, given up": (Action.HIT, Action.STAND, Action.GIVE_UP),
    "aces": (Action.ACE_HIGH, Action.ACE_LOW),
    "play again": (),
}

WRONG = [
    "",
    "   ",
    "zebra",
    "-5",
    "0",
    "1e3",
    "10001",
    "9" * 5000,
    "z" * 5000,
    "5\x00",
    "\x1b[A",
    "h\x08s",
    "５",
    "１００",
    "y\nn",
]


class Pose:
    """Poses a question of each kind at a table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __call__(self, kind: str) -> Question:
        if kind == "play again":
            return play_again()
        self._table.seats[2].hands = [Hand(["8s", "8h"], 16)]
        limits = {"wager": HALF} if kind == "half stake" else {}
        ask = make_ask(7, *KINDS[kind], gift=1_000_000, **limits)
        return question_for(ask, self._table)


@pytest.fixture
def pose(table: Table) -> Pose:
    return Pose(table)


@pytest.mark.parametrize("text", WRONG, ids=lambda text: ascii(text)[:20])
@pytest.mark.parametrize("kind", KINDS)
def test_wrong_input_gets_a_sentence_at_every_prompt(
    pose: Pose, kind: str, text: str
) -> None:
    reading = pose(kind).read(text)
    assert isinstance(reading, Complaint)
    assert reading.sentence.endswith(".")
    assert reading.sentence.isprintable()
    assert "zebra" not in reading.sentence
    assert len(reading.sentence) < 200


@pytest.mark.parametrize("text", [*WRONG, "0.5"], ids=lambda text: ascii(text)[:20])
@pytest.mark.parametrize("kind", ["bet", "insurance"])
def test_a_wrong_amount_is_told_the_range(pose: Pose, kind: str, text: str) -> None:
    reading = pose(kind).read(text)
    assert isinstance(reading, Complaint)
    assert "whole dollars from $1 to $10,000" in reading.sentence


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("q", Word.LEAVE),
        ("QUIT", Word.LEAVE),
        (" leave ", Word.LEAVE),
        ("?", Word.HELP),
        ("help", Word.HELP),
        ("t", Word.TABLE),
        ("Table", Word.TABLE),
        ("r", Word.RULES),
        ("rules", Word.RULES),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_some_words_are_good_at_every_prompt(
    pose: Pose, kind: str, text: str, word: Word
) -> None:
    assert pose(kind).read(text) is word


@pytest.mark.parametrize(
    ("kind", "prompt"),
    [
        ("bet", "Bet ($1 to $10,000, o to sit out)?"),
        (
            "gift",
            "You are broke. An anonymous donor offers $10,000.00. Accept (y/n)?",
        ),
        ("insurance", "Insurance ($1 to $10,000, n for none)?"),
        (
            "half stake",
            f"Insurance ($0.01 to $25.50, {BOTH}, n for none)?",
        ),
        ("even money", "Even money (e) or play on (n)?"),
        ("early", "Surrender (u) or play on (n)?"),
        ("even money, early", "Even money (e), surrender (u) or play on (n)?"),
        ("pair", "Split your 8s (y/n)?"),
        ("play", "Hit (h) or stand (s)?"),
        ("play, first", "Hit (h), stand (s), double (d) or split (p)?"),
        (
            "play, late",
            "Hit (h), stand (s), double (d), split (p) or surrender (u)?",
        ),
        ("split aces", "Stand (s) or split (p)?"),
        (
            "play, given up",
            "Hit (h), stand (s) or give up and deal anew (g)?",
        ),
        ("aces", "Does an ace count 11 (h) or 1 (l)?"),
        ("play again", "Play again (y/n)?"),
    ],
)
def test_each_ask_has_its_prompt(pose: Pose, kind: str, prompt: str) -> None:
    assert pose(kind).prompt == prompt


@pytest.mark.parametrize(
    ("kind", "text", "answer"),
    [
        ("bet", "50", PlaceBet(prompt=7, amount=5000)),
        ("bet", "  $10,000 ", PlaceBet(prompt=7, amount=1_000_000)),
        ("bet", "O", SitOut(prompt=7)),
        ("gift", "Y", AcceptGift(prompt=7)),
        ("gift", "no", SitOut(prompt=7)),
        ("insurance", "30", Insure(prompt=7, amount=3000)),
        ("insurance", "N", Decline(prompt=7)),
        ("insurance", "none", Decline(prompt=7)),
        ("half stake", "$12.50", Insure(prompt=7, amount=1250)),
        ("half stake", "0.01", Insure(prompt=7, amount=1)),
        ("half stake", "25.5", Insure(prompt=7, amount=2550)),
        ("half stake", "E", EvenMoney(prompt=7)),
        ("half stake", "even money", EvenMoney(prompt=7)),
        ("half stake", "u", Surrender(prompt=7)),
        ("half stake", "n", Decline(prompt=7)),
        ("even money", "e", EvenMoney(prompt=7)),
        ("even money", "Even Money", EvenMoney(prompt=7)),
        ("even money", "no", Decline(prompt=7)),
        ("early", "U", Surrender(prompt=7)),
        ("early", "surrender", Surrender(prompt=7)),
        ("early", "play on", Decline(prompt=7)),
        ("even money, early", "u", Surrender(prompt=7)),
        ("play, late", "u", Surrender(prompt=7)),
        ("play, late", "SURRENDER", Surrender(prompt=7)),
        ("split aces", "p", Split(prompt=7)),
        ("play, given up", "G", GiveUp(prompt=7)),
        *(("aces", text, AceHigh(prompt=7)) for text in ("h", "High", "11")),
        *(("aces", text, AceLow(prompt=7)) for text in ("l", "low", "1")),
        ("pair", "y", Split(prompt=7)),
        ("pair", "No", Decline(prompt=7)),
        ("pair", "decline", Decline(prompt=7)),
        ("gift", "sit out", SitOut(prompt=7)),
        ("play", " H ", Hit(prompt=7)),
        ("play", "STAND", Stand(prompt=7)),
        ("play, first", "d", Double(prompt=7)),
        ("play, first", "split", Split(prompt=7)),
        ("play again", "y", Word.GO_ON),
        ("play again", "NO", Word.LEAVE),
    ],
)
def test_an_answer_is_read(pose: Pose, kind: str, text: str, answer: object) -> None:
    assert pose(kind).read(text) == answer


def test_what_is_not_legal_now_is_refused_by_name(pose: Pose) -> None:
    assert pose("play").read("d") == Complaint(
        "You cannot double now: type h to hit or s to stand."
    )


@pytest.mark.parametrize(
    ("kind", "text", "why", "choices"),
    [
        ("half stake", "25.51", "That is more than $25.50", CENTS),
        ("half stake", "0", "That is less than $0.01", CENTS),
        ("half stake", "12.505", "That is not an amount", CENTS),
        ("insurance", "0.50", "Only whole dollars count", DOLLARS),
        ("insurance", "e", "That is not an amount", DOLLARS),
        ("insurance", "u", "That is not an amount", DOLLARS),
        (
            "even money",
            "12.50",
            "That is none of the choices",
            "type e for even money or n to play on",
        ),
        (
            "early",
            "e",
            "That is none of the choices",
            "type u for surrender or n to play on",
        ),
        ("play", "u", "You cannot surrender now", "type h to hit or s to stand"),
        ("play", "e", "That is none of the choices", "type h to hit or s to stand"),
        ("split aces", "h", "You cannot hit now", "type s to stand or p to split"),
    ],
)
def test_a_wrong_answer_to_an_offer_is_told_what_is_open(
    pose: Pose, kind: str, text: str, why: str, choices: str
) -> None:
    assert pose(kind).read(text) == Complaint(f"{why}: {choices}.")


def test_a_pair_by_value_is_named_by_both_cards(table: Table) -> None:
    table.seats[2].hands = [Hand(["Ks", "Th"], 20)]
    pair = question_for(make_ask(7, Action.SPLIT, Action.DECLINE), table)
    assert pair.prompt == "Split your king and 10 (y/n)?"


def test_a_hand_is_named_where_there_are_several(table: Table) -> None:
    table.seats[2].hands = [Hand(["8s", "Kd"], 18), Hand(["8h", "9c"], 17)]
    play = question_for(make_ask(7, Action.HIT, Action.STAND, hand=1), table)
    insure = question_for(make_ask(8, Action.INSURE, Action.DECLINE, hand=0), table)
    assert play.prompt == "Hand 2: hit (h) or stand (s)?"
    assert insure.prompt == "Hand 1: insurance ($1 to $10,000, n for none)?"
    early = question_for(make_ask(9, Action.SURRENDER, Action.DECLINE, hand=1), table)
    assert early.prompt == "Hand 2: surrender (u) or play on (n)?"


def test_insurance_can_stand_beside_the_play(table: Table) -> None:
    play = question_for(make_ask(7, Action.HIT, Action.STAND, Action.INSURE), table)
    assert play.prompt == "Hit (h), stand (s) or insure (i AMOUNT)?"
    assert play.read("i 30") == Insure(prompt=7, amount=3000)
    assert isinstance(play.read("i x"), Complaint)


def test_other_steps_are_named(table: Table) -> None:
    ladder = WagerRange(minimum=500, maximum=2000, step=500)
    bet = question_for(make_ask(7, Action.PLACE_BET, wager=ladder), table)
    assert bet.prompt == "Bet ($5 to $20)?"
    assert bet.choices == "bet an amount from $5 to $20 in steps of $5"
    cents = WagerRange(minimum=1, maximum=2000, step=1)
    bet = question_for(make_ask(7, Action.PLACE_BET, wager=cents), table)
    assert bet.choices == "bet an amount from $0.01 to $20"


def test_a_bet_may_be_spread_over_spots(table: Table) -> None:
    bet = question_for(make_ask(7, Action.PLACE_BET, spots=3), table)
    assert bet.prompt == "Bet ($1 to $10,000 a spot, x2 to x3 for more)?"
    assert bet.choices.endswith(", with x2 to x3 behind it for so many spots")
    assert bet.read("30") == PlaceBet(prompt=7, amount=3000)
    for text in ("30x2", "30 x 2", "$30 X2"):
        assert bet.read(text) == PlaceBet(prompt=7, amount=3000, spots=2)
    for text in ("30x0", "30x4", "30x99", "x2", "30x", "0x2", "30x2x2"):
        assert isinstance(bet.read(text), Complaint)
    two = question_for(make_ask(7, Action.PLACE_BET, spots=2), table)
    assert two.prompt == "Bet ($1 to $10,000 a spot, x2 for more)?"
    one = question_for(make_ask(7, Action.PLACE_BET), table)
    assert isinstance(one.read("30x2"), Complaint)


def test_a_question_names_its_player_where_there_are_several(pose: Pose) -> None:
    inner = pose("insurance")
    question = addressed("ned21", inner)
    assert question.prompt == "ned21, insurance ($1 to $10,000, n for none)?"
    assert question.choices == inner.choices
    assert question.ask == inner.ask
    for text in ("30", "n", "t", "x"):
        assert question.read(text) == inner.read(text)
    assert play_again("ned21").prompt == "ned21 for all: Play again (y/n)?"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sent", ["\x1b[d", "\x1bh", "\x1b[Dy", "5\x1b[D", "\x9bn"])
def test_K1_13_1_a_line_with_a_sequence_of_the_terminal_is_no_answer(
    table: Table, kind: str, sent: str
) -> None:
    question = question_for(make_ask(1, *KINDS[kind], gift=1_000_000), table)
    assert isinstance(question.read(sent), Complaint)
