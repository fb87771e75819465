"""Catching up: what a player who is back has missed, as one message.

The picture that answers the hello says where the story stands now. What led there is
asked for, and told as one update, so that nobody is asked for a decision in the middle
of the past. A server that does not have it any more sends a picture instead.
"""

import asyncio
from typing import TYPE_CHECKING

from bj_client.rejoin import Lifeline
from bj_client.table import Table
from bj_protocol.commands import Resync
from bj_protocol.messages import Snapshot, Update

if TYPE_CHECKING:
    from bj_protocol.events import Event

CATCH_UP_SECONDS = 10.0
"""How long the server may take to tell what was missed."""


async def catch_up(
    line: Lifeline, table: Table, picture: Snapshot
) -> Snapshot | Update:
    """Return what leads from ``table`` to the ``picture``, or to one after it.

    Raises:
        Ending: if the line is lost again.
    """
    if not _continues(table, picture):
        return picture
    events: list[Event] = []
    seq = table.seq
    try:
        async with asyncio.timeout(CATCH_UP_SECONDS):
            if seq < picture.seq:
                await line.send(Resync(seq=seq))
            while seq < picture.seq:
                match (await line.receive()).message:
                    case Snapshot() as newer:
                        return newer
                    case Update() as update if update.seq == seq + 1:
                        events += update.events
                        seq = update.seq
                    case _:
                        pass  # ahead of what was missed, which has it once more
    except TimeoutError:
        return picture
    return Update(table=picture.table, seq=seq, events=tuple(events), turn=picture.turn)


def _continues(table: Table, picture: Snapshot) -> bool:
    """Whether a picture is a later one of the same table, from the same seat."""
    return (
        picture.table == table.name
        and (picture.you.seat if picture.you else 0) == table.seat_number
        and picture.seq >= table.seq
    )
