"""Slices: a large ``bank.json`` is written piece by piece, as it would be at once."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_server.bank import snapshot
from support.texts import TEXTS

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=8,
)


@given(
    fields=st.dictionaries(TEXTS, _VALUES, max_size=4),
    accounts=st.dictionaries(TEXTS, st.integers(), min_size=3, max_size=9),
)
def test_what_is_written_by_slices_is_written_as_in_one_piece(
    fields: dict[str, Any], accounts: dict[str, int]
) -> None:
    fields["accounts"] = accounts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot, "_SLICE", 2)
        text = snapshot.written(fields)
    assert text + "\n}" == json.dumps(fields, indent=1)


def test_a_part_of_two_slices_is_one_object(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, really = list[int](), snapshot._slice

    def measured(part: dict[str, object]) -> str:
        sizes.append(len(part))
        return really(part)

    monkeypatch.setattr(snapshot, "_SLICE", 2)
    monkeypatch.setattr(snapshot, "_slice", measured)
    part = {"accounts": {"donor": -3, "player:lia9": 1, "player:ned21": 2}}
    assert json.loads(snapshot.written(part) + "\n}") == part
    assert sizes == [2, 1]
