"""The output of a program's client: lines of JSON in UTF-8, each written at once.

Written by a thread, so that a program that does not read stops nothing else; not by way
of ``sys.stdout``, which has an encoding and a lock of its own.
"""

import asyncio
import os
import select

from bj_client.ending import OutputClosed
from bj_client.thread import in_thread


class JsonOutput:
    """Lines to a file descriptor, one after the other."""

    def __init__(self, descriptor: int | None) -> None:
        """Write to ``descriptor``; None is an output that was closed from the start."""
        self._descriptor = descriptor
        self._turn = asyncio.Lock()

    async def write(self, text: str) -> None:
        """Write a line.

        Raises:
            OutputClosed: if it can no longer be written.
        """
        descriptor = self._descriptor
        if descriptor is None:
            raise OutputClosed("it is closed", quiet=True)
        data = f"{text}\n".encode()
        async with self._turn:
            try:
                await in_thread(lambda: _write(descriptor, data))
            except OSError as error:
                raise OutputClosed.by(error) from None


def _write(descriptor: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:  # who started us shares the descriptor, and set it so
            select.select([], [descriptor], [])
