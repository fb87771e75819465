"""A server whose key is of small order: its signatures are anybody's."""

import pytest

from bj_client.fair.story import is_heir, is_signed_by
from bj_protocol.messages import Signed
from bj_protocol.proof import StatementKind
from bj_protocol.views import PastKey
from support.company import Company

_PRIME = 2**255 - 19
_EIGHTH = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
_OTHER_EIGHTH = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"

WEAK = {
    "the one": 1,
    "the one, as a number that is too great": _PRIME + 1,
    "the one with the other sign": 1 | 1 << 255,
    "of order two": _PRIME - 1,
    "of order four": 0,
    "of order eight": int.from_bytes(bytes.fromhex(_EIGHTH), "little"),
    "of order eight, too": int.from_bytes(bytes.fromhex(_OTHER_EIGHTH), "little"),
}
ANYBODYS = f"01{'00' * 63}"
"""A signature that nobody had to make: it is good for each key of small order."""


def _statement(number: int, signature: str) -> Signed:
    return Signed(
        table="main",
        seq=number,
        kind=StatementKind.END,
        round=number,
        head="ab" * 32,
        signature=signature,
    )


@pytest.mark.parametrize("name", WEAK)
def test_a_key_with_which_anyone_can_sign_signs_nothing(name: str) -> None:
    key = WEAK[name].to_bytes(32, "little").hex()
    statements = [_statement(number, ANYBODYS) for number in range(64)]
    assert not any(is_signed_by(key, "cd" * 32, each) for each in statements)
    heirs = [f"{number:064x}" for number in range(64)]
    past = (PastKey(key=key, signature=ANYBODYS),)
    assert not any(is_heir(heir, key, past) for heir in heirs)


def test_the_key_of_an_honest_server_signs(rig: Company) -> None:
    story = rig.table.context.story
    assert story is not None
    signed = story.sign(StatementKind.END, 1, 1)
    assert is_signed_by(story.view.key, story.view.run, signed)
