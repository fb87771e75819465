import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bj_server.bank.move import stamp, utc_now


def test_a_time_of_another_zone_is_written_as_utc() -> None:
    zone = timezone(timedelta(hours=2))
    moment = datetime(2024, 5, 1, 14, 30, 0, 999_999, tzinfo=zone)
    assert stamp(moment) == "2024-05-01T12:30:00.999Z"


def test_a_time_is_written_as_utc_wherever_the_server_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    zone = timezone(timedelta(hours=2))
    moment = datetime(2024, 5, 1, 14, 30, tzinfo=zone)
    monkeypatch.setenv("TZ", "JST-9")
    time.tzset()
    try:
        assert stamp(moment) == "2024-05-01T12:30:00.000Z"
        assert utc_now().tzinfo is UTC
    finally:
        monkeypatch.undo()
        time.tzset()
