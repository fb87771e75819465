"""The lobby: the list of tables, private ones, the banned, and what was missed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_protocol.codec import decode_message, encode
from bj_protocol.commands import Chat, ListTables, PlaceBet, Resync, Watch
from bj_protocol.messages import Message, Refused, Snapshot, TableList, Update
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_server.bank.error import BankDamagedError
from bj_server.bank.handles import BANS_NAME, Bans
from bj_server.net.limits import Rates
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.outbox import Audience, Outbox
from bj_server.net.session import Session
from bj_server.table.dealer import Dealer
from support import serving
from support.door import texts_in
from support.rig import Rig
from support.serving import PATIENT

CODE = "open sesame"


class Line:
    """A client's line to a lobby: what it is sent, and how it was closed."""

    def __init__(self, number: int, lobby: Lobby) -> None:
        self.sent: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.session = Session(number, Outbox(self), lobby, lambda: 0.0, Rates(PATIENT))

    def send(self, frames: bytes) -> None:
        self.sent += texts_in(frames)

    def waiting(self) -> int:
        return 0

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)

    def abort(self) -> None:
        raise AssertionError("nobody is dropped here")

    @property
    def heard(self) -> list[Message]:
        return [decode_message(text) for text in self.sent]

    @property
    def refusal(self) -> RefusalCode | None:
        return next((m.code for m in self.heard if isinstance(m, Refused)), None)


class House:
    """A lobby with one table, whose dealer works as soon as it is told something."""

    def __init__(self, rig: Rig, code: str | None = None) -> None:
        self.rig, self.room, self.bans = rig, Audience(), Bans()
        self.dealer = Dealer(rig.table, self.room)
        self.lobby = Lobby([HostedTable(self.dealer, self.room, code)], self.bans)
        self._lines = 0

    def line(self) -> Line:
        self._lines += 1
        return Line(self._lines, self.lobby)

    async def tell(self, line: Line, text: str) -> None:
        line.session.received(text)
        if self.dealer._inbox._commands:
            self.dealer.carry_out(await self.dealer._inbox.take())
            self.dealer.speak()

    async def seat(self, handle: str, **fields: object) -> Line:
        line = self.line()
        await self.tell(line, serving.hello(handle, **fields))
        return line


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Rig(tmp_path / "bank") as rig:
        yield House(rig)


@pytest.fixture
def private(tmp_path: Path) -> Iterator[House]:
    with Rig(tmp_path / "bank") as rig:
        yield House(rig, CODE)


async def list_of(house: House) -> TableList:
    line = house.line()
    await house.tell(line, encode(ListTables(version=2)))
    (found,) = line.heard
    assert isinstance(found, TableList)
    return found


async def test_anyone_may_see_which_tables_there_are(house: House) -> None:
    await house.seat("ned21")
    (table,) = (await list_of(house)).tables
    assert (table.name, table.house, table.private) == ("main", "cpsc386", False)
    assert (table.seat_count, table.seats_taken, table.handles) == (4, 1, ("ned21",))
    assert (table.minimum_bet, table.maximum_bet) == (100, None)
    assert table.phase == "betting"


@pytest.mark.parametrize(
    ("count", "end"), [(0, "main."), (19, " t18."), (1999, " t18 and 1980 more.")]
)
async def test_who_asks_for_a_table_that_is_not_there_is_told_a_few_that_are(
    house: House, count: int, end: str
) -> None:
    place = house.lobby["main"]
    house.lobby._places |= {f"t{number}": place for number in range(count)}
    line = await house.seat("ned21", table="attic")
    (told,) = line.heard
    assert isinstance(told, Refused)
    assert told.text.endswith(end)


async def test_the_list_has_the_key_of_the_server(house: House) -> None:
    assert (await list_of(house)).key is None
    house.lobby.key = "5e" * 32
    assert (await list_of(house)).key == "5e" * 32


async def test_a_private_table_names_nobody(private: House) -> None:
    await private.seat("ned21", code=CODE)
    (table,) = (await list_of(private)).tables
    assert (table.private, table.seats_taken, table.handles) == (True, 1, ())


async def test_N13_a_list_is_for_clients_of_this_version(house: House) -> None:
    line = house.line()
    await house.tell(line, encode(ListTables(version=3)))
    assert line.refusal is RefusalCode.VERSION_MISMATCH
    assert line.closed is None


@pytest.mark.parametrize(
    ("code", "refusal"),
    [(None, RefusalCode.CODE_NEEDED), ("open barley", RefusalCode.WRONG_CODE)],
)
async def test_a_private_table_is_opened_by_its_code_alone(
    private: House, code: str | None, refusal: RefusalCode
) -> None:
    player, watcher = await private.seat("ned21", code=code), private.line()
    await private.tell(watcher, encode(Watch(version=2, code=code)))
    for line in (player, watcher):
        assert line.refusal is refusal
        assert line.closed is not None
        assert line.closed[0] is CloseCode.REFUSED
        assert CODE not in "".join(line.sent)
    assert "player:ned21" not in private.rig.bank.books.ledger


async def test_with_the_code_one_may_join_and_watch(private: House) -> None:
    player, watcher = await private.seat("ned21", code=CODE), private.line()
    await private.tell(watcher, encode(Watch(version=2, code=CODE)))
    assert isinstance(player.heard[0], Snapshot)
    assert isinstance(watcher.heard[0], Snapshot)


async def test_who_sits_at_a_private_table_comes_back_without_the_code(
    private: House,
) -> None:
    await private.seat("ned21", code=CODE)
    back = await private.seat("ned21")
    assert isinstance(back.heard[0], Snapshot)


async def test_who_watches_says_hello_on_another_line(house: House) -> None:
    line = house.line()
    for _ in range(2):
        await house.tell(line, encode(Watch(version=2)))
    assert line.refusal is RefusalCode.ALREADY_JOINED
    await house.tell(line, serving.hello("ned21"))
    assert house.dealer.view(is_private=False).seats_taken == 0
    assert line.closed is None


async def test_chat_goes_to_the_whole_table(house: House) -> None:
    ned, lia = await house.seat("ned21"), await house.seat("lia9")
    await house.tell(ned, encode(Chat(text="hello")))
    assert ned.sent[-1] == lia.sent[-1]
    assert '"said"' in lia.sent[-1]


async def test_the_banned_are_refused_whatever_their_spelling(house: House) -> None:
    house.bans.add("eve")
    line = await house.seat("EVE")
    assert line.refusal is RefusalCode.BANNED
    assert line.closed is not None
    house.bans.discard("eve")
    assert isinstance((await house.seat("eve")).heard[0], Snapshot)


def test_bans_are_kept_in_the_bank(tmp_path: Path) -> None:
    bans = Bans(tmp_path)
    assert list(bans) == []
    bans.add("eve")
    bans.add("a@b.org")
    assert list(Bans(tmp_path)) == ["a@b.org", "eve"]
    assert (tmp_path / BANS_NAME).stat().st_mode & 0o777 == 0o600
    bans.discard("eve")
    assert list(Bans(tmp_path)) == ["a@b.org"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"handles":"eve"}', '{"handles":["Eve"]}', "\xff"]
)
def test_P2_a_damaged_list_of_bans_stops_the_start(tmp_path: Path, text: str) -> None:
    (tmp_path / BANS_NAME).write_text(text, encoding="latin-1")
    with pytest.raises(BankDamagedError, match="bans.json"):
        Bans(tmp_path)
    assert (tmp_path / BANS_NAME).read_text(encoding="latin-1") == text


async def test_what_was_missed_is_sent_again_byte_for_byte(house: House) -> None:
    ned, lia = await house.seat("ned21"), await house.seat("lia9")
    for text in ("one", "two", "three"):
        await house.tell(ned, encode(Chat(text=text)))
    told = lia.sent[-3:]
    first = decode_message(told[0])
    assert isinstance(first, Update)
    lia.sent.clear()
    await house.tell(lia, encode(Resync(seq=first.seq - 1)))
    assert lia.sent == told
    await house.tell(lia, encode(Resync(seq=first.seq + 1)))
    assert lia.sent == [*told, told[-1]]


@pytest.mark.parametrize("seq", [None, -1, 0, 10**6])
async def test_what_is_not_kept_is_made_good_by_a_snapshot(
    house: House, seq: int | None
) -> None:
    ned = await house.seat("ned21")
    for number in range(80):
        await house.tell(ned, encode(Chat(text=f"say {number}")))
    ned.sent.clear()
    await house.tell(ned, encode(Resync(seq=seq)))
    (snapshot,) = ned.heard
    assert isinstance(snapshot, Snapshot)


async def test_the_whole_table_is_sent_to_one_who_has_missed_nothing(
    house: House,
) -> None:
    ned = await house.seat("ned21")
    (snapshot,) = ned.heard
    assert isinstance(snapshot, Snapshot)
    await house.tell(ned, encode(Resync(seq=snapshot.seq)))
    assert isinstance(ned.heard[-1], Snapshot)


async def test_updates_of_a_time_without_listeners_are_not_made_up(
    house: House,
) -> None:
    ned = await house.seat("ned21")
    seq = house.rig.table.context.seq
    house.room.leave(ned.session)
    house.dealer.carry_out([])
    prompt = house.rig.table.context.last_prompt
    await house.tell(ned, encode(PlaceBet(prompt=prompt, amount=100)))
    again = await house.seat("ned21")
    again.sent.clear()
    await house.tell(again, encode(Resync(seq=seq)))
    assert isinstance(again.heard[-1], Snapshot)
