"""When a reader counts as slow, and for how long."""

from typing import Any

from bj_protocol.codec import encode
from bj_protocol.messages import Signed
from bj_protocol.proof import StatementKind
from bj_server.net.outbox import _KEPT, HIGH_WATER, Audience, Outbox
from bj_server.net.session import Session
from bj_server.net.wire import frame_of
from support.door import FakeTransport
from support.message import make_snapshot, make_update


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


def test_updates_are_told_again_from_the_first_missed_one_or_not_at_all() -> None:
    transport, audience = FakeTransport(), Audience()
    nowhere: Any = None  # a lobby, which is not asked
    session = Session(1, Outbox(transport), nowhere, lambda: 0.0)
    audience.enter(session)
    audience.tell(1, make_snapshot(seq=0))
    pairs = _KEPT // 2 + 1
    for seq in range(1, pairs + 1):
        update = make_update(seq)
        signed = Signed(
            table="main",
            seq=seq,
            kind=StatementKind.END,
            round=seq,
            head="12" * 32,
            signature="34" * 64,
        )
        audience.announce((update, encode(update)), (signed, encode(signed)))
    whole = make_update(pairs + 1)
    audience.announce((whole, encode(whole)))  # of update 2 only what is signed is kept
    before = len(transport.sent)
    assert not audience.catch_up(1, 0)
    assert not audience.catch_up(1, 1)
    assert len(transport.sent) == before
    assert audience.catch_up(1, 2)
    assert len(transport.sent) > before
