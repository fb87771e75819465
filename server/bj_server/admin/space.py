"""The space: what is left on the disk of the bank, and what the journal takes of it."""

import asyncio
import logging
import shutil
from pathlib import Path

from bj_server.bank.disk import why

_log = logging.getLogger(__name__)

_EVERY_SECONDS = 30.0
_MARGIN = 1.1
"""How much more than the least has to be free before another warning."""


class Space:
    """The disk of one bank; it may warn that little is left."""

    def __init__(self, folder: Path, least: int) -> None:
        """Warn once fewer than ``least`` bytes are free; 0 for never."""
        self._folder = folder
        self._least = least
        self._is_warned = False
        self.free: int | None = None
        """The bytes that may still be written; None until somebody looked."""
        self.journal = 0
        """The bytes of all segments of the journal."""

    @property
    def is_low(self) -> bool:
        """Whether less is free than the host wants."""
        return self.free is not None and self.free < self._least

    def look(self) -> None:
        """Look at the disk, which may take its time.

        Raises:
            OSError: if it cannot be asked.
        """
        self.free = shutil.disk_usage(self._folder).free
        segments = self._folder.glob("journal-*")
        self.journal = sum(segment.stat().st_size for segment in segments)

    def warn(self) -> None:
        """Log that little is left, once until there is enough again."""
        if self.is_low and not self._is_warned:
            self._is_warned = True
            _log.warning(
                "the disk of the bank in %s has %d MiB left: free some space, or the "
                "tables pause when it is full",
                self._folder,
                (self.free or 0) >> 20,
            )
        elif self._is_warned and (self.free or 0) >= self._least * _MARGIN:
            self._is_warned = False
            _log.info("the disk of the bank has space again")


async def watch_space(space: Space, seconds: float = _EVERY_SECONDS) -> None:
    """Look at the disk now and then, beside the event loop, and warn."""
    while True:
        try:
            await asyncio.to_thread(space.look)
            space.warn()
        except OSError as error:  # a segment is packed, or the folder is gone
            _log.debug("the disk of the bank tells nothing: %s", why(error))
        await asyncio.sleep(seconds)
