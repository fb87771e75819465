import re

import pytest

from bj_game.money import cents_of

MOST = 10**15


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("50", 5000),
        ("12.50", 1250),
        ("$1,000", 100_000),
        ("0.01", 1),
        ("10,000,000,000,000", MOST),
    ],
)
def test_amounts_are_read_as_hosts_write_them(text: str, cents: int) -> None:
    assert cents_of(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "-5", "1.5", "1,00", "5 dollars", "0", "0.00", "10000000000000.01"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        cents_of(text)
