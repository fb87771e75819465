"""The list of our last rounds, which tells of proven rounds otherwise."""

from collections.abc import Callable
from typing import Any

import pytest

from bj_protocol.commands import Recall
from bj_protocol.messages import Message, Recalled
from bj_protocol.recall import PastRound, RoundEnd
from bj_protocol.views import Outcome
from support.cheating import found, play
from support.company import Cheat, Company

ROUNDS = 3


def _hand(**fields: Any) -> Callable[[PastRound], PastRound]:
    def change(past: PastRound) -> PastRound:
        first, *rest = past.hands
        hands = (first.model_copy(update=fields), *rest)
        return past.model_copy(update={"hands": hands})

    return change


def _past(**fields: Any) -> Callable[[PastRound], PastRound]:
    return lambda past: past.model_copy(update=fields)


def _dealer(past: PastRound) -> PastRound:
    assert past.dealer is not None
    dealer = past.dealer.model_copy(update={"total": 31})
    return past.model_copy(update={"dealer": dealer})


LIES: dict[str, Callable[[PastRound], PastRound]] = {
    "more was paid": _hand(payout=10**6, outcome=Outcome.WIN),
    "nothing was paid": _hand(payout=1, outcome=Outcome.LOSE),
    "other cards": _hand(cards=("2c", "2d")),
    "another total": _hand(total=4),
    "another dealer": _dealer,
    "another bet": _past(bet=1),
    "more spots": _past(spots=7),
    "no hands": _past(hands=()),
    "a void round": _past(end=RoundEnd.VOID),
    "a bet that came back": _past(end=RoundEnd.RETURNED),
}


def recalled(change: Callable[[PastRound], PastRound]) -> Cheat:
    """Return what tells the oldest of some rounds otherwise."""

    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line is None or not isinstance(message, Recalled):
            return [(message, text)]
        first, *rest = message.rounds
        other = message.model_copy(update={"rounds": (change(first), *rest)})
        return [(other, other.model_dump_json())]

    return cheat


def ask(rig: Company) -> None:
    """Have ned21 ask for the last rounds, as by ``/history``."""
    wish = Recall(rounds=20)
    rig.bank.journal.write()
    rig.players["ned21"].linker.dress(wish)
    rig.recall(rig.line["ned21"], wish)


@pytest.mark.parametrize("name", LIES)
def test_a_proven_round_that_is_recalled_otherwise_is_found(
    rig: Company, name: str
) -> None:
    rig.outlet.cheat = recalled(LIES[name])
    ask(rig)
    found(rig, "it is recalled otherwise than it was proven", 1)


def test_what_is_recalled_as_it_was_is_no_lie(rig: Company) -> None:
    play(rig, 25)
    ask(rig)
    assert rig.players["ned21"].findings == []
