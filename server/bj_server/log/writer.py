"""The writer: a thread that writes log lines, so that no table ever waits for a log.

A terminal that is held, a pipe that nobody reads and a closed standard error stop the
thread, or make it lose lines, and nothing else. Lines past a bound are dropped, and
their number is told when there is room again.
"""

import contextlib
import logging
import os
import queue
import threading

_MOST_WAITING = 2000
_LAST_SECONDS = 0.5


class LogWriter(logging.Handler):
    """Writes to a file descriptor, each record by one call of the system."""

    def __init__(self, descriptor: int = 2, most_waiting: int = _MOST_WAITING) -> None:
        """Write to ``descriptor``, which stays its owner's; start the thread."""
        super().__init__()
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(most_waiting)
        self._dropped = 0
        self._is_closed = False
        self._thread = threading.Thread(target=self._serve, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record; a record that cannot be written is no reason to stop."""
        try:
            line = self.format(record)
        except Exception as error:  # noqa: BLE001 - of whatever a caller passed in
            kind = type(error).__name__
            line = self._own(f"a log line could not be formed: {kind}")
        try:
            if self._dropped:
                lines = "line was" if self._dropped == 1 else "lines were"
                said = self._own(f"{self._dropped} log {lines} dropped")
                self._lines.put_nowait(said)
                self._dropped = 0
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1

    def _own(self, text: str) -> str:
        """Return a line about the log itself, in its form."""
        fields = {"name": __name__, "msg": text}
        level = {"levelno": logging.WARNING, "levelname": "WARNING"}
        return self.format(logging.makeLogRecord(fields | level))

    @property
    def is_writing(self) -> bool:
        """Whether the thread is there, or stuck in its last line."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Write what is queued, as far as that goes within a second."""
        if self._is_closed:
            return
        self._is_closed = True
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=_LAST_SECONDS)
        self._thread.join(_LAST_SECONDS)
        super().close()

    def _serve(self) -> None:
        while (line := self._lines.get()) is not None:
            # Where this fails there is nowhere to say so.
            with contextlib.suppress(OSError):
                _write(self._descriptor, line.encode(errors="replace") + b"\n")


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
