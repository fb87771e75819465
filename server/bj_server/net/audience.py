"""The audience: the sessions of one table, through which the table speaks."""

from collections import deque
from typing import TYPE_CHECKING

from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.refusal import CloseCode
from bj_server.net.frame import frame_of

if TYPE_CHECKING:
    from bj_server.net.outbox import Outbox
    from bj_server.net.session import Session

_KEPT = 64
"""Updates and their signatures that are kept for clients which have missed some."""


class Audience:
    """Implements ``bj_server.table.outgoing.Outlet`` over sessions."""

    def __init__(self) -> None:
        self._sessions: dict[int, Session] = {}
        self._audience: dict[int, Outbox] = {}
        self._recent: deque[tuple[Update | Signed, bytes]] = deque(maxlen=_KEPT)

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
        framed = [(message, frame_of(text)) for message, text in told]
        self._recent.extend(framed)
        frames = b"".join([frame for _, frame in framed])
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
        outbox = self._audience.get(line)
        missed = [
            frame
            for message, frame in self._recent
            if message.seq > seq or (message.seq == seq and message.type == "signed")
        ]
        oldest = self._recent[0][0].seq if self._recent else seq
        if outbox is None or not missed or seq + 1 < oldest:
            return False
        outbox.send(b"".join(missed))
        return True

    def dismiss(self, line: int, code: CloseCode, reason: str) -> None:
        """Close one session; it hears nothing more."""
        session = self._sessions.get(line)
        if session is not None:
            self.leave(session)
            session.close(code, reason)
