"""Whatever the screen has a key for can be typed as a word, at a plain prompt, too."""

from typing import Any

import pytest

from bj_client.options import read_options
from bj_client.question.asked import question_for
from bj_client.question.question import Complaint, Word, read_slash
from bj_client.screen.control import PRESETS, answers, chips, services
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    AceHigh,
    AceLow,
    Chat,
    Decline,
    Double,
    EvenMoney,
    GiveUp,
    Hit,
    Insure,
    PlaceBet,
    Recall,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from bj_protocol.views import Phase
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.stage import make_stage

BET = (Action.PLACE_BET, Action.SIT_OUT)
GIFT = (Action.ACCEPT_GIFT, Action.SIT_OUT)
PAIR = (Action.SPLIT, Action.DECLINE)
INSURANCE = (Action.INSURE, Action.EVEN_MONEY, Action.SURRENDER, Action.DECLINE)
ACES = (Action.ACE_HIGH, Action.ACE_LOW)
PLAY = (
    *(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT),
    *(Action.INSURE, Action.SURRENDER, Action.GIVE_UP),
)
PROMPTS: tuple[tuple[Action, ...], ...] = (BET, GIFT, PAIR, INSURANCE, ACES, PLAY)
ASKED = 1
STAKE = 5000

WORDS: dict[str, list[tuple[tuple[Action, ...], str, object]]] = {
    "Deal": [(BET, "50", PlaceBet(prompt=ASKED, amount=5000))],
    "Hit": [(PLAY, "hit", Hit(prompt=ASKED))],
    "Stand": [(PLAY, "stand", Stand(prompt=ASKED))],
    "Double": [(PLAY, "double", Double(prompt=ASKED))],
    "Split": [(PLAY, "split", Split(prompt=ASKED))],
    "Insurance": [
        (INSURANCE, "20", Insure(prompt=ASKED, amount=2000)),
        (INSURANCE, "insure 20", Insure(prompt=ASKED, amount=2000)),
        (INSURANCE, "half", Insure(prompt=ASKED, amount=STAKE // 2)),
        (PLAY, "insure 20", Insure(prompt=ASKED, amount=2000)),
        (PLAY, "insure half", Insure(prompt=ASKED, amount=STAKE // 2)),
    ],
    "Even money": [(INSURANCE, "even money", EvenMoney(prompt=ASKED))],
    "Surrender": [
        (PLAY, "surrender", Surrender(prompt=ASKED)),
        (INSURANCE, "surrender", Surrender(prompt=ASKED)),
    ],
    "Give up, deal anew": [(PLAY, "g", GiveUp(prompt=ASKED))],
    "Ace is 11": [(ACES, "11", AceHigh(prompt=ASKED))],
    "Ace is 1": [(ACES, "1", AceLow(prompt=ASKED))],
    "Yes": [
        (PAIR, "yes", Split(prompt=ASKED)),
        (GIFT, "yes", AcceptGift(prompt=ASKED)),
    ],
    "No": [(PAIR, "no", Decline(prompt=ASKED)), (GIFT, "no", SitOut(prompt=ASKED))],
    "Sit out": [(BET, "sit out", SitOut(prompt=ASKED))],
    "$5": [(BET, "5", PlaceBet(prompt=ASKED, amount=500))],
    "$25": [(BET, "$25", PlaceBet(prompt=ASKED, amount=2500))],
    "$100": [(BET, "100", PlaceBet(prompt=ASKED, amount=10_000))],
    "$500": [(BET, "500", PlaceBet(prompt=ASKED, amount=50_000))],
    "All in": [(BET, "all in", PlaceBet(prompt=ASKED, amount=1_000_000))],
    "Again": [(BET, "again", PlaceBet(prompt=ASKED, amount=7500, spots=2))],
    "Twice": [(BET, "Twice", PlaceBet(prompt=ASKED, amount=15_000, spots=2))],
    "Rules": [(BET, "rules", Word.RULES), (PLAY, "r", Word.RULES)],
    "My rounds": [
        (BET, "/history", Recall(rounds=20)),
        (PLAY, "/history 5", Recall(rounds=5)),
    ],
    "Help": [(BET, "help", Word.HELP), (PLAY, "?", Word.HELP)],
    "Chat": [(BET, "/say good luck", Chat(text="good luck"))],
    "Leave": [(BET, "leave", Word.LEAVE), (PLAY, "q", Word.LEAVE)],
}
"""By the words on its button, what can be typed for it, and what comes of that."""


class Read:
    """Reads a line at a prompt, for a seat that has bet before."""

    def __init__(self) -> None:
        self._table = make_stage(played()).scene.table
        self._last = PlaceBet(prompt=0, amount=7500, spots=2)

    def __call__(self, actions: tuple[Action, ...], text: str) -> object:
        ask = make_ask(ASKED, *actions, spots=3)
        question = question_for(ask, self._table, self._last)
        return read_slash(text) or question.read(text)


def played() -> Any:
    hand = make_hand("8s 8h", 16, stake=STAKE)
    seats = (make_seat(1, "lia9"), make_seat(2, "ned21", hands=(hand,)))
    return make_snapshot(phase=Phase.PLAYING, seats=seats)


@pytest.fixture
def read() -> Read:
    return Read()


def test_every_control_of_the_screen_has_a_word(read: Read) -> None:
    labels = set[str]()
    for actions in PROMPTS:
        scene = make_stage(played())
        scene.ask(make_ask(ASKED, *actions))
        shown = (*answers(scene.scene), *chips(scene.scene), *services(scene.scene))
        labels |= {control.label for control in shown}
    assert labels == WORDS.keys()
    for forms in WORDS.values():
        for actions, text, meaning in forms:
            assert read(actions, text) == meaning, text


def test_what_is_chosen_ahead_has_a_word(read: Read) -> None:
    for action in PRESETS.values():
        assert not isinstance(read(PLAY, action.value), Complaint)


def test_what_the_screen_always_shows_has_a_word(read: Read) -> None:
    words = {"table": Word.TABLE, "score": Word.SCORE, "hint": Word.HINT}
    for text, word in words.items():
        assert read(PLAY, text) is word


def test_what_is_looked_at_without_a_seat_is_there_in_plain_lines() -> None:
    assert read_options(["--plain", "--list-tables"], {}).list_tables
    assert read_options(["--plain", "--watch"], {}).watch


def test_a_bet_is_not_made_again_before_there_was_one() -> None:
    question = question_for(make_ask(ASKED), make_stage(played()).scene.table)
    for text in ("again", "twice"):
        reading = question.read(text)
        assert isinstance(reading, Complaint)
        assert reading.sentence.startswith("You have not bet here yet: bet ")
