"""A player who looks back for a few rounds: those before them are owed still."""

from functools import partial

import pytest

from bj_client.fair.answers import Answers
from bj_client.fair.checker import Checker
from bj_client.fair.draw import Draw, Sealer
from bj_client.fair.finding import Report
from bj_client.fair.linker import Linker
from bj_client.fair.owing import Owing
from bj_client.fair.ways_out import Ways
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Recall
from bj_protocol.events import BetPlaced
from bj_protocol.messages import Recalled, TableList
from bj_protocol.proof import seal_of
from bj_protocol.refusal import RefusalCode
from game.transcript import load


@pytest.fixture
def report() -> Report:
    return Report()


def missed(report: Report, sealer: Sealer | None) -> Owing:
    """Return what is owed when two rounds were missed, 3 and 4."""
    ways = Ways()
    owing = Owing(ways, Answers(report, ways), report)
    for number in (3, 4):
        draw = Draw(number=number, house=load("vegas-strip"), sealer=sealer)
        owing.hear(BetPlaced(seat=2, amount=500, balance=9500), draw)
    return owing


@pytest.fixture
def owing(report: Report) -> Owing:
    return missed(report, partial(seal_of, key="", run="", table="main", terms=""))


@pytest.mark.parametrize(("rounds", "found"), [(2, 0), (4, 2), (20, 2)])
def test_rounds_that_were_not_asked_for_are_not_missing(
    owing: Owing, report: Report, rounds: int, found: int
) -> None:
    owing.ask(rounds, 6)
    owing.recall("main", 6, (), "", None)
    remarks = report.take()
    assert len(remarks) == found
    assert all("you have not heard its end" in str(remark) for remark in remarks)
    assert owing.wanted(6) == (4 if found == 0 else 0)


def test_a_table_that_seals_nothing_owes_no_secret(report: Report) -> None:
    owing = missed(report, None)
    owing.ask(20, 6)
    owing.recall("main", 6, (), "", None)
    assert not report.take()


def test_a_recall_that_is_refused_is_not_the_one_that_is_answered(
    owing: Owing, report: Report
) -> None:
    owing.ask(4, 6)
    owing.ask(2, 6)
    owing.refuse(RefusalCode.NOT_ASKED)
    owing.refuse(RefusalCode.RECALLING)
    owing.recall("main", 6, (), "", None)
    assert not report.take()


def test_what_was_asked_on_a_line_that_is_lost_is_answered_on_no_other(
    owing: Owing, report: Report
) -> None:
    owing.ask(2, 6)
    owing.lose()
    owing.ask(4, 6)
    owing.recall("main", 6, (), "", None)
    assert len(report.take()) == 2


class Owed(Checker):
    """Misses three rounds, whatever it hears."""

    @property
    def wants_recall(self) -> int:
        return 3


def test_the_rest_is_asked_for_as_soon_as_the_few_are_recalled() -> None:
    linker, few = Linker(Owed(None)), Recalled(rounds=())
    other = TableList(version=PROTOCOL_VERSION, tables=())
    assert linker.answer(other) == []  # a player may be about to ask
    linker.dress(Recall(rounds=1))
    assert linker.answer(other) == []
    assert linker.answer(few) == [Recall(rounds=3)]
    assert [linker.is_private(few), linker.is_private(few)] == [False, True]
