"""What a part in the draw costs the server: calls and processor time a round.

    python bench/draw.py            # nine pairs, as in results.md
    python bench/draw.py --quick    # one short pair

Server and clients share a process and a loop, so that the answers to one question come
together, as they seldom do otherwise, and the same is done in every run. What is spent
within a client is taken away. Calls are those of Python functions on the thread of the
loop; while they are counted, the cards of a round follow from its number, so that all
kinds play the same rounds. Processor time is that of all threads, so that of the syncs
as well.
"""

import argparse
import asyncio
import itertools
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from types import FrameType

import uvloop
import wire

from bj_game.shuffle import NumberedStream
from bj_server.bank.bank import Bank
from bj_server.host import place
from bj_server.net.app import App
from bj_server.net.limits import Limits
from bj_server.net.lobby import Lobby
from bj_server.net.newcomers import Newcomers
from bj_server.options import read_options
from bj_server.table import context
from bj_server.table.clock import LoopClock

SEATS = 5
KINDS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "no proof": (False, ("--no-proof",)),
    "no links": (False, ()),
    "links": (True, ()),
}
"""Whether the clients have links, and the options of the server."""


class Count:
    """What is spent outside of the clients."""

    def __init__(self) -> None:
        """Start at nothing; each client leaves itself out."""
        self.calls = 0
        self._away = 0.0
        self._began = time.process_time()
        self._hear = wire.Seat.data_received

    @property
    def seconds(self) -> float:
        """The processor time of the server."""
        return time.process_time() - self._began - self._away

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Count one call; for ``sys.setprofile``."""
        self.calls += event == "call"

    def leave_out(self, seat: wire.Seat, data: bytes) -> None:
        """Have a client read, and do not count it."""
        profile, began = sys.getprofile(), time.thread_time()
        sys.setprofile(None)
        self._hear(seat, data)
        self._away += time.thread_time() - began
        sys.setprofile(profile)


async def _play(folder: Path, kind: str, rounds: int, *, counted: bool) -> float:
    """Return the calls of a round, or its microseconds."""
    links, words = KINDS[kind]
    options = ["--bank", str(folder), "--port", "0", "--table", "t0", *words]
    settings = read_options([*options, "--seats", str(SEATS)])
    bank, clock = Bank.open(folder, keep=settings.table_names), LoopClock()
    limits = Limits(new_handles=0, wrong_tries=0)
    places = [place(settings, plan, bank, clock) for plan in settings.tables]
    app = App(Lobby(places, newcomers=Newcomers(limits)), limits)
    stop, port = asyncio.Event(), asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(app.run("127.0.0.1", 0, stop, port.set_result))
    address = await port
    count, hear = Count(), wire.Seat.data_received
    wire.Seat.data_received = lambda *given: count.leave_out(*given)  # type: ignore[method-assign]
    seeds, numbers_of = itertools.count(), vars(context)["numbers_of"]
    if counted:
        vars(context)["numbers_of"] = lambda *_: NumberedStream(next(seeds))
    sys.setprofile(count.note if counted else None)
    try:
        await wire.play(address, 1, SEATS, rounds, links=links)
    finally:
        sys.setprofile(None)
        vars(context)["numbers_of"] = numbers_of
        wire.Seat.data_received = hear  # type: ignore[method-assign]
    spent = count.calls if counted else count.seconds * 1e6
    stop.set()
    await serving
    bank.close()
    return spent / rounds


def measure(kind: str, rounds: int, *, counted: bool) -> float:
    """Return the calls of a round, or its microseconds, of a server made anew."""
    with (
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        playing = _play(Path(folder), kind, rounds, counted=counted)
        return runner.run(playing)


def main() -> None:
    """Measure every kind and print the figures."""
    parser = argparse.ArgumentParser(description="What a part in the draw costs.")
    parser.add_argument("--quick", action="store_true", help="one short run each")
    options = parser.parse_args()
    times, rounds = (1, 40) if options.quick else (9, 100)
    calls = {kind: measure(kind, rounds, counted=True) for kind in KINDS}
    runs = [{k: measure(k, rounds, counted=False) for k in KINDS} for _ in range(times)]
    print("kind       calls a round   microseconds a round: least   median")
    for kind in KINDS:
        spent = [run[kind] for run in runs]
        print(f"{kind:10} {calls[kind]:13.0f} {min(spent):28.0f} {median(spent):8.0f}")
    for kind in ("no proof", "no links"):
        ratio = median(run["links"] / run[kind] for run in runs)
        print(f"links over {kind}, median of the pairs: {ratio:.3f}")


if __name__ == "__main__":
    main()
