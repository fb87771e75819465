"""When a reader counts as slow, and for how long."""

from bj_server.net.outbox import HIGH_WATER, Outbox
from bj_server.net.wire import frame_of
from support.door import FakeTransport


def test_Q14_a_reader_that_stops_is_slow_even_if_nothing_more_is_said() -> None:
    transport = FakeTransport()
    outbox = Outbox(transport)
    assert outbox.seconds_slow(1.0) == 0
    transport.backlog = HIGH_WATER // 2
    assert outbox.seconds_slow(2.0) == 0
    assert outbox.seconds_slow(22.0) == 20
    transport.backlog = 0
    assert outbox.seconds_slow(23.0) == 0
    transport.backlog = HIGH_WATER // 2
    assert outbox.seconds_slow(24.0) == 0


def test_Q14_a_reader_counts_as_slow_from_when_it_was_first_seen_behind() -> None:
    transport = FakeTransport()
    outbox = Outbox(transport, lambda: 5.0)
    transport.backlog = HIGH_WATER + 1
    outbox.send(frame_of("x"))
    assert outbox.seconds_slow(7.0) == 2
    transport.backlog = 0
    assert outbox.catch_up()
    assert outbox.seconds_slow(8.0) == 0
