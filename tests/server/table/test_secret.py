"""S8: neither a fault in the log nor the text of an object tells a secret."""

import pytest

from bj_server.log import JsonForm, TextForm
from support.rig import Lay, Rig

SECRET = bytes(range(1, 33)).hex()


@pytest.fixture
def rig(lay: Lay, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A table whose secrets are all the same."""
    monkeypatch.setattr("secrets.token_hex", lambda count: SECRET[: 2 * count])
    return lay(seed=None)


def test_S8_the_texts_of_the_objects_have_no_secret(rig: Rig) -> None:
    rig.join("ned21")
    context = rig.table.context
    assert context.secret == SECRET
    for one in (context.source, context.shoe, rig.table, rig.table.phase):
        assert SECRET not in repr(one)
        assert SECRET not in str(one)
    for attributes in (vars(context.source), vars(rig.table)):
        assert f"secret={SECRET!r}" not in repr(attributes)


@pytest.mark.parametrize("form", [TextForm(), JsonForm()])
def test_S8_a_fault_while_a_round_is_drawn_is_logged_without_the_secret(
    rig: Rig,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    form: TextForm | JsonForm,
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("on purpose")

    caplog.set_level("DEBUG")
    rig.join("ned21")
    monkeypatch.setattr("bj_server.table.records.KeyedStream", fail)
    rig.bet("ned21")
    told = "".join(form.format(record) for record in caplog.records)
    assert "KeyedStream" in told
    assert "ZeroDivisionError" in told
    assert SECRET not in told
    assert rig.balance("ned21") == 10_000
