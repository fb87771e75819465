"""Good-byes: what is signed of a balance counts at the next visit, and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_client.fair.finding import Finding, Note
from bj_client.fair.purse import compare_goodbye
from bj_client.fair.record import Entry, read
from bj_client.fair.witness import Witness
from bj_protocol import commands
from bj_protocol.commands import Leave
from bj_protocol.messages import Signed
from bj_protocol.proof import StatementKind
from bj_server.table.inbox import FromLine
from support.company import Company, record_of


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Company]:
    with Company(tmp_path) as rig:
        rig.join("ned21")
        yield rig


def leave(rig: Company) -> int | None:
    """Leave in order; return what the server has signed that ned21 has."""
    rig.players["ned21"].send(commands.Leave())
    rig.send(FromLine(rig.line["ned21"], Leave()))
    return rig.players["ned21"].checker.parted


def test_what_is_signed_when_we_leave_is_what_we_have(rig: Company) -> None:
    assert rig.players["ned21"].checker.parted is None
    assert leave(rig) == rig.bank.balance("ned21") == 1_000_000
    assert rig.players["ned21"].findings == []


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"signature": "ab" * 64}, "the signature of the goodbye is not the server's"),
        ({"head": "ab" * 32}, "the signature of the goodbye is not the server's"),
        ({"note": "ned21 2000000"}, "the signature of the goodbye"),
    ],
)
def test_what_is_not_well_signed_is_not_kept(
    rig: Company, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], what: str
) -> None:
    story = rig.table.context.story
    assert story is not None
    sign = story.sign

    def forge(kind: StatementKind, *rest: Any) -> Signed:
        return sign(kind, *rest).model_copy(update=changes)

    monkeypatch.setattr(story, "sign", forge)
    assert leave(rig) is None
    assert rig.players["ned21"].findings[0].what.startswith(what)


@pytest.mark.parametrize("missing", [0, 1])
def test_a_good_bye_after_updates_that_are_missing_is_compared_with_nothing(
    rig: Company, missing: int
) -> None:
    story, checker = rig.table.context.story, rig.players["ned21"].checker
    assert story is not None
    seq = rig.table.context.seq + missing
    goodbye = story.sign(StatementKind.GOODBYE, seq, 1, "ned21 1000100")
    what = "the good-bye has another balance than was told"
    found = [] if missing else [what]
    assert [r.what for r in checker.hear(goodbye) if isinstance(r, Finding)] == found


def test_a_stake_on_the_table_is_no_loss_and_a_gift_none_either(rig: Company) -> None:
    rig.bet("ned21", 100)
    assert rig.bank.balance("ned21") < 1_000_000
    picture = rig.table.snapshot(rig.line["ned21"])
    assert picture is not None
    assert compare_goodbye(1_000_000, picture) == []
    assert compare_goodbye(900_000, picture) == []
    assert compare_goodbye(None, picture) == []
    (note,) = compare_goodbye(1_000_001, picture)
    assert isinstance(note, Note)
    assert note.what.startswith("you have $0.01 less than at the end of your last")


@pytest.mark.parametrize("is_signed", [True, False])
def test_a_good_bye_that_is_not_signed_is_told_with_what_we_had(
    rig: Company, is_signed: bool
) -> None:
    """A server could take money between two visits, and nothing would show it."""
    leave(rig)
    player, witness = rig.players["ned21"], Witness("here")
    line = witness.ear("ned21")
    for entry in read(record_of(player)):
        match entry[1]:
            case Entry(heard=Signed(kind=StatementKind.GOODBYE)) if not is_signed:
                pass
            case Entry(heard=heard, text=text) if heard is not None:
                line.hear(heard, text)
            case Entry(sent=sent) if sent is not None:
                line.send(sent)
            case _:
                pass
    witness.take()
    assert line.part() == 1_000_000
    told = "Round 1: no signature came of the $10,000.00 that you had when you left."
    assert witness.take() == ([] if is_signed else [told])


def test_a_visit_without_a_good_bye_leaves_what_was_told_last(rig: Company) -> None:
    player, witness = rig.players["ned21"], Witness("here")
    line = witness.ear("ned21")
    for _, entry in read(record_of(player)):
        if isinstance(entry, Entry) and entry.heard is not None:
            line.hear(entry.heard, entry.text)
    assert line.part() == 1_000_000
    (ask,) = rig.asks.values()
    line.send(commands.PlaceBet(prompt=ask.prompt, amount=1000))
    assert line.part() is None  # it may have been placed
    assert Witness("here").ear("ned21").part() is None
