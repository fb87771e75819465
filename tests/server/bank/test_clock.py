from datetime import datetime, timedelta, timezone

from bj_server.bank.move import stamp


def test_a_time_of_another_zone_is_written_as_utc() -> None:
    zone = timezone(timedelta(hours=2))
    moment = datetime(2024, 5, 1, 14, 30, 0, 999_999, tzinfo=zone)
    assert stamp(moment) == "2024-05-01T12:30:00.999Z"
