import secrets

import pytest

from bj_protocol.codec import encode
from bj_protocol.commands import Hello
from bj_protocol.handle import is_key

KEY = "Zm9v" * 10 + "YmA"


def test_32_random_bytes_in_url_safe_base64_are_a_key() -> None:
    assert all(is_key(secrets.token_urlsafe(32)) for _ in range(200))
    assert is_key(KEY)


@pytest.mark.parametrize(
    "text",
    ["", KEY[:-1], KEY + "=", KEY + "\n", KEY + "A", "+" + KEY[1:], "é" + KEY[1:]]
    + [KEY[:-1] + "B", " " + KEY, KEY * 1000],
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_key(text)


def test_a_key_is_sent_and_never_shown() -> None:
    hello = Hello(version=2, handle="ned21", key=KEY)
    assert KEY in encode(hello)
    for shown in (repr(hello), str(hello), f"{[hello]}"):
        assert KEY not in shown
