"""Newcomers: how many come from one address, and whom a host lets in at all."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_protocol.codec import decode_message, encode
from bj_protocol.commands import ListTables, Watch
from bj_protocol.messages import Refused, Snapshot, TableList
from bj_protocol.refusal import RefusalCode
from bj_server.bank.error import BankDamagedError
from bj_server.bank.handles import INVITES_NAME, Invites
from bj_server.net.address import THIS_MACHINE, Address
from bj_server.net.limits import MOST_PLACES, Limits, Rates, Throttle, in_words
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.newcomers import Newcomers
from bj_server.net.outbox import Audience, Outbox
from bj_server.net.session import Session
from bj_server.table.dealer import Dealer
from support import serving
from support.door import FakeTransport
from support.rig import Rig

EVE, LIA = Address("192.0.2.7", "192.0.2.7"), Address("192.0.2.8", "192.0.2.8")
LOCAL = Address("127.0.0.1", THIS_MACHINE)
CODE = "open sesame"
NO_RATE = Limits(rate=0)


class Doors:
    """A server of one table, to which lines come from one address or another."""

    def __init__(
        self, rig: Rig, newcomers: Newcomers, table_code: str | None = None
    ) -> None:
        self.rig = rig
        self.dealer = Dealer(rig.table, room := Audience())
        self.lobby = Lobby(
            [HostedTable(self.dealer, room, table_code)], newcomers=newcomers
        )
        self.time = 0.0
        self._lines = 0

    async def say(self, text: str, address: Address = EVE) -> RefusalCode | None:
        """Say the first words on a new line, leave again, and return the refusal."""
        self._lines += 1
        self.sent = transport = FakeTransport()
        session = Session(
            self._lines,
            Outbox(transport),
            self.lobby,
            lambda: self.time,
            Rates(NO_RATE),
            address=address,
        )
        session.received(text)
        await self._work()
        first = decode_message(transport.sent[0])
        session.received('{"type":"leave"}')
        await self._work()
        if session.audience is not None:
            session.audience.leave(session)
        if isinstance(first, Refused):
            self.text = first.text
            return first.code
        assert isinstance(first, Snapshot | TableList)
        return None

    async def hello(
        self, handle: str, address: Address = EVE, **fields: Any
    ) -> RefusalCode | None:
        return await self.say(serving.hello(handle, **fields), address)

    async def _work(self) -> None:
        if self.dealer._inbox._commands:
            self.dealer.carry_out(await self.dealer._inbox.take())
            self.dealer.speak()


class Open:
    """Opens the doors of one table."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig

    def __call__(
        self, newcomers: Newcomers | None = None, code: str | None = None
    ) -> Doors:
        return Doors(self._rig, newcomers or Newcomers(), code)


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Open]:
    with Rig(tmp_path / "bank") as rig:
        yield Open(rig)


@pytest.mark.parametrize(("address", "at_once"), [(EVE, 10), (LOCAL, 256)])
async def test_14_1_one_address_opens_accounts_at_the_documented_rate(
    doors: Open, address: Address, at_once: int
) -> None:
    at = doors()
    found = [await at.hello(f"new{n}", address) for n in range(at_once + 5)]
    assert found == [None] * at_once + [RefusalCode.TOO_MANY_HANDLES] * 5
    assert f"player:new{at_once}" not in at.rig.bank.books.ledger
    wait = 3600 / at_once
    assert at.text.endswith(f" Try again in {in_words(wait)}.")
    for n in range(3):
        at.time += wait - 1
        assert await at.hello(f"late{n}", address) is RefusalCode.TOO_MANY_HANDLES
        at.time += 1
        assert await at.hello(f"late{n}", address) is None
    assert await at.hello("new0", address) is None  # which has an account
    assert await at.hello("lia9", LIA) is None


@pytest.mark.parametrize(
    "tries", [500, pytest.param(10_000, marks=pytest.mark.torture)]
)
async def test_14_1_any_number_of_tries_opens_ten_accounts_an_hour(
    doors: Open, tries: int
) -> None:
    at = doors()
    for n in range(tries):
        at.time = n * 7200 / tries
        await at.hello(f"new{n}")
    # Ten at once, and one every six minutes of the two hours.
    assert at.rig.bank.books.ledger.players == 10 + 19


@pytest.mark.parametrize("watches", [False, True])
async def test_14_1_codes_are_guessed_at_the_documented_rate(
    doors: Open, watches: bool
) -> None:
    at = doors(code=CODE)

    def words(code: str | None) -> str:
        if watches:
            return encode(Watch(version=2, code=code))
        return serving.hello("ned21", **({} if code is None else {"code": code}))

    assert await at.say(words(None)) is RefusalCode.CODE_NEEDED
    found = [await at.say(words(f"guess {n}")) for n in range(25)]
    limit = Limits().wrong_tries
    assert found[:limit] == [RefusalCode.WRONG_CODE] * limit
    assert set(found[limit:]) == {RefusalCode.TOO_MANY_TRIES}
    # The right one tells nothing either, for it might have been guessed.
    assert await at.say(words(CODE)) is RefusalCode.TOO_MANY_TRIES
    assert at.text.endswith(" Try again in 3 minutes.")
    assert await at.say(words(CODE), LIA) is None
    at.time += 3600 / limit
    assert await at.say(words(CODE)) is None


async def test_14_1_wrong_keys_are_counted_and_the_right_one_always_opens(
    doors: Open,
) -> None:
    at = doors()
    assert await at.hello("ned21") is None
    wrong = serving.key_of("eve")
    found = [await at.hello("ned21", key=wrong) for _ in range(25)]
    limit = Limits().wrong_tries
    assert found[:limit] == [RefusalCode.WRONG_KEY] * limit
    assert set(found[limit:]) == {RefusalCode.TOO_MANY_TRIES}
    assert await at.hello("ned21") is None


async def test_14_1_a_table_without_a_seat_opens_no_account_and_counts_none(
    doors: Open,
) -> None:
    at = doors()
    for n in range(4):
        at.rig.join(f"here{n}")
    found = {await at.hello(f"new{n}") for n in range(15)}
    assert found == {RefusalCode.TABLE_FULL}
    at.rig.leave("here0")
    assert await at.hello("new0") is None


async def test_14_1_a_code_of_the_server_is_asked_of_newcomers_alone(
    doors: Open,
) -> None:
    at = doors(Newcomers(code=CODE))
    at.rig.join("ned21")
    at.rig.leave("ned21")
    assert await at.hello("ned21") is None
    assert await at.hello("eve") is RefusalCode.CODE_NEEDED
    assert "newcomers" in at.text
    assert await at.hello("eve", code="open barley") is RefusalCode.WRONG_CODE
    assert await at.say(encode(Watch(version=2))) is RefusalCode.CODE_NEEDED
    assert await at.say(encode(Watch(version=2, code=CODE))) is None
    assert await at.hello("eve", code=CODE) is None
    assert await at.hello("eve") is None


async def test_14_1_the_code_of_a_table_opens_it_on_a_closed_server(
    doors: Open,
) -> None:
    at = doors(Newcomers(code=CODE), code="of the table")
    assert await at.hello("eve", code=CODE) is RefusalCode.WRONG_CODE
    assert await at.hello("eve", code="of the table") is None


async def test_14_1_only_invited_handles_open_accounts_where_the_host_wants_it(
    doors: Open,
) -> None:
    invited = Invites()
    at = doors(Newcomers(is_invite_only=True, invited=invited))
    at.rig.join("ned21")
    at.rig.leave("ned21")
    assert await at.hello("eve") is RefusalCode.NOT_INVITED
    assert await at.say(encode(Watch(version=2))) is RefusalCode.NOT_INVITED
    assert await at.hello("ned21") is None
    invited.add("lia9")
    assert await at.hello("LIA9", key=serving.key_of("lia9")) is None
    found = [await at.hello(f"guess{n}") for n in range(25)]
    assert found.count(RefusalCode.NOT_INVITED) == Limits().wrong_tries - 1
    assert found[-1] is RefusalCode.TOO_MANY_TRIES


async def test_14_1_an_invited_handle_need_not_know_the_code(doors: Open) -> None:
    invited = Invites()
    invited.add("lia9")
    at = doors(Newcomers(code=CODE, invited=invited))
    assert await at.hello("lia9") is None


async def test_14_1_a_closed_server_names_nobody_to_strangers(doors: Open) -> None:
    for newcomers in (Newcomers(code=CODE), Newcomers(is_invite_only=True)):
        at = doors(newcomers)
        at.rig.join("ned21")
        await at.say(encode(ListTables(version=2)))
        found = decode_message(at.sent.sent[0])
        assert isinstance(found, TableList)
        assert (found.tables[0].handles, found.tables[0].private) == ((), False)


def test_14_1_invitations_are_kept_in_the_bank_and_checked(tmp_path: Path) -> None:
    Invites(tmp_path).add("lia9")
    assert list(Invites(tmp_path)) == ["lia9"]
    (tmp_path / INVITES_NAME).write_text('{"handles":["Lia9"]}')
    with pytest.raises(BankDamagedError, match="have nobody invited"):
        Invites(tmp_path)


async def test_14_1_new_limits_are_taken_over_while_the_server_runs(
    doors: Open,
) -> None:
    limits = Limits(new_handles=1)
    at = doors(Newcomers(limits))
    assert await at.hello("ned21") is None
    assert await at.hello("eve") is RefusalCode.TOO_MANY_HANDLES
    limits.adopt(Limits(new_handles=0))
    assert await at.hello("eve") is None


def test_14_1_the_counters_take_a_bounded_memory() -> None:
    throttle = Throttle(lambda: 10)
    for number in range(MOST_PLACES + 500):
        throttle.spend(f"place {number}", 0.0)
        throttle.spend("the one that goes on", 0.0)
    assert len(throttle) == MOST_PLACES
    assert throttle.wait("the one that goes on", 0.0) > 3600
    unlimited = Throttle(lambda: 0)
    for _ in range(1000):
        unlimited.spend("anywhere", 0.0)
    assert (unlimited.wait("anywhere", 0.0), len(unlimited)) == (0.0, 0)


def test_14_1_a_full_bucket_takes_over_what_is_allowed_now() -> None:
    allowed = [2]
    throttle = Throttle(lambda: allowed[0], seconds=10)
    throttle.spend("192.0.2.7", 0.0)
    allowed[0] = 5
    throttle.spend("192.0.2.7", 1.0)
    assert throttle.wait("192.0.2.7", 1.0) > 0  # as it was when the first one came
    for _ in range(5):
        assert not throttle.wait("192.0.2.7", 60.0)
        throttle.spend("192.0.2.7", 60.0)
    assert throttle.wait("192.0.2.7", 60.0) == 2.0
