"""The segment packer: packs closed segments, one by one, on a thread of its own.

Nothing waits for it. A failure is logged, and the next start tries again: a segment
that is not packed is as good as one that is.
"""

import gzip
import logging
import queue
import threading
from pathlib import Path

from bj_server.bank.disk import naming, read_file, replace_file, sync_folder
from bj_server.bank.error import BankUnusableError
from bj_server.bank.segment import Closed, packed

_logger = logging.getLogger(__name__)


def pack(path: Path, seq: int) -> Closed:
    """Put a packed segment in the place of a closed one, and describe it.

    The plain file goes only when the packed one is on the disk. The same lines always
    give the same bytes, so that two copies can be compared.
    """
    beside = packed(path)
    with naming(path):
        stored = gzip.compress(read_file(path), mtime=0)
        replace_file(beside, stored)
        path.unlink()
        sync_folder(path.parent)
    return Closed.of(beside.name, seq, stored)


class SegmentPacker:
    """Packs the segments that are submitted."""

    def __init__(self) -> None:
        self._packed: dict[int, Closed] = {}
        self._tasks: queue.Queue[tuple[Path, int] | None] = queue.Queue()
        self._thread = threading.Thread(
            target=self._serve, name="journal-archive", daemon=True
        )
        self._thread.start()

    def submit(self, path: Path, seq: int) -> None:
        """Have a closed segment packed, whose last line is ``seq``."""
        self._tasks.put((path, seq))

    def newest(self, closed: Closed) -> Closed:
        """Return the segment as it is stored by now."""
        return self._packed.get(closed.number, closed)

    def close(self) -> None:
        """Finish what is to be done, and end."""
        self._tasks.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                closed = pack(*task)
            except BankUnusableError as error:
                _logger.warning("%s", error)
            else:
                self._packed[closed.number] = closed
            finally:
                self._tasks.task_done()
