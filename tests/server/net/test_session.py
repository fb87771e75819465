"""One connection's conversation, with fakes at both of its seams."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_protocol.codec import decode_message
from bj_protocol.messages import Snapshot
from bj_protocol.refusal import RefusalCode
from bj_server.log import TextForm
from bj_server.net.limits import Limits
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.outbox import HIGH_WATER, Audience, Outbox
from bj_server.net.session import Session
from bj_server.table.dealer import Dealer
from support import serving
from support.door import Door, FakeTransport, refused
from support.rig import Rig
from support.serving import key_of


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Rig(tmp_path / "bank") as rig:
        yield Door(rig)


def hello(**changes: object) -> str:
    return serving.hello(**{"handle": "ned21", **changes})


async def test_a_hello_brings_a_snapshot(door: Door) -> None:
    session, transport = door.connect()
    session.received(hello(handle="Ned21"))
    await door.work()
    message = decode_message(transport.sent[0])
    assert isinstance(message, Snapshot)
    assert message.you is not None
    assert message.you.handle == "ned21"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"version": 0}, RefusalCode.VERSION_MISMATCH),
        ({"version": 1}, RefusalCode.VERSION_MISMATCH),
        ({"version": 3}, RefusalCode.VERSION_MISMATCH),
        ({"version": -(10**400)}, RefusalCode.VERSION_MISMATCH),
        ({"handle": "../x"}, RefusalCode.BAD_HANDLE),
        ({"handle": ""}, RefusalCode.BAD_HANDLE),
        ({"handle": "x" * 9000}, RefusalCode.BAD_HANDLE),
        ({"key": None}, RefusalCode.KEY_NEEDED),
        ({"key": ""}, RefusalCode.BAD_KEY),
        ({"key": key_of("ned21")[:-1]}, RefusalCode.BAD_KEY),
        ({"key": key_of("ned21") + "="}, RefusalCode.BAD_KEY),
        ({"key": "k" * 9000}, RefusalCode.BAD_KEY),
        ({"table": "attic"}, RefusalCode.NO_SUCH_TABLE),
    ],
)
async def test_a_hello_that_is_off_is_refused_in_a_sentence_and_closed(
    door: Door, changes: dict[str, object], code: RefusalCode
) -> None:
    session, transport = door.connect()
    session.received(hello(**changes))
    assert refused(transport).code is code
    assert refused(transport).text.endswith(".")
    assert transport.closed is not None
    assert transport.closed[0] == 4000
    assert session.dealer is None
    assert "player:ned21" not in door.rig.bank.books.ledger
    assert door.rig.bank.till("main").key_of("ned21") is None


OLD = '{"type":"hello","version":1,"handle":"ned21","key":"k","cuts":true}'
NEW = '{"type":"hello","version":3,"handle":"ned21","proof":{"of":"more"}}'


@pytest.mark.parametrize(
    ("text", "remedy"), [(OLD, "update bj-client"), (NEW, "update bj-server")]
)
async def test_a_hello_of_another_version_is_told_what_to_update(
    door: Door, text: str, remedy: str
) -> None:
    session, transport = door.connect()
    session.received(text)
    assert refused(transport).code is RefusalCode.VERSION_MISMATCH
    assert remedy in refused(transport).text
    assert transport.closed is not None


@pytest.mark.parametrize("handle", ["ned21", "NED21"])
async def test_S1_a_stranger_is_refused_and_no_number_of_tries_locks_the_owner_out(
    door: Door, handle: str
) -> None:
    session, transport = door.connect()
    session.received(hello())
    await door.work()
    before, said = door.rig.picture, len(transport.sent)
    tries = Limits().wrong_tries
    for line, player in enumerate(["eve"] * 30, 2):
        stranger, theirs = door.connect(line)
        stranger.received(hello(handle=handle, key=key_of(player)))
        if line < 2 + tries:
            assert refused(theirs).code is RefusalCode.WRONG_KEY
            assert "ask the host to reset it" in refused(theirs).text
        else:
            assert refused(theirs).code is RefusalCode.TOO_MANY_TRIES
            assert refused(theirs).text.endswith(" Try again in 3 minutes.")
        assert theirs.closed is not None
        assert theirs.closed[0] == 4000
        assert stranger.dealer is None
    assert door.rig.picture == before
    assert (len(transport.sent), transport.closed) == (said, None)
    again, mine = door.connect(99)
    again.received(hello(handle=handle))
    await door.work()
    assert isinstance(decode_message(mine.sent[0]), Snapshot)
    assert transport.closed is not None
    assert transport.closed[0] == 4001


async def test_S1_of_two_who_claim_at_once_the_first_one_does(door: Door) -> None:
    ned, his = door.connect(1)
    eve, hers = door.connect(2)
    ned.received(hello())
    eve.received(hello(key=key_of("eve")))
    await door.work()
    assert isinstance(decode_message(his.sent[0]), Snapshot)
    assert his.closed is None
    assert refused(hers).code is RefusalCode.WRONG_KEY
    assert hers.closed is not None
    assert hers.closed[0] == 4000


async def test_S1_a_key_is_in_no_log_and_nothing_that_is_shown(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    keys = [key_of("ned21"), key_of("eve"), key_of("eve") + "=="]
    said = []
    for line, key in enumerate(keys, 1):
        session, transport = door.connect(line)
        session.received(hello(key=key))
        said.append(repr(door.dealer._inbox._commands))
        if line == 1:
            await door.work()
        said += [*transport.sent, str(transport.closed), repr(vars(session))]
    session.received(hello(key=7))
    logged = "\n".join(map(TextForm().format, caplog.records))
    assert "joins table=main seat=1 handle=ned21 line=1" in logged
    assert "hello refused line=2 code=wrong_key" in logged
    for key in keys:
        for text in (logged, *said, *transport.sent):
            assert key.rstrip("=") not in text


async def test_N13_the_sentence_names_both_versions_and_the_remedy(door: Door) -> None:
    session, transport = door.connect()
    session.received(hello(version=3))
    text = refused(transport).text
    assert "protocol 3, this server 2" in text
    assert "older client" in text
    session, transport = door.connect()
    session.received(hello(version=0))
    assert "update bj-client" in refused(transport).text


async def test_nothing_is_done_before_the_hello(door: Door) -> None:
    session, transport = door.connect()
    for text in ('{"type":"leave"}', '{"type":"hit","prompt":1}'):
        session.received(text)
        assert refused(transport).code is RefusalCode.NOT_JOINED
    assert transport.closed is None


async def test_S1_who_speaks_is_said_once(door: Door) -> None:
    session, transport = door.connect()
    session.received(hello())
    await door.work()
    session.received(hello(handle="lia9"))
    assert refused(transport).code is RefusalCode.ALREADY_JOINED
    session.received('{"type":"sit_out","prompt":1,"handle":"lia9"}')
    assert refused(transport).code is RefusalCode.BAD_MESSAGE


@pytest.mark.parametrize("is_joined", [False, True])
@pytest.mark.parametrize(
    "frame", ["null", "7", "{}", "", '{"type":"bet"}', b"\xff\x00"]
)
async def test_N1_N2_a_bad_frame_is_answered_and_the_round_goes_on(
    door: Door, frame: str | bytes, is_joined: bool
) -> None:
    session, transport = door.connect()
    if is_joined:
        session.received(hello())
        await door.work()
        before = door.rig.picture
    session.received(frame)
    assert refused(transport).code is RefusalCode.BAD_MESSAGE
    assert transport.closed is None
    if is_joined:
        assert door.rig.picture == before


async def test_N2_the_eleventh_bad_frame_closes_the_line(door: Door) -> None:
    session, transport = door.connect()
    for _ in range(10):
        session.received("null")
    assert transport.closed is None
    session.received("null")
    assert refused(transport).code is RefusalCode.TOO_MANY_BAD_MESSAGES
    assert transport.closed is not None
    assert transport.closed[0] == 4002


async def test_the_log_has_no_payload(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    session, _ = door.connect()
    session.received('{"type":"secret-payload"}')
    assert "bad message" in caplog.text
    assert "secret" not in caplog.text


async def test_leaving_closes_the_line_with_a_reason(door: Door) -> None:
    session, transport = door.connect()
    session.received(hello())
    session.received('{"type":"leave"}')
    await door.work()
    assert transport.closed == (1000, "You have left the table.")


async def test_a_lost_client_gets_a_snapshot(door: Door) -> None:
    session, transport = door.connect()
    session.received(hello())
    session.received('{"type":"resync"}')
    await door.work()
    assert [decode_message(text).type for text in transport.sent] == ["snapshot"] * 2


async def test_a_line_without_a_hello_is_closed(door: Door) -> None:
    session, transport = door.connect()
    session.expect_hello()
    assert transport.closed is not None
    assert transport.closed[0] == 4003
    session, transport = door.connect()
    session.received(hello())
    session.expect_hello()
    assert transport.closed is None


async def test_losing_a_line_without_a_hello_is_nothing(door: Door) -> None:
    session, _ = door.connect()
    session.lost()
    session.show()
    await session.room()


async def test_N6_a_reader_that_is_behind_is_brought_back_by_one_snapshot(
    door: Door,
) -> None:
    session, transport = door.connect()
    session.received(hello())
    await door.work()
    transport.sent.clear()
    transport.backlog = HIGH_WATER + 1
    door.time = 5.0
    for _ in range(10):
        session.send("x")
    assert transport.sent == []
    assert session.outbox.behind_since == 5.0
    assert not session.outbox.catch_up()
    transport.backlog = 0
    assert session.outbox.catch_up()
    session.show()
    await door.work()
    assert [decode_message(text).type for text in transport.sent] == ["snapshot"]


async def test_N7_a_player_who_is_gone_hears_nothing_and_hinders_nobody(
    door: Door,
) -> None:
    first, gone = door.connect(1)
    second, stays = door.connect(2)
    first.received(hello())
    second.received(hello(handle="lia9"))
    await door.work()
    first.lost()
    door.room.leave(first)
    gone.sent.clear()
    await door.work()
    assert gone.sent == []
    assert "presence_changed" in stays.sent[-1]
    door.room.dismiss(1, 1000, "twice")  # type: ignore[arg-type]
    assert gone.closed is None


async def test_a_handle_plays_at_one_table_at_a_time(tmp_path: Path) -> None:
    with Rig(tmp_path / "a") as one, Rig(tmp_path / "b") as other:
        second = seat_twice(one, other)
    assert refused(second).code is RefusalCode.SEATED_ELSEWHERE
    assert "sits at table main" in refused(second).text


def seat_twice(one: Rig, other: Rig) -> FakeTransport:
    """Say hello at both tables, and return the second line."""
    other.table.context.name = "quiet"
    rooms = Audience(), Audience()
    dealers = Dealer(one.table, rooms[0]), Dealer(other.table, rooms[1])
    lobby = Lobby([HostedTable(d, r) for d, r in zip(dealers, rooms, strict=True)])
    transports = FakeTransport(), FakeTransport()
    first = Session(1, Outbox(transports[0]), lobby, lambda: 0.0)
    second = Session(2, Outbox(transports[1]), lobby, lambda: 0.0)
    first.received(hello())
    second.received(hello(table="quiet"))
    return transports[1]


async def test_a_handle_is_looked_for_where_it_was_let_in_last(tmp_path: Path) -> None:
    with Rig(tmp_path / "a") as one, Rig(tmp_path / "b") as other:
        other.table.context.name = "quiet"
        one.join("ned21")  # as if it had been seated before the server started
        rooms = Audience(), Audience()
        dealers = Dealer(one.table, rooms[0]), Dealer(other.table, rooms[1])
        lobby = Lobby([HostedTable(d, r) for d, r in zip(dealers, rooms, strict=True)])

        def joins(handle: str, table: str) -> str:
            transport = FakeTransport()
            session = Session(1, Outbox(transport), lobby, lambda: 0.0)
            session.received(hello(handle=handle, table=table))
            return refused(transport).code.value if transport.sent else "joins"

        assert joins("ned21", "quiet") == "seated_elsewhere"
        assert [joins(f"lia{n}", "quiet") for n in range(5)] == ["joins"] * 5
        assert joins("ned21", "quiet") == "seated_elsewhere"
        assert joins("lia0", "main") == "seated_elsewhere"
        assert joins("ned21", "main") == "joins"
        one.leave("ned21")
        dealers[0]._joining.clear()
        assert joins("ned21", "quiet") == "joins"
