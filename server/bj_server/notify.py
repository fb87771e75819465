"""Notes to the service manager: ready, stopping, a word of status, and still alive.

systemd listens at a datagram socket that it names in the environment; a few words of
its protocol (sd_notify(3)) are all that is needed, so no library is. Where there is no
manager, or it is gone, nothing happens: notes are for the manager, not for the server.
"""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

_STATUS_SECONDS = 10.0


class Notifier:
    """Sends notes to the service manager, if it asked for any."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self.watchdog_seconds = _watchdog(environment)
        """How often the manager wants to hear from us at least; None if not at all."""

    @property
    def is_on(self) -> bool:
        """Whether anybody wants notes."""
        return self._address is not None

    def ready(self, status: str) -> None:
        """Say that the server serves, and one line about it."""
        self._send(f"READY=1\nSTATUS={_one_line(status)}")

    def status(self, status: str) -> None:
        """Say one line about the server."""
        self._send(f"STATUS={_one_line(status)}")

    def reloading(self) -> None:
        """Say that the settings are read again; ``ready`` follows."""
        moment = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self._send(f"RELOADING=1\nMONOTONIC_USEC={moment}")

    def stopping(self) -> None:
        """Say that the server stops."""
        self._send("STOPPING=1\nSTATUS=Stopping.")

    def alive(self) -> None:
        """Say that the server is alive."""
        self._send("WATCHDOG=1")

    def _send(self, note: str) -> None:
        if self._address is None:
            return
        kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, kind) as sender,
        ):
            sender.sendto(note.encode(), self._address)


async def keep_notified(
    notifier: Notifier,
    status: Callable[[], str],
    serving: asyncio.Event,
    stop: asyncio.Event,
) -> None:
    """Say that the server is ``serving``, its ``status`` now and then, and its stop.

    It runs on the loop that serves, so a manager with a watchdog hears of a loop that
    is stuck by hearing nothing.
    """
    await serving.wait()
    if not notifier.is_on:
        return
    notifier.ready(status())
    limit = notifier.watchdog_seconds
    seconds = _STATUS_SECONDS if limit is None else min(limit / 2, _STATUS_SECONDS)
    while not stop.is_set():
        notifier.status(status())
        if limit is not None:
            notifier.alive()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await stop.wait()
    notifier.stopping()


def _address(name: str) -> str | None:
    """Return the address of a socket; ``@`` stands for the NUL of an abstract one."""
    if name.startswith("@"):
        return "\0" + name[1:]
    return name if name.startswith("/") else None


def _watchdog(environment: Mapping[str, str]) -> float | None:
    microseconds = environment.get("WATCHDOG_USEC", "")
    whose = environment.get("WATCHDOG_PID", "")
    if not microseconds.isdecimal() or int(microseconds) == 0:
        return None
    if whose and whose != str(os.getpid()):
        return None
    return int(microseconds) / 1e6


def _one_line(text: str) -> str:
    return " ".join(text.split())
