"""How much may wait for a dealer, and whose."""

import asyncio

from bj_protocol.commands import Hit
from bj_server.table.inbox import FromLine, Give, Inbox, ResetKey, TimeUp

ANSWER = Hit(prompt=1)


async def test_one_line_has_room_for_eight_commands_and_others_still_for_theirs() -> (
    None
):
    inbox = Inbox()
    for _ in range(8):
        await inbox.room(1)
        inbox.submit(FromLine(1, ANSWER))
    waiting = asyncio.create_task(inbox.room(1))
    await asyncio.wait_for(inbox.room(2), 60)
    inbox.submit(FromLine(2, ANSWER))
    assert not waiting.done()
    assert len(await inbox.take()) == 9
    await waiting


async def test_who_waits_for_room_waits_on_if_it_is_taken_meanwhile() -> None:
    inbox = Inbox()
    for _ in range(8):
        inbox.submit(FromLine(1, ANSWER))
    waiting = asyncio.create_task(inbox.room(1))
    await asyncio.sleep(0)
    await inbox.take()
    for _ in range(64):
        inbox.submit(TimeUp())
    await asyncio.sleep(0)
    assert not waiting.done()
    await inbox.take()
    await waiting


async def test_a_flooding_line_puts_at_most_eight_commands_before_anothers() -> None:
    inbox = Inbox()

    async def flood() -> None:
        while True:
            await inbox.room(1)
            inbox.submit(FromLine(1, ANSWER))

    flooding = asyncio.create_task(flood())
    for _ in range(100):
        await inbox.room(2)
        inbox.submit(FromLine(2, ANSWER))
        batch = await inbox.take()
        lines = [command.line for command in batch if isinstance(command, FromLine)]
        assert lines.index(2) <= 8
        await asyncio.sleep(0)
    flooding.cancel()


async def test_orders_that_nobody_carries_out_any_more_are_not_waited_for() -> None:
    inbox, loop = Inbox(), asyncio.get_running_loop()
    gift, reset = loop.create_future(), loop.create_future()
    inbox.submit(Give("ned21", 100, gift))
    inbox.submit(TimeUp())
    inbox.close()
    inbox.submit(ResetKey("ned21", reset))
    assert (await gift, await reset) == (False, False)
