from collections.abc import Callable

import pytest

from bj_client.asking import question_for
from bj_client.question import Complaint, PlayAgain, Question, Word
from bj_client.seat import Hand
from bj_client.table import Table
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    Decline,
    Double,
    Hit,
    Insure,
    PlaceBet,
    SitOut,
    Split,
    Stand,
)
from bj_protocol.views import Ask, WagerRange

MakeAsk = Callable[..., Ask]

KINDS: dict[str, tuple[Action, ...]] = {
    "bet": (Action.PLACE_BET, Action.SIT_OUT),
    "gift": (Action.ACCEPT_GIFT, Action.SIT_OUT),
    "insurance": (Action.INSURE, Action.DECLINE),
    "pair": (Action.SPLIT, Action.DECLINE),
    "play": (Action.HIT, Action.STAND),
    "play, first": (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT),
    "play again": (),
}

WRONG = [
    "",
    "   ",
    "zebra",
    "-5",
    "0",
    "0.5",
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


@pytest.fixture
def pose(ask: MakeAsk, table: Table) -> Callable[[str], Question]:
    def make(kind: str) -> Question:
        if kind == "play again":
            return PlayAgain()
        table.seats[2].hands = [Hand(["8s", "8h"], 16)]
        return question_for(ask(7, *KINDS[kind], gift=1_000_000), table)

    return make


Pose = Callable[[str], Question]


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


@pytest.mark.parametrize("text", WRONG, ids=lambda text: ascii(text)[:20])
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
        ("pair", "Split your 8s (y/n)?"),
        ("play", "Hit (h) or stand (s)?"),
        ("play, first", "Hit (h), stand (s), double (d) or split (p)?"),
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
        ("pair", "y", Split(prompt=7)),
        ("pair", "No", Decline(prompt=7)),
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


def test_a_hand_is_named_where_there_are_several(ask: MakeAsk, table: Table) -> None:
    table.seats[2].hands = [Hand(["8s", "Kd"], 18), Hand(["8h", "9c"], 17)]
    play = question_for(ask(7, Action.HIT, Action.STAND, hand=1), table)
    insure = question_for(ask(8, Action.INSURE, Action.DECLINE, hand=0), table)
    assert play.prompt == "Hand 2: hit (h) or stand (s)?"
    assert insure.prompt == "Hand 1: insurance ($1 to $10,000, n for none)?"


def test_insurance_can_stand_beside_the_play(ask: MakeAsk, table: Table) -> None:
    play = question_for(ask(7, Action.HIT, Action.STAND, Action.INSURE), table)
    assert play.prompt == "Hit (h), stand (s) or insure (i AMOUNT)?"
    assert play.read("i 30") == Insure(prompt=7, amount=3000)
    assert isinstance(play.read("i x"), Complaint)


def test_other_steps_are_named(ask: MakeAsk, table: Table) -> None:
    ladder = WagerRange(minimum=500, maximum=2000, step=500)
    bet = question_for(ask(7, Action.PLACE_BET, wager=ladder), table)
    assert bet.prompt == "Bet ($5 to $20)?"
    assert bet.choices == "bet an amount from $5 to $20 in steps of $5"
    cents = WagerRange(minimum=1, maximum=2000, step=1)
    bet = question_for(ask(7, Action.PLACE_BET, wager=cents), table)
    assert bet.choices == "bet an amount from $0.01 to $20"
