"""S8: neither a fault in the log nor the text of an object tells a seed."""

import traceback
from collections.abc import Callable

import pytest

from bj_server.log.form import JsonForm, TextForm
from bj_server.table.inbox import Join
from bj_server.table.stream import Stream
from rig import Rig, hello

SEED = bytes(range(1, 33))
FORMS = (SEED.hex(), repr(SEED)[2:-1], str(int.from_bytes(SEED, "big")))


@pytest.fixture
def rig(lay: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A table whose seeds are all the same."""
    monkeypatch.setattr("secrets.token_bytes", lambda count: SEED[:count])
    return lay(seed=None)


def is_told(text: str) -> bool:
    return any(form in text for form in FORMS)


def test_S8_the_texts_of_the_objects_have_no_seed(rig: Rig) -> None:
    who = hello(1, "ned21")
    rig.line["ned21"] = 1
    rig.send(Join(1, "ned21", who.sha256, cuts=True))
    cutting = rig.table.phase
    rig.wait(rig.plan.pace.cut_seconds)
    stream = rig.table.felt.shoes.stream
    assert stream is not None
    assert stream.seed == SEED
    felt, shoes = rig.table.felt, rig.table.felt.shoes
    objects = (stream, stream.numbers(), felt, shoes, felt.shoe, rig.table, cutting)
    for one in objects:
        assert not is_told(repr(one))
        assert not is_told(str(one))
    for attributes in (vars(shoes), vars(cutting), vars(rig.table)):
        assert not is_told(repr(attributes))


@pytest.mark.parametrize("form", [TextForm(), JsonForm()])
def test_S8_a_fault_while_a_shoe_is_made_is_logged_without_the_seed(
    rig: Rig,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    form: TextForm | JsonForm,
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("on purpose")

    caplog.set_level("DEBUG")
    monkeypatch.setattr("bj_server.table.shoes.fill_shoe", fail)
    try:
        rig.join("ned21")
    except ZeroDivisionError:
        rig.dealer._note_fault("a fault of ours")
    told = "".join(form.format(record) for record in caplog.records)
    assert "fill_shoe" in told
    assert "ZeroDivisionError" in told
    assert not is_told(told)


def test_S8_a_seed_of_the_wrong_length_is_not_told_by_its_error() -> None:
    with pytest.raises(ValueError, match="32 bytes") as caught:
        Stream(SEED[:31]).numbers()
    assert not is_told("".join(traceback.format_exception(caught.value)))
