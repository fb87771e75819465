"""A transfer is interrupted between any two steps: every cent is in one place."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from bj_server.bank.error import BankError
from bj_server.bank.visit import Arrival
from support.fleet import OPENING, Member, at_rest, check_money, query
from support.wire import Wire

from .conftest import Enrol

# It takes long, and shows nothing of the bank that shorter tests do not.
pytestmark = pytest.mark.no_cover


class Snag:
    """Cuts the wire at the ``last`` message that it sees, which is lost."""

    def __init__(self, last: int, cut: Callable[[], None]) -> None:
        self._last, self._cut = last, cut
        self.seen = 0

    def __call__(self, data: bytes) -> bytes:
        self.seen += 1
        if self.seen != self._last:
            return data
        self._cut()
        return b""


async def _find(member: Member, url: str) -> str:
    """Where the money of ned21 is, and how much."""
    await member.cage.settle()
    await check_money(url, member)
    here, there = member.balance("ned21"), await at_rest(url, "ned21")
    return f"{here} here, {there} at rest"


@pytest.mark.parametrize("way", ["ask", "reply"])
async def test_a_line_cut_at_any_message_is_made_again_and_nothing_is_done_twice(
    enrol: Enrol, database: str, wire: Wire, way: str
) -> None:
    east = enrol("east", wire.url)
    await east.start()
    last = 0
    while True:
        last += 1
        snag = Snag(last, wire.snap)
        setattr(wire, way, snag)
        assert isinstance(await east.sit("ned21"), Arrival)
        await east.leave("ned21")
        await east.cage.beat()
        await wire.mend()
        assert await _find(east, database) == f"0 here, {OPENING} at rest"
        (count,) = await query(database, "SELECT count(*) FROM visits")
        assert count[0] == last
        if snag.seen < last:
            break
    assert last > 15  # there were as many places
    await east.stop()


@pytest.mark.parametrize("way", ["ask", "reply"])
async def test_a_server_that_ends_at_any_message_has_all_in_one_place_when_it_is_back(
    enrol: Enrol, database: str, wire: Wire, way: str
) -> None:
    east = enrol("east", wire.url)
    await east.start()
    last, is_over, has_come = 0, False, False
    while not is_over:
        last += 1
        snag = Snag(last, wire.cut)
        setattr(wire, way, snag)
        with suppress(BankError):
            has_come |= isinstance(await east.sit("ned21"), Arrival)
            await east.leave("ned21")
            is_over = snag.seen < last
        wire.cut()
        # At times the last lines are not even with the system yet.
        await east.kill(is_written=bool(last % 2))
        await wire.mend()
        await east.start()
        await east.cage.settle()
        assert not east.bank.books.visits
        rest = await at_rest(database, "ned21")
        assert rest == OPENING or (rest is None and not has_come)
        await check_money(database, east)
    assert last > 15  # there were as many places
    await east.stop()
