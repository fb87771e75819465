"""The outbox: the frames that wait to be sent on one connection, up to a bound.

Nothing here waits. A connection whose reader falls behind is sent no more until it has
caught up; then one snapshot makes up for all that it missed. A table speaks through its
audience: the same frames go into the outboxes of all its sessions.
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.refusal import CloseCode
from bj_server.net.wire import frame_of

if TYPE_CHECKING:
    from bj_server.net.session import Session


_log = logging.getLogger(__name__)

HIGH_WATER = 256 * 1024
"""Bytes that may wait for one reader before it counts as behind."""

_LOW_WATER = 16 * 1024


class Transport(Protocol):
    """A connection that takes frames at once and sends them when it can."""

    def send(self, frames: bytes) -> None:
        """Queue one frame or several."""

    def waiting(self) -> int:
        """Return the bytes that are queued."""

    def close(self, code: int, reason: str) -> None:
        """Close after the queued frames, without waiting for them."""

    def abort(self) -> None:
        """Drop the connection at once."""


@dataclass(eq=False)
class Outbox:
    """The bounded way out to one client; moments are of the event loop's clock."""

    _transport: Transport
    _now: Callable[[], float] = time.monotonic
    behind_since: float | None = None
    """When the reader was first seen behind; None while it keeps up."""
    _slow_since: float | None = None

    @property
    def waiting(self) -> int:
        """The bytes that wait."""
        return self._transport.waiting()

    def send(self, frames: bytes) -> None:
        """Send ``frames``, unless the reader is behind; then they are dropped."""
        if self.behind_since is not None:
            return
        if self._transport.waiting() > HIGH_WATER:
            self.behind_since = self._now()
            return
        try:
            self._transport.send(frames)
        except (OSError, RuntimeError) as error:
            _log.info("nothing can be sent to a line: %s", error)

    def catch_up(self) -> bool:
        """Return whether a reader that was behind has caught up, once."""
        if self.behind_since is None or self._transport.waiting() > _LOW_WATER:
            return False
        self.behind_since = None
        return True

    def seconds_slow(self, now: float) -> float:
        """Return for how long more has been waiting than a reader leaves.

        It must be asked now and then to know. It notices a reader that stopped at a
        quiet table, too, where the frames never add up to being behind.
        """
        if self._transport.waiting() <= _LOW_WATER:
            self._slow_since = None
        elif self._slow_since is None:
            self._slow_since = now
        since = [s for s in (self._slow_since, self.behind_since) if s is not None]
        return now - min(since, default=now)

    def close(self, code: int, reason: str) -> None:
        """Close the connection with a reason for people."""
        self._transport.close(code, reason)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._transport.abort()


_KEPT = 64
"""Updates and their signatures that are kept for clients which have missed some."""

_T = TypeVar("_T")


class Recent(Generic[_T]):
    """The last updates and what is signed of them, in any form ``_T``."""

    def __init__(self, most: int | None = _KEPT) -> None:
        """Keep so many of them; None keeps all."""
        self._kept: deque[tuple[int, bool, _T]] = deque(maxlen=most)

    def keep(self, message: Update | Signed, form: _T) -> None:
        """Keep a message, which came after all others."""
        self._kept.append((message.seq, message.type == "signed", form))

    def clear(self) -> None:
        """Keep none of them any more."""
        self._kept.clear()

    def after(self, seq: int) -> list[_T]:
        """Return what came after the update ``seq``; nothing if a part is not kept."""
        if not self._kept:
            return []
        oldest, is_signed, _ = self._kept[0]
        if seq + 1 < oldest + is_signed:  # of what is signed, the update is not kept
            return []
        return [
            form
            for number, is_signed, form in self._kept
            if number > seq or (number == seq and is_signed)
        ]


class Audience:
    """Implements ``bj_server.table.outgoing.Outlet`` over sessions."""

    def __init__(self) -> None:
        self._sessions: dict[int, Session] = {}
        self._audience: dict[int, Outbox] = {}
        self._recent = Recent[bytes]()

    def enter(self, session: "Session") -> None:
        """Let a session in; it hears announcements from its first snapshot on."""
        self._sessions[session.line] = session
        session.audience = self

    def leave(self, session: "Session") -> None:
        """Forget a session whose connection is gone."""
        self._sessions.pop(session.line, None)
        self._audience.pop(session.line, None)

    def announce(self, *told: tuple[Update | Signed, str]) -> None:
        """Send the same bytes, all at once, to the whole audience."""
        if not self._audience:
            self._recent.clear()
            return
        frames = b""
        for message, text in told:
            frame = frame_of(text)
            self._recent.keep(message, frame)
            frames += frame
        for outbox in self._audience.values():
            outbox.send(frames)

    def tell(self, line: int, message: Message) -> None:
        """Send ``message`` to one session, if it is still there."""
        session = self._sessions.get(line)
        if session is None:
            return
        if isinstance(message, Snapshot):
            self._audience[line] = session.outbox
        session.tell(message)

    def catch_up(self, line: int, seq: int) -> bool:
        """Send a line all updates after ``seq`` again, if they are kept and any."""
        outbox, missed = self._audience.get(line), self._recent.after(seq)
        if outbox is None or not missed:
            return False
        outbox.send(b"".join(missed))
        return True

    def dismiss(self, line: int, code: CloseCode, reason: str) -> None:
        """Close one session; it hears nothing more."""
        session = self._sessions.get(line)
        if session is not None:
            self.leave(session)
            session.close(code, reason)
