"""What a connection and its handle spend, and how it comes back."""

import pytest

from bj_server.net.limits import Bucket, Limits, Meter, Rates

LIMITS = Limits(burst=3, rate=60, policy=2)


def test_a_bucket_gives_what_it_has_and_is_refilled_to_the_brim() -> None:
    bucket = Bucket(3, per_second=0.5, now=0.0)
    assert [bucket.spend(0.0) for _ in range(3)] == [2, 1, 0]
    assert not bucket.is_full(5.9)
    assert bucket.level(4.0) == 2
    assert bucket.is_full(6.0)
    assert bucket.level(1000.0) == 3


def test_a_debt_has_to_be_paid_back_first() -> None:
    bucket = Bucket(1, per_second=1, now=0.0)
    assert [bucket.spend(0.0) for _ in range(3)] == [0, -1, -2]
    assert bucket.level(2.0) == 0


def test_a_clock_that_is_set_back_gives_and_takes_nothing() -> None:
    bucket = Bucket(3, per_second=1, now=100.0)
    bucket.spend(100.0)
    assert bucket.level(50.0) == 2


def test_a_meter_goes_from_plenty_over_refusals_to_the_end() -> None:
    meter = Meter(Rates(LIMITS), 0.0)
    stages = []
    for _ in range(6):
        meter.charge(0.0)
        stages.append(
            (meter.is_empty(0.0), meter.is_spent(0.0), meter.is_out_of_patience(0.0))
        )
    plenty, last = (False, False, False), (True, False, False)
    refused, over = (True, True, False), (True, True, True)
    assert stages == [plenty, plenty, last, refused, refused, over]
    assert not meter.is_out_of_patience(1.0)
    assert not meter.is_empty(4.0)


def test_the_bucket_of_a_handle_goes_on_over_the_next_connection() -> None:
    rates = Rates(LIMITS)
    for is_spent in (False, False, False, True):
        meter = Meter(rates, 0.0)
        meter.charge_to("ned21", 0.0)
        assert meter.is_spent(0.0) is is_spent
    other = Meter(rates, 0.0)
    other.charge_to("lia9", 0.0)
    assert not other.is_spent(0.0)


def test_handles_are_forgotten_once_their_buckets_are_full() -> None:
    rates = Rates(LIMITS)
    meter = Meter(rates, 0.0)
    meter.charge_to("ned21", 0.0)
    rates.forget_full(0.5)
    assert len(rates.handles) == 1
    rates.forget_full(1.0)
    assert len(rates.handles) == 0
    meter.charge(1.0)
    assert len(rates.handles) == 1


@pytest.mark.parametrize("messages", [1, 100_000])
def test_a_rate_of_nought_is_no_limit(messages: int) -> None:
    rates = Rates(Limits(rate=0))
    meter = Meter(rates, 0.0)
    for _ in range(messages):
        meter.charge_to("ned21", 0.0)
    assert not meter.is_empty(0.0)
    rates.forget_full(0.0)
    assert len(rates.handles) == 0
