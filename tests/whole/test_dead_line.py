"""N9, Q13: a line that is dead though it looks open is noticed; its seat is away."""

import asyncio
from pathlib import Path

from bj_server.net.limits import Limits
from support.serving import hello, serving
from whole.guest import Guest
from whole.raw import REQUEST, RawLine, address, frame

QUICK = Limits(ping_seconds=0.2, pong_seconds=0.2, close_seconds=0.2)


def test_Q13_a_dead_line_is_noticed_within_five_seconds_of_a_missed_pong() -> None:
    limits = Limits()
    assert limits.close_seconds <= 5  # all that comes between a missed pong and away
    assert limits.ping_seconds + limits.pong_seconds + limits.close_seconds <= 25


async def test_N9_Q13_who_answers_no_ping_is_shown_as_away_and_play_goes_on(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "bank", limits=QUICK) as uri:
        lia = await Guest.sit(uri, "lia9")
        reader, writer = await asyncio.open_connection(*address(uri))
        try:
            writer.write(REQUEST)
            await reader.readuntil(b"\r\n\r\n")
            RawLine(reader, writer).send(frame(hello("ned21").encode()))
            while not lia.seen("presence_changed"):
                await lia.hear()
            (away,) = lia.seen("presence_changed")
            assert (away["seat"], away["presence"]) == (2, "away")
            await lia.answer("place_bet", 10)  # and nobody is waited for
            await play_out(lia)
        finally:
            writer.transport.abort()
            await lia.line.close()


async def play_out(guest: Guest) -> None:
    """Take no card and nothing that is offered, until the round is over."""
    while not guest.seen("round_ended"):
        turn = guest.turn or {"asks": []}
        actions = [a for ask in turn["asks"] for a in ask["actions"]]
        if actions:
            await guest.answer("stand" if "stand" in actions else "decline")
        else:
            await guest.hear()
