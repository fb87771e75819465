import pytest

from bj_client.words.money import WagerError, dollars, read_wager, short
from bj_protocol.views import WagerRange

WHOLE = WagerRange(minimum=100, maximum=1_000_000, step=100)
CENTS = WagerRange(minimum=1, maximum=995_050, step=1)


def test_money_is_written_with_cents_and_thousands() -> None:
    assert dollars(1_000_000) == "$10,000.00"
    assert dollars(-5) == "-$0.05"
    assert dollars(2**53 * 100) == "$9,007,199,254,740,992.00"


def test_a_short_amount_has_cents_only_where_there_are_some() -> None:
    assert short(100) == "$1"
    assert short(995_050) == "$9,950.50"


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("1", 100),
        ("50", 5000),
        ("$50", 5000),
        ("10,000", 1_000_000),
        ("$10,000", 1_000_000),
        ("10000", 1_000_000),
        ("007", 700),
        ("50.00", 5000),
    ],
)
def test_dollars_can_be_typed_as_people_write_them(text: str, cents: int) -> None:
    assert read_wager(text, WHOLE) == cents


def test_cents_count_where_the_step_allows_them() -> None:
    assert read_wager("9.5", CENTS) == 950
    assert read_wager("9,950.50", CENTS) == 995_050


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("", "Nothing was typed"),
        ("five", "That is not an amount"),
        ("-5", "That is not an amount"),
        ("+5", "That is not an amount"),
        ("1e3", "That is not an amount"),
        ("0x10", "That is not an amount"),
        ("1_000", "That is not an amount"),
        ("1,00", "That is not an amount"),
        ("5 0", "That is not an amount"),
        ("nan", "That is not an amount"),
        ("５０", "That is not an amount"),
        ("٥", "That is not an amount"),
        ("5\x00", "That is not an amount"),
        ("0", "That is less than $1"),
        ("0.5", "Only whole dollars count"),
        ("0.001", "That is not an amount"),
        ("10001", "That is more than $10,000"),
        ("9" * 30, "That is more than $10,000"),
        ("9" * 5000, "That is more than $10,000"),
        ("x" * 5000, "That is not an amount"),
    ],
)
def test_a_wrong_amount_is_refused_with_its_reason(text: str, clause: str) -> None:
    with pytest.raises(WagerError) as refused:
        read_wager(text, WHOLE)
    assert str(refused.value) == clause


def test_another_step_is_named() -> None:
    fives = WagerRange(minimum=500, maximum=10_000, step=500)
    with pytest.raises(WagerError, match=r"Only whole steps of \$5 count"):
        read_wager("7", fives)
