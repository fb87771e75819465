"""The reader: a file descriptor, read by a thread of its own.

A thread, since an event loop cannot wait for regular files; of its own, since the
interpreter would wait for a pool's threads when it ends.
"""

import asyncio
import contextlib
import threading
from typing import Protocol

_CHUNK = 65536


class Reader:
    """Reads one chunk each time it is wanted, and hands it to the loop."""

    def __init__(self, descriptor: int, feed: "_Feed") -> None:
        """Read ``descriptor`` for ``feed``, which gets no bytes once at the end."""
        self._descriptor = descriptor
        self._feed = feed
        self._loop = asyncio.get_running_loop()
        self._wanted = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def want(self) -> None:
        """Read on, if that is not being done already."""
        if self._thread.ident is None:
            self._thread.start()
        self._wanted.set()

    def _run(self) -> None:
        data = b"more"
        while data:
            self._wanted.wait()
            self._wanted.clear()
            try:
                # A file by itself: a console of Windows gives UTF-8 to that alone.
                with open(self._descriptor, "rb", 0, closefd=False) as file:
                    data = file.read(_CHUNK) or b""
            except OSError:
                data = b""
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._feed, data)


class _Feed(Protocol):
    def __call__(self, data: bytes, /) -> None: ...
