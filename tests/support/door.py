"""The net without sockets: a lobby of one table, and lines that keep what is sent."""

from websockets.frames import Frame
from websockets.protocol import Protocol, Side

from bj_protocol.codec import decode_message
from bj_protocol.messages import Refused
from bj_server.net.limits import Limits, Rates
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.net.newcomers import Newcomers
from bj_server.net.outbox import Audience, Outbox
from bj_server.net.session import Session
from bj_server.table.dealer import Dealer
from support.rig import Rig


class FakeTransport:
    """A connection that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.backlog = 0
        self.closed: tuple[int, str] | None = None
        self.is_aborted = False

    def send(self, frames: bytes) -> None:
        self.sent += texts_in(frames)

    def waiting(self) -> int:
        return self.backlog

    def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)

    def abort(self) -> None:
        self.is_aborted = True


class Door:
    """A lobby with one table, whose dealer works when it is told to."""

    def __init__(self, rig: Rig, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        self.rig = rig
        self.room = Audience()
        self.dealer = Dealer(rig.table, self.room)
        newcomers = Newcomers(limits)
        self.lobby = Lobby([HostedTable(self.dealer, self.room)], newcomers=newcomers)
        self.time = 0.0
        self.rates = Rates(limits)

    def connect(self, line: int = 1) -> tuple[Session, FakeTransport]:
        transport = FakeTransport()
        outbox = Outbox(transport, self.now)
        session = Session(line, outbox, self.lobby, self.now, self.rates)
        return session, transport

    def now(self) -> float:
        return self.time

    async def work(self) -> None:
        batch = await self.dealer._inbox.take()
        self.dealer.carry_out(batch)
        self.dealer.speak()


def texts_in(frames: bytes) -> list[str]:
    """Return the texts of frames that are sent together, as a client reads them."""
    client = Protocol(Side.CLIENT)
    client.receive_data(frames)
    heard = client.events_received()
    return [bytes(each.data).decode() for each in heard if isinstance(each, Frame)]


def refused(transport: FakeTransport) -> Refused:
    """Return the last message to a line, which must be a refusal."""
    message = decode_message(transport.sent[-1])
    assert isinstance(message, Refused)
    return message
