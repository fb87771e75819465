"""T3: a client that is stopped, its socket open, holds nobody up."""

import os
import signal
from pathlib import Path

from support.terminal import Terminal
from whole.guest import Guest
from whole.host import Host


async def test_T3_the_servers_own_timer_ends_the_turn_of_a_client_that_is_stopped(
    tmp_path: Path,
) -> None:
    stack = ("--stack", "Ts Th 9h 6s 8s 8d")
    seconds = ("--bet-seconds", "60", "--turn-seconds", "2")
    with Host(tmp_path / "bank", *stack, *seconds) as host:
        options = ("--line", "--server", host.address, "--handle", "ned21")
        with Terminal("bj_client", *options, HOME=str(tmp_path)) as acting:
            acting.until("Bet ($1 to $10,000")
            lia = await Guest.sit(f"ws://{host.address}", "lia9")
            await lia.answer("place_bet", 10)
            acting.answer("50", "Hit (h), stand (s)")
            os.kill(acting.child.pid, signal.SIGSTOP)
            try:
                await lia.answer("stand")  # its turn comes by itself
                while not lia.seen("round_ended"):
                    await lia.hear()
                stood = [(e["seat"], e["by"]) for e in lia.seen("hand_stood")]
                assert stood == [(1, "clock"), (2, "player")]
                assert [e["seat"] for e in lia.seen("hand_settled")] == [1, 2]
                assert not lia.seen("presence_changed")  # the socket looks open
            finally:
                os.kill(acting.child.pid, signal.SIGCONT)
            acting.until("Time is up.")
            acting.until("Round 1 is over.")
            await lia.line.close()
